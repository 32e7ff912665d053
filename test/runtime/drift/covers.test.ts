import { equalJson } from '../../../src/kubernetes/index.js';
import { covers, hasSameContent } from '../../../src/runtime/drift/index.js';

const deployment = {
  metadata: { name: 'a', labels: { app: 'a', extra: 'x' }, uid: 'u', resourceVersion: '7' },
  spec: {
    replicas: 2,
    strategy: { type: 'RollingUpdate' },
    metrics: [{ resource: { target: { value: '1' } } }],
    template: {
      spec: {
        containers: [
          {
            name: 'main',
            image: 'a:1',
            resources: { requests: { cpu: '1', memory: '128Mi' } },
            env: [{ name: 'SCALE', value: '1' }],
            securityContext: { allowPrivilegeEscalation: false },
          },
          { name: 'proxy', image: 'proxy:1' },
        ],
        tolerations: [{ key: 'a', operator: 'Exists' }],
        volumes: [{ name: 'tmp', emptyDir: {} }],
      },
    },
  },
};
const container = { name: 'main', image: 'a:1' };
const inPod = (spec: object): object => ({ spec: { template: { spec } } });

describe('covers', () => {
  test.each<[string, object]>([
    ['fields of others', { metadata: { labels: { app: 'a' } }, spec: { replicas: 2 } }],
    ['a container that was put in', inPod({ containers: [container] })],
    [
      'a quantity in another spelling',
      inPod({ containers: [{ ...container, resources: { requests: { cpu: '1000m', memory: '134217728' } } }] }),
    ],
    [
      'an empty list or map that the server leaves out',
      { metadata: { annotations: {} }, spec: { template: { spec: { initContainers: [] } } } },
    ],
    ['a field that is undefined', { spec: { paused: undefined } }],
    ['a quantity of an autoscaler in another spelling', { spec: { metrics: [{ resource: { target: { value: '1000m' } } }] } }],
    ['an empty object that is there', inPod({ volumes: [{ name: 'tmp', emptyDir: {} }] })],
  ])('%s', (_, desired) => {
    expect(covers(deployment, desired)).toBe(true);
  });

  test.each<[string, object]>([
    ['another value', { spec: { replicas: 3 } }],
    ['another quantity', inPod({ containers: [{ ...container, resources: { requests: { cpu: '1001m' } } }] })],
    ['a quantity of another power', inPod({ containers: [{ ...container, resources: { requests: { memory: '128M' } } }] })],
    ['another quantity of an autoscaler', { spec: { metrics: [{ resource: { target: { value: '2' } } }] } }],
    [
      "a variable's text that would be the same as a quantity",
      inPod({ containers: [{ ...container, env: [{ name: 'SCALE', value: '1.0' }] }] }),
    ],
    ['a missing field', { spec: { paused: true } }],
    [
      'a field that says false and is not there: it may mean something',
      { spec: { template: { spec: { automountServiceAccountToken: false } } } },
    ],
    ['an empty object that is not there', inPod({ volumes: [{ name: 'tmp', hostPath: {} }] })],
    ['a missing container', inPod({ containers: [container, { name: 'other' }] })],
    ['containers in another order', inPod({ containers: [{ name: 'proxy' }, { name: 'main' }] })],
    ['a list that is one value, and longer', inPod({ tolerations: [] })],
    [
      'a list that is one value, and shorter',
      inPod({
        tolerations: [
          { key: 'a', operator: 'Exists' },
          { key: 'b', operator: 'Exists' },
        ],
      }),
    ],
    ['a text that only looks like a quantity', { metadata: { labels: { app: 'a', extra: '1' } } }],
  ])('not: %s', (_, desired) => {
    expect(covers({ ...deployment, metadata: { ...deployment.metadata } }, desired)).toBe(false);
  });

  test('others may add finalizers', () => {
    expect(covers({ metadata: { finalizers: ['x/a', 'y/b'] } }, { metadata: { finalizers: ['y/b'] } })).toBe(true);
  });
});

describe('hasSameContent', () => {
  const object = {
    apiVersion: 'v1',
    kind: 'A',
    metadata: { name: 'a', resourceVersion: '1', generation: 1 },
    spec: { a: [1, { b: 2 }] },
    status: { x: 1 },
  };

  test('status and bookkeeping do not count', () => {
    const later = { ...object, metadata: { ...object.metadata, resourceVersion: '2', generation: 2 }, status: { x: 2 } };
    expect(hasSameContent(object, later)).toBe(true);
  });

  test.each([
    { ...object, spec: { a: [1, { b: 3 }] } },
    { ...object, metadata: { ...object.metadata, labels: { a: 'b' } } },
    { ...object, data: {} },
    { ...object, metadata: { ...object.metadata, deletionTimestamp: '2030-01-01T00:00:00Z' } },
  ])('all else does: %j', (other) => {
    expect(hasSameContent(object, other)).toBe(false);
    expect(hasSameContent(other, object)).toBe(false);
  });

  test('the order of fields does not count, that of lists does', () => {
    expect(equalJson({ a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 })).toBe(true);
    expect(equalJson([1, 2], [2, 1])).toBe(false);
    expect(equalJson([], {})).toBe(false);
  });
});

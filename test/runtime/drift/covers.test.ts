import { equalJson } from '../../../src/kubernetes/apimachinery/index.js';
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
    ['a container behind one that was put in', inPod({ containers: [{ name: 'proxy' }] })],
    ['a list that is one value, and equal', inPod({ tolerations: [{ key: 'a', operator: 'Exists' }] })],
    ['nothing', {}],
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
    ['another image of a container behind one that was put in', inPod({ containers: [{ name: 'proxy', image: 'proxy:2' }] })],
    ['a container twice', inPod({ containers: [container, container] })],
    ['a list where an object is', { spec: { strategy: ['RollingUpdate'] } }],
    ['a list where a text is', { metadata: { uid: ['u'] } }],
    ['an object where a text is', { metadata: { uid: { u: 1 } } }],
    ['an object where a list is', inPod({ tolerations: { 0: { key: 'a' } } })],
    ['a text where a list is', inPod({ tolerations: 'a' })],
  ])('not: %s', (_, desired) => {
    expect(covers({ ...deployment, metadata: { ...deployment.metadata } }, desired)).toBe(false);
  });

  test('others may add finalizers, and take none away', () => {
    const desired = { metadata: { finalizers: ['y/b'] } };
    expect(covers({ metadata: { finalizers: ['x/a', 'y/b'] } }, desired)).toBe(true);
    expect(covers({ metadata: { finalizers: ['x/a'] } }, desired)).toBe(false);
  });

  test.each([
    ['objects', [{ key: 'a' }, { key: 'b' }], [{ key: 'a' }]],
    ['texts', ['a', 'b'], ['a']],
    ['objects of which one has a name', [{ name: 'a' }, { name: 'b' }, { key: 'c' }], [{ name: 'a' }, { key: 'c' }]],
    ['objects whose names are not texts', [{ name: 1 }, { name: 2 }], [{ name: 1 }]],
  ])('nobody may add to a list without names: %s', (_, live, desired) => {
    expect(covers({ list: live }, { list: desired })).toBe(false);
    expect(covers({ list: live }, { list: live })).toBe(true);
  });

  test('an item without a name that was put into a list of named ones does not count', () => {
    const named = { name: 'a', value: 1 };
    expect(covers({ list: [null, { key: 'x' }, named] }, { list: [named] })).toBe(true);
  });

  test('two items of one name are compared in their order', () => {
    const ports = [
      { name: 'dns', protocol: 'UDP' },
      { name: 'dns', protocol: 'TCP' },
    ];
    expect(covers({ ports }, { ports })).toBe(true);
    expect(covers({ ports }, { ports: [...ports].reverse() })).toBe(false);
  });

  test.each(['labels', 'annotations', 'matchLabels', 'nodeSelector', 'data', 'binaryData'])('empty %s are as good as none', (field) => {
    expect(covers({}, { [field]: {} })).toBe(true);
    expect(covers({ [field]: {} }, { [field]: undefined })).toBe(true);
    expect(covers({}, { [field]: { a: 'b' } })).toBe(false);
    expect(covers({}, { [field]: '' })).toBe(false);
  });

  test.each([null, undefined, []])('%j is as good as no value, whichever side has it', (nothing) => {
    expect(covers({ list: nothing }, { list: [] })).toBe(true);
    expect(covers({ list: nothing }, { list: null })).toBe(true);
    expect(covers({ list: nothing }, { list: ['a'] })).toBe(false);
    expect(covers({ list: ['a'] }, { list: nothing })).toBe(false);
  });

  test.each([
    'requests',
    'limits',
    'capacity',
    'hard',
    'overhead',
    'podFixed',
    'min',
    'max',
    'default',
    'defaultRequest',
    'maxLimitRequestRatio',
  ])('values of %s are quantities', (field) => {
    expect(covers({ [field]: { cpu: '1' } }, { [field]: { cpu: '1000m' } })).toBe(true);
    expect(covers({ [field]: { cpu: 1 } }, { [field]: { cpu: '1' } })).toBe(true);
    expect(covers({ [field]: { cpu: '1' } }, { [field]: { cpu: '2' } })).toBe(false);
  });

  test.each([
    ['sizeLimit', '1Gi', '1024Mi'],
    ['divisor', '1', '1000m'],
    ['storage', '1Gi', '1024Mi'],
    ['averageValue', '1', '1000m'],
  ])('%s is a quantity', (field, one, other) => {
    expect(covers({ [field]: one }, { [field]: other })).toBe(true);
    expect(covers({ [field]: one }, { [field]: '7' })).toBe(false);
  });

  test.each(['target', 'current'])('the value of a %s is a quantity, and nothing else in it', (field) => {
    expect(covers({ [field]: { value: '1' } }, { [field]: { value: '1000m' } })).toBe(true);
    expect(covers({ [field]: { type: '1' } }, { [field]: { type: '1000m' } })).toBe(false);
  });

  test.each([
    ['1', 'much'],
    ['much', '1'],
    ['much', 'more'],
    [true, '1'],
    ['1', true],
    [false, true],
  ])('%j and %j are no two spellings of a quantity', (live, desired) => {
    expect(covers({ limits: { cpu: live } }, { limits: { cpu: desired } })).toBe(false);
  });
});

describe('hasSameContent', () => {
  const object = {
    apiVersion: 'v1',
    kind: 'A',
    metadata: { name: 'a', resourceVersion: '1', generation: 1, managedFields: [{ manager: 'a' }] },
    spec: { a: [1, { b: 2 }] },
    status: { x: 1 },
  };

  test('status and bookkeeping do not count', () => {
    const later = { ...object, metadata: { ...object.metadata, resourceVersion: '2', generation: 2, managedFields: [] }, status: { x: 2 } };
    expect(hasSameContent(object, later)).toBe(true);
    const { status: _, ...without } = object;
    expect(hasSameContent(object, without)).toBe(true);
  });

  test('a field without a value is as good as none', () => {
    const { name, ...bookkeeping } = object.metadata;
    const spelled = { ...object, data: undefined, metadata: { ...bookkeeping, labels: undefined, name } };
    expect(hasSameContent(object, spelled)).toBe(true);
    expect(hasSameContent(spelled, object)).toBe(true);
  });

  test.each([
    { ...object, spec: { a: [1, { b: 3 }] } },
    { ...object, metadata: { ...object.metadata, labels: { a: 'b' } } },
    { ...object, data: {} },
    { ...object, spec: undefined, data: object.spec },
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

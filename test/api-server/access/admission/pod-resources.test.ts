import {
  claimClass,
  heldByStatus,
  type PodResourcesOptions,
  podResources,
  quantityOf,
  resourceListOf,
  sumOf,
  textsOf,
} from '../../../../src/api-server/access/admission/pod-resources/index.js';
import type { Pod } from '../../../../src/kubernetes/kinds/index.js';

const container = (name: string, cpu: string, more: object = {}): object => ({ name, resources: { requests: { cpu } }, ...more });
const asked = (spec: object, options: Partial<PodResourcesOptions> = {}, part: 'limits' | 'requests' = 'requests'): object =>
  textsOf(podResources(spec as Pod['spec'], part, { isPodLevel: () => true, ...options }));

test('containers run side by side, and init containers in turn before them', () => {
  const spec = { initContainers: [container('i', '3'), container('j', '1')], containers: [container('a', '1'), container('b', '1500m')] };
  expect(asked(spec)).toEqual({ cpu: '3' });
  expect(asked({ ...spec, containers: [...spec.containers, container('c', '1')] })).toEqual({ cpu: '3500m' });
});

test('a sidecar runs beside the init containers that come after it, and beside all containers', () => {
  const sidecar = container('s', '1', { restartPolicy: 'Always' });
  const containers = [container('a', '1')];
  expect(asked({ initContainers: [container('i', '2'), sidecar], containers })).toEqual({ cpu: '2' });
  expect(asked({ initContainers: [sidecar, container('i', '2')], containers })).toEqual({ cpu: '3' });
});

test('the amount of the pod itself takes the place of the sum, where it counts', () => {
  const spec = { resources: { requests: { cpu: '5', memory: '1Gi' } }, containers: [container('a', '1')] };
  expect(asked(spec)).toEqual({ cpu: '5', memory: '1Gi' });
  expect(asked(spec, { isPodLevel: (name) => name === 'memory' })).toEqual({ cpu: '1', memory: '1Gi' });
});

test('overhead is added to what is requested, and to limits only where there are some', () => {
  const limits = { memory: '1Gi', 'example.com/gpu': '0' };
  const overhead = { cpu: '250m', memory: '1Gi', 'example.com/gpu': '1' };
  const spec = { overhead, containers: [{ name: 'a', resources: { requests: { cpu: '1' }, limits } }] };
  expect(asked(spec)).toEqual({ cpu: '1' });
  expect(asked(spec, { withOverhead: true })).toEqual({ cpu: '1250m', memory: '1Gi', 'example.com/gpu': '1' });
  expect(asked(spec, { withOverhead: true }, 'limits')).toEqual({ memory: '2Gi', 'example.com/gpu': '0' });
});

test('a container that is being resized holds the larger of what it has and wants; after a refusal of the node what it has', () => {
  const spec = { containers: [container('a', '2'), container('b', '1')] };
  const status = { containerStatuses: [{ name: 'a', resources: { requests: { cpu: '1' } }, allocatedResources: { cpu: '1500m' } }] };
  const pod = (conditions: readonly object[]): Pod => ({ spec, status: { ...status, conditions } }) as unknown as Pod;
  const pending = (reason: string): Pod => pod([{ type: 'PodResizePending', reason }]);
  expect(asked(spec, { held: heldByStatus(pod([])) })).toEqual({ cpu: '3' });
  expect(asked(spec, { held: heldByStatus(pending('Deferred')) })).toEqual({ cpu: '3' });
  expect(asked(spec, { held: heldByStatus(pending('Infeasible')) })).toEqual({ cpu: '2500m' });
});

test('lists are added name by name and written in the order of their names', () => {
  const sum = sumOf(resourceListOf({ memory: '512Mi', cpu: 1 }), resourceListOf({ memory: '512Mi', pods: '3' }));
  expect(JSON.stringify(textsOf(sum))).toBe('{"cpu":"1","memory":"1Gi","pods":"3"}');
  expect(resourceListOf().size).toBe(0);
});

test('a quantity that cannot be read was not decoded, and is a bug', () => {
  expect(() => quantityOf('many')).toThrow('many in an object that was decoded is not a quantity');
});

test('a claim names its class in the old annotation, or else in its field', () => {
  const claim = (annotation: string | undefined, storageClassName: string | undefined): string =>
    claimClass({
      metadata: { annotations: annotation === undefined ? {} : { 'volume.beta.kubernetes.io/storage-class': annotation } },
      spec: { storageClassName },
    } as never);
  expect([claim('a', 'b'), claim(undefined, 'b'), claim(undefined, undefined), claim('', 'b')]).toEqual(['a', 'b', '', '']);
});

import { limitRanger } from '../../../../src/api-server/access/admission/limit-ranger/index.js';
import type { AdmissionRequest, JsonObject } from '../../../../src/api-server/contract/index.js';
import type { Json } from '../../../../src/kubernetes/apimachinery/index.js';
import { builtinRequest, podOf, refusalOf, roundOf, type World, world } from './surroundings.js';

type Fields = Readonly<Record<string, Json>>;

function within(...ranges: readonly (readonly Fields[])[]): World {
  const made = world();
  made.objects.set(
    'limitranges',
    ranges.map((limits, index) => ({ metadata: { name: `range-${index}` }, spec: { limits } })),
  );
  return made;
}

const container = (name: string, requests: Fields, limits: Fields = {}): Fields => ({ name, image: 'i', resources: { requests, limits } });

const mutated = (inside: World, object: JsonObject): JsonObject =>
  limitRanger(inside.cluster).mutate?.(builtinRequest(inside, 'pods', { object }), roundOf()) as JsonObject;

const refusal = (inside: World, plural: string, fields: Partial<AdmissionRequest>): Promise<string | undefined> =>
  refusalOf(() => limitRanger(inside.cluster).validate?.(builtinRequest(inside, plural, fields)));

test('containers get what they do not name, and an annotation tells of it', () => {
  const inside = within([{ type: 'Container', default: { cpu: '1', memory: '1Gi' }, defaultRequest: { cpu: '100m' } }]);
  const pod = podOf({ containers: [container('a', {}), container('b', { cpu: '2' }, { cpu: '2', memory: '2Gi' })] });
  expect(mutated(inside, pod)).toMatchObject({
    metadata: {
      annotations: {
        'kubernetes.io/limit-ranger': 'LimitRanger plugin set: cpu request for container a; cpu, memory limit for container a',
      },
    },
    spec: {
      containers: [
        { name: 'a', resources: { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '100m' } } },
        { name: 'b', resources: { limits: { cpu: '2', memory: '2Gi' }, requests: { cpu: '2' } } },
      ],
    },
  });
});

test('a pod that names everything is handed on as it is', () => {
  const inside = within([{ type: 'Container', default: { cpu: '1' } }]);
  const pod = podOf({ containers: [container('a', {}, { cpu: '2' })] });
  expect(mutated(inside, pod)).toBe(pod);
});

test.each([
  ['min', { cpu: '1' }, {}, 'minimum cpu usage per Container is 1.  No request is specified'],
  ['min', { cpu: '1' }, { requests: { cpu: '999m' } }, 'minimum cpu usage per Container is 1, but request is 999m'],
  ['min', { cpu: '1' }, { requests: { cpu: '1' } }, undefined],
  ['max', { cpu: '1' }, {}, 'maximum cpu usage per Container is 1.  No limit is specified'],
  ['max', { cpu: '1' }, { limits: { cpu: '1001m' } }, 'maximum cpu usage per Container is 1, but limit is 1001m'],
  ['max', { cpu: '1' }, { limits: { cpu: '1' } }, undefined],
  [
    'maxLimitRequestRatio',
    { cpu: '2' },
    { requests: { cpu: '1' }, limits: { cpu: '3' } },
    'cpu max limit to request ratio per Container is 2, but provided ratio is 3.000000',
  ],
  ['maxLimitRequestRatio', { cpu: '2' }, { requests: { cpu: '1' }, limits: { cpu: '2' } }, undefined],
])('%s %j of a container with %j', async (bound, amounts, resources, text) => {
  const inside = within([{ type: 'Container', [bound]: amounts }]);
  const object = podOf({ containers: [{ name: 'c', image: 'i', resources }] });
  expect(await refusal(inside, 'pods', { object })).toBe(text === undefined ? undefined : `pods "one" is forbidden: ${text}`);
});

test('of a pod the sum counts, and init containers only as long as they run', async () => {
  const inside = within([{ type: 'Pod', max: { cpu: '2' } }]);
  const init = [container('i', {}, { cpu: '2' })];
  const sum = (...limits: string[]) => ({
    object: podOf({ initContainers: init, containers: limits.map((cpu) => container(`c${cpu}`, {}, { cpu })) }),
  });
  expect(await refusal(inside, 'pods', sum('1', '1'))).toBeUndefined();
  expect(await refusal(inside, 'pods', sum('1', '1001m'))).toBe(
    'pods "one" is forbidden: maximum cpu usage per Pod is 2, but limit is 2001m',
  );
});

test('several mistakes are told together, of one LimitRange', async () => {
  const inside = within([{ type: 'Container', min: { cpu: '1', memory: '1Gi' } }], [{ type: 'Pod', min: { cpu: '5' } }]);
  expect(await refusal(inside, 'pods', { object: podOf({ containers: [container('c', {})] }) })).toBe(
    'pods "one" is forbidden: [minimum cpu usage per Container is 1.  No request is specified, minimum memory usage per Container is 1Gi.  No request is specified]',
  );
});

test('a claim has requests alone, and is bound when it changes too', async () => {
  const inside = within([{ type: 'PersistentVolumeClaim', max: { storage: '1Gi' } }]);
  const object = { metadata: { name: 'one' }, spec: { resources: { requests: { storage: '2Gi' } } } };
  const text = 'persistentvolumeclaims "one" is forbidden: maximum storage usage per PersistentVolumeClaim is 1Gi, but request is 2Gi';
  expect(await refusal(inside, 'persistentvolumeclaims', { object })).toBe(text);
  expect(await refusal(inside, 'persistentvolumeclaims', { object, oldObject: object, operation: 'UPDATE' })).toBe(text);
  const going = { metadata: { name: 'one', deletionTimestamp: '2026-01-01T00:00:00Z' } };
  expect(await refusal(inside, 'persistentvolumeclaims', { object, oldObject: going, operation: 'UPDATE' })).toBeUndefined();
});

test('a pod that is there is bound when it is resized, and not else', async () => {
  const inside = within([{ type: 'Container', max: { cpu: '1' } }]);
  const object = podOf({ containers: [container('c', {}, { cpu: '2' })] });
  const change = { object, oldObject: object, operation: 'UPDATE' as const };
  expect(await refusal(inside, 'pods', change)).toBeUndefined();
  expect(await refusal(inside, 'pods', { ...change, subresource: 'resize' })).toContain('maximum cpu usage per Container is 1');
});

import { quotaUsage } from '../../../../src/api-server/access/admission/index.js';
import { resourceQuota } from '../../../../src/api-server/access/admission/resource-quota/index.js';
import type { AdmissionRequest, Api, JsonObject, RequestContext } from '../../../../src/api-server/contract/index.js';
import { StatusError } from '../../../../src/api-server/status/index.js';
import type { Json } from '../../../../src/kubernetes/apimachinery/index.js';
import { builtinRequest, podOf, refusalOf, requestIn, resource, type World, world } from './surroundings.js';

type Fields = Readonly<Record<string, Json>>;

interface Written {
  readonly status: { readonly used: Fields };
}

/** A namespace whose quotas are written as the API would; `refuse` says how often somebody else was quicker. */
function within(quotas: Readonly<Record<string, { readonly hard: Fields; readonly used: Fields; readonly spec?: Fields }>>, refuse = 0) {
  const made = world();
  const stored = Object.entries(quotas).map(([name, { hard, used, spec = {} }]) => ({
    metadata: { name, namespace: 'a' },
    spec: { hard, ...spec },
    status: { hard, used },
  }));
  made.objects.set('resourcequotas', stored as unknown as JsonObject[]);
  made.catalog.put(resource({ group: '', plural: 'resourcequotas', kind: 'ResourceQuota' }));
  let refusals = refuse;
  const writes: Written[] = [];
  const update = async ({ name, subresource }: { name: string; subresource: string }, { value }: { value: Json }): Promise<void> => {
    await Promise.resolve();
    expect(subresource).toBe('status');
    if (refusals-- > 0)
      throw new StatusError({ status: 'Failure', message: 'the object has been modified', reason: 'Conflict', code: 409 });
    writes.push(value as unknown as Written);
    const others = (made.objects.get('resourcequotas') ?? []).filter(({ metadata }) => (metadata as { name: string }).name !== name);
    made.objects.set('resourcequotas', [...others, value as JsonObject]);
  };
  const inside: World = { ...made, api: () => ({ update }) as unknown as Api, ownContext: () => ({}) as RequestContext };
  const plugin = resourceQuota(inside);
  const ask = (name: string, fields: Partial<AdmissionRequest> & { readonly isDryRun?: boolean }) => {
    const { isDryRun = false, ...rest } = fields;
    const request = builtinRequest(inside, name, rest);
    return refusalOf(() => plugin.validate?.({ ...request, context: { ...request.context, isDryRun } }));
  };
  return { inside, writes, ask, used: () => writes.at(-1)?.status.used };
}

const container = (requests: Fields): Fields => ({ name: 'c', image: 'i', resources: { requests } });
const pod = (requests: Fields, more: Fields = {}): JsonObject => ({
  ...podOf({ containers: [container(requests)], ...more }),
  status: { phase: 'Pending', qosClass: 'Burstable' },
});

test('what is used is charged before the write is made', async () => {
  const { ask, used } = within({ q: { hard: { pods: '2', 'requests.cpu': '1' }, used: { pods: '1', 'requests.cpu': '0' } } });
  expect(await ask('pods', { object: pod({ cpu: '1' }) })).toBeUndefined();
  expect(used()).toEqual({ pods: '2', 'requests.cpu': '1' });
  expect(await ask('pods', { object: pod({ cpu: '1m' }) })).toBe(
    'pods "one" is forbidden: exceeded quota: q, requested: pods=1,requests.cpu=1m, used: pods=2,requests.cpu=1, limited: pods=2,requests.cpu=1',
  );
});

test('a dry run is held to the quota and not charged', async () => {
  const { ask, writes } = within({
    q: { hard: { pods: '1' }, used: { pods: '0' } },
    r: { hard: { secrets: '0' }, used: { secrets: '0' } },
  });
  expect(await ask('pods', { object: pod({}), isDryRun: true })).toBeUndefined();
  expect(await ask('secrets', { object: { metadata: { name: 'one' } }, isDryRun: true })).toContain('exceeded quota: r');
  expect(writes).toEqual([]);
});

test.each([3, 4])('a charge is made anew when somebody was quicker, but not for ever (%i times)', async (times) => {
  const { ask, writes } = within({ q: { hard: { pods: '1' }, used: { pods: '0' } } }, times);
  expect(await ask('pods', { object: pod({}) })).toBe(times === 3 ? undefined : 'the object has been modified');
  expect(writes).toHaveLength(times === 3 ? 1 : 0);
});

test('who asks at the same time is charged one after the other', async () => {
  const { ask, used } = within({ q: { hard: { pods: '2' }, used: { pods: '0' } } });
  const answers = await Promise.all([1, 2, 3].map(() => ask('pods', { object: pod({}) })));
  expect(answers.filter((answer) => answer === undefined)).toHaveLength(2);
  expect(used()).toEqual({ pods: '2' });
});

test('a refusal does not keep the next from its turn', async () => {
  const { ask } = within({ q: { hard: { pods: '1', 'requests.cpu': '1' }, used: { pods: '0', 'requests.cpu': '0' } } });
  const answers = await Promise.all([ask('pods', { object: pod({ cpu: '2' }) }), ask('pods', { object: pod({ cpu: '1' }) })]);
  expect(answers).toEqual([expect.stringContaining('exceeded quota'), undefined]);
});

test('a quota that nobody has taken up limits nothing, one that is half counted everything', async () => {
  expect(await within({ q: { hard: {}, used: {} } }).ask('pods', { object: pod({}) })).toBeUndefined();
  expect(await within({ q: { hard: { pods: '1' }, used: {} } }).ask('pods', { object: pod({}) })).toBe(
    'pods "one" is forbidden: status unknown for quota: q, resources: pods',
  );
});

test('containers have to say what is counted, unless the pod does', async () => {
  const { ask } = within({ q: { hard: { cpu: '9', 'limits.memory': '9' }, used: { cpu: '0', 'limits.memory': '0' } } });
  expect(await ask('pods', { object: pod({ memory: '1' }) })).toBe(
    'pods "one" is forbidden: failed quota: q: must specify cpu for: c; limits.memory for: c',
  );
  expect(await ask('pods', { object: pod({}, { resources: { requests: { cpu: '1' } } }) })).toBeUndefined();
});

test('of a change only the growth is charged, and nothing is given back', async () => {
  const { ask, used, writes } = within({ q: { hard: { 'services.nodeports': '3' }, used: { 'services.nodeports': '2' } } });
  const service = (ports: number, type = 'NodePort'): JsonObject => ({
    metadata: { name: 'one', resourceVersion: '1' },
    spec: { type, ports: Array.from({ length: ports }, (_, port) => ({ port })) },
  });
  const change = (from: JsonObject, to: JsonObject) => ask('services', { operation: 'UPDATE', oldObject: from, object: to });
  expect(await change(service(2), service(3))).toBeUndefined();
  expect(used()).toEqual({ 'services.nodeports': '3' });
  expect(await change(service(3), service(1))).toBeUndefined();
  expect(await change(service(3), service(3, 'ClusterIP'))).toBeUndefined();
  expect(writes).toHaveLength(1);
  expect(await change(service(3, 'ClusterIP'), service(1))).toContain('requested: services.nodeports=1, used: services.nodeports=3');
});

test('an object that comes into a scope is charged as a whole', async () => {
  const { ask, used } = within({ q: { hard: { pods: '1' }, used: { pods: '0' }, spec: { scopes: ['Terminating'] } } });
  const change = (from: Fields, to: Fields) => ask('pods', { operation: 'UPDATE', oldObject: pod({}, from), object: pod({}, to) });
  expect(await change({ activeDeadlineSeconds: 9 }, { activeDeadlineSeconds: 5 })).toBeUndefined();
  expect(used()).toBeUndefined();
  expect(await change({}, { activeDeadlineSeconds: 5 })).toBeUndefined();
  expect(used()).toEqual({ pods: '1' });
  expect(await change({}, { activeDeadlineSeconds: 5 })).toContain('exceeded quota: q, requested: pods=1, used: pods=1');
});

test.each([
  ['BestEffort', {}, { status: { qosClass: 'BestEffort' } }, true],
  ['NotBestEffort', {}, {}, true],
  ['Terminating', {}, {}, false],
  ['Terminating', { activeDeadlineSeconds: 0 }, {}, true],
  ['NotTerminating', { activeDeadlineSeconds: 5 }, {}, false],
  ['PriorityClass', {}, {}, false],
  ['PriorityClass', { priorityClassName: 'x' }, {}, true],
  [
    'CrossNamespacePodAffinity',
    { affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'k' }] } } },
    {},
    false,
  ],
  [
    'CrossNamespacePodAffinity',
    {
      affinity: {
        podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: { namespaceSelector: {} } }] },
      },
    },
    {},
    true,
  ],
  ['VolumeAttributesClass', {}, {}, false],
])('scope %s, a pod with %j %j: %s', async (scope, spec, more, isCharged) => {
  const { ask, writes } = within({ q: { hard: { pods: '1' }, used: { pods: '0' }, spec: { scopes: [scope] } } });
  expect(await ask('pods', { object: { ...pod({}, spec), ...more } })).toBeUndefined();
  expect(writes).toHaveLength(isCharged ? 1 : 0);
});

test.each([
  ['In', ['x'], 'x', true],
  ['In', ['x'], undefined, false],
  ['NotIn', ['x'], undefined, true],
  ['NotIn', ['x'], 'x', false],
  ['Exists', [], 'x', true],
  ['DoesNotExist', [], undefined, true],
  ['DoesNotExist', [], 'x', false],
])('a selector of priority classes %s %j meets %s: %s', async (operator, values, name, isCharged) => {
  const scopeSelector = { matchExpressions: [{ scopeName: 'PriorityClass', operator, values }] };
  const { ask, writes } = within({ q: { hard: { pods: '1' }, used: { pods: '0' }, spec: { scopeSelector } } });
  await ask('pods', { object: pod({}, name === undefined ? {} : { priorityClassName: name }) });
  expect(writes).toHaveLength(isCharged ? 1 : 0);
});

test.each([['events'], ['events.events.k8s.io'], ['bindings']])('%s are not counted', async (name) => {
  const { ask, writes } = within({ q: { hard: { [`count/${name}`]: '0' }, used: { [`count/${name}`]: '0' } } });
  expect(await ask(name, { object: { metadata: { name: 'one' } } })).toBeUndefined();
  expect(writes).toEqual([]);
});

test('every resource can be counted by its name and group', async () => {
  const { ask, used } = within({ q: { hard: { 'count/widgets.example.com': '1' }, used: { 'count/widgets.example.com': '0' } } });
  const object = { metadata: { name: 'one' } };
  expect(await ask('widgets.example.com', { object, operation: 'UPDATE', oldObject: object })).toBeUndefined();
  expect(await ask('widgets.example.com', { object, subresource: 'status' })).toBeUndefined();
  expect(await ask('widgets.example.com', { object })).toBeUndefined();
  expect(used()).toEqual({ 'count/widgets.example.com': '1' });
  expect(await ask('widgets.example.com', { object })).toContain('widgets.example.com "one" is forbidden: exceeded quota: q');
});

describe('what is used by what is there', () => {
  const servedAs = (plural: string, group = '') => {
    const { served } = requestIn(world());
    return resource({ group, plural, versions: [{ ...served.version, verbs: ['create', 'list', 'watch', 'delete'] }] });
  };
  const counted = (plural: string, hard: Fields, objects: readonly JsonObject[], group = '') => {
    const inside = world();
    inside.objects.set(plural, [...objects]);
    const quota = { metadata: { name: 'q', namespace: 'a' }, spec: { hard: hard as Readonly<Record<string, string>> } };
    const surroundings = { cluster: inside.cluster, resources: [servedAs(plural, group)], now: Date.parse('2026-01-01T00:01:00Z') };
    return quotaUsage(quota as never, surroundings)?.used;
  };

  test('pods count for as long as they can run', () => {
    const going = (deletionTimestamp: string) => ({
      ...pod({ cpu: '1' }),
      metadata: { deletionTimestamp, deletionGracePeriodSeconds: 30 },
    });
    const objects = [
      pod({ cpu: '1' }),
      { ...pod({ cpu: '1' }), status: { phase: 'Succeeded' } },
      going('2026-01-01T00:00:29Z'),
      going('2026-01-01T00:00:30Z'),
    ];
    expect(counted('pods', { pods: '9', 'requests.cpu': '9', 'count/pods': '9' }, objects)).toEqual({
      'count/pods': '4',
      pods: '2',
      'requests.cpu': '2',
    });
  });

  test('overhead is part of a pod, and of its limits only where there are some', () => {
    const object = podOf({
      overhead: { cpu: '250m', memory: '1Mi' },
      containers: [{ name: 'c', resources: { requests: { cpu: '1' }, limits: { cpu: '1' } } }],
    });
    const hard = { 'requests.cpu': '9', 'requests.memory': '9Mi', 'limits.cpu': '9', 'limits.memory': '9Mi' };
    expect(counted('pods', hard, [object])).toEqual({
      'limits.cpu': '1250m',
      'limits.memory': '0',
      'requests.cpu': '1250m',
      'requests.memory': '1Mi',
    });
  });

  test('a pod that is being resized holds the larger of what it has and wants, until the node has refused', () => {
    const status = { containerStatuses: [{ name: 'c', resources: { requests: { cpu: '2' } }, allocatedResources: { cpu: '3' } }] };
    const of = (more: object) => counted('pods', { cpu: '9' }, [{ ...pod({ cpu: '4' }), status: { ...status, ...more } }]);
    expect(of({})).toEqual({ cpu: '4' });
    expect(of({ conditions: [{ type: 'PodResizePending', reason: 'Infeasible' }] })).toEqual({ cpu: '3' });
  });

  test('claims count by their class too, in whole bytes, and by what they are growing to', () => {
    const claim = (storage: string, allocated?: string): JsonObject => ({
      metadata: { annotations: { 'volume.beta.kubernetes.io/storage-class': 'gold' } },
      spec: { resources: { requests: { storage } } },
      status: allocated === undefined ? {} : { allocatedResources: { storage: allocated } },
    });
    const hard = {
      'requests.storage': '9Gi',
      'gold.storageclass.storage.k8s.io/persistentvolumeclaims': '9',
      'other.storageclass.storage.k8s.io/requests.storage': '9',
    };
    expect(counted('persistentvolumeclaims', hard, [claim('1500m'), claim('1', '10')])).toEqual({
      'gold.storageclass.storage.k8s.io/persistentvolumeclaims': '2',
      'other.storageclass.storage.k8s.io/requests.storage': '0',
      'requests.storage': '12',
    });
  });

  test('of devices the dearest alternative counts, for each class', () => {
    const request = {
      name: 'r',
      firstAvailable: [
        { deviceClassName: 'x', allocationMode: 'ExactCount', count: 2 },
        { deviceClassName: 'x', allocationMode: 'ExactCount', count: 5 },
        { deviceClassName: 'y', allocationMode: 'All' },
      ],
    };
    const exact = { name: 's', exactly: { deviceClassName: 'x', allocationMode: 'ExactCount', count: 1 } };
    const hard = {
      'x.deviceclass.resource.k8s.io/devices': '9',
      'y.deviceclass.resource.k8s.io/devices': '99',
      'count/resourceclaims.resource.k8s.io': '9',
    };
    expect(counted('resourceclaims', hard, [{ spec: { devices: { requests: [request, exact] } } }], 'resource.k8s.io')).toEqual({
      'count/resourceclaims.resource.k8s.io': '1',
      'x.deviceclass.resource.k8s.io/devices': '6',
      'y.deviceclass.resource.k8s.io/devices': '32',
    });
  });

  test('where the status says it already there is nothing to write', () => {
    const inside = world();
    const status = { hard: { pods: '1' }, used: { pods: '0' } };
    const quota = { metadata: { name: 'q' }, spec: { hard: { pods: '1' } }, status };
    expect(quotaUsage(quota as never, { cluster: inside.cluster, resources: [servedAs('pods')], now: 0 })).toBeUndefined();
  });
});

import { mergePatch } from '@keelson/testing';
import { ConfigMap, Pod, Secret, StatefulSet } from 'keelson/kinds';
import { Prometheus } from './kinds.js';
import { monitor, OF_TEAM_A, rule, World } from './prometheus-world.js';

let world: World;
beforeEach(async () => {
  world = await World.start();
});
afterEach(() => world.close());

const recreations = () => world.metric('prometheus_operator_statefulset_recreations_total');
const claimOf = (storage: string) => ({
  storage: { volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce' as const], resources: { requests: { storage } } } } },
});

/** Names of the StatefulSets that were deleted in the foreground since, once `act` is done: the garbage collector takes their Pods first. */
async function deletedInForeground(act: () => Promise<void>): Promise<string[]> {
  const stop = new AbortController();
  const seen = new Set<string>();
  const stream = await world.cluster.watch(StatefulSet, { namespace: 'shop', signal: stop.signal });
  const followed = (async () => {
    for await (const event of stream)
      if (event.type !== 'BOOKMARK' && event.object.metadata.finalizers?.includes('foregroundDeletion'))
        seen.add(event.object.metadata.name);
  })().catch((error: unknown) => {
    if (!stop.signal.aborted) throw error;
  });
  await act();
  await world.cluster.settled();
  stop.abort();
  await followed;
  return [...seen].sort();
}

test('2D-6 an edit of what the operator states is taken back; labels and annotations of others stay', async () => {
  const { cluster } = world;
  await world.createPrometheus();
  const metadata = { labels: { mine: '1' }, annotations: { mine: '2' } };
  await cluster.patch(
    StatefulSet,
    'prometheus-main',
    mergePatch({ metadata, spec: { replicas: 5, template: { spec: { terminationGracePeriodSeconds: 1 } } } }),
  );
  await cluster.settled();
  expect(await cluster.get(StatefulSet, 'prometheus-main')).toMatchObject({
    metadata,
    spec: { replicas: 1, template: { spec: { terminationGracePeriodSeconds: 600 } } },
  });
});

test('2D-7 replicas follow the spec, down to none; below 0 means 1', async () => {
  await world.createPrometheus();
  for (const [replicas, wanted] of [
    [3, 3],
    [0, 0],
    [-2, 1],
  ] as const) {
    await world.change({ spec: { replicas } });
    expect(await world.cluster.get(StatefulSet, 'prometheus-main')).toMatchObject({ spec: { replicas: wanted } });
    expect((await world.cluster.get(Prometheus, 'main')).status).toMatchObject({
      replicas: wanted,
      availableReplicas: wanted,
      unavailableReplicas: 0,
    });
    expect(await world.condition('Available')).toBe('True AllPodsReady');
  }
});

test('2D-8 shards get StatefulSets, and lose them in the foreground; kubectl scale reads and writes their number', async () => {
  const { cluster } = world;
  await world.create(monitor('web'));
  await world.createPrometheus();
  await cluster.client.subresource(Prometheus, 'scale').patch({ name: 'main', namespace: 'shop' }, mergePatch({ spec: { replicas: 3 } }));
  await cluster.settled();
  expect(await world.setNames()).toEqual(['prometheus-main', 'prometheus-main-shard-1', 'prometheus-main-shard-2']);
  const scale = await cluster.client.subresource(Prometheus, 'scale').get({ name: 'main', namespace: 'shop' });
  expect(scale).toMatchObject({ spec: { replicas: 3 }, status: { replicas: 3, selector: expect.stringContaining('prometheus=main') } });
  const { mark } = cluster.requests;
  const removed = await deletedInForeground(() => world.change({ spec: { shards: 1 } }));
  expect(removed).toEqual(['prometheus-main-shard-1', 'prometheus-main-shard-2']);
  expect(await world.setNames()).toEqual(['prometheus-main']);
  expect(
    world
      .writesSince(mark)
      .filter((write) => write.startsWith('delete'))
      .sort(),
  ).toEqual(['delete statefulsets prometheus-main-shard-1', 'delete statefulsets prometheus-main-shard-2']);
  expect(await world.config()).toContain('modulus: 1');
});

// #region immutable
test('2D-9 another claim template: the StatefulSet is deleted once and made once, and the counter says so', async () => {
  const { cluster } = world;
  await world.createPrometheus({ ...OF_TEAM_A, ...claimOf('1Gi') });
  const { metadata } = await cluster.get(StatefulSet, 'prometheus-main');
  const { mark } = cluster.requests;
  expect(await deletedInForeground(() => world.change({ spec: claimOf('2Gi') }))).toEqual(['prometheus-main']);
  await world.pass('1m');
  const after = await cluster.get(StatefulSet, 'prometheus-main');
  expect(after.metadata.uid).not.toBe(metadata.uid);
  expect(after.spec?.volumeClaimTemplates?.[0]?.spec?.resources?.requests).toEqual({ storage: '2Gi' });
  expect(world.writesSince(mark).filter((write) => write.startsWith('delete'))).toEqual(['delete statefulsets prometheus-main']);
  expect(await recreations()).toBe(1);
  expect(await world.condition('Reconciled')).toMatch(/^True/);
});

test('2D-10 while that deletion waits nothing is made or changed, and nothing fails', async () => {
  const { cluster } = world;
  await world.createPrometheus({ ...OF_TEAM_A, ...claimOf('1Gi') });
  await cluster.patch(StatefulSet, 'prometheus-main', mergePatch({ metadata: { finalizers: ['example.com/hold'] } }));
  await world.change({ spec: claimOf('2Gi') });
  expect((await cluster.get(StatefulSet, 'prometheus-main')).metadata.deletionTimestamp).toBeDefined();
  const { mark } = cluster.requests;
  await world.create(monitor('web'));
  await world.change({ spec: { replicas: 2 } });
  for (let minute = 0; minute < 3; minute++) await world.pass('1m');
  expect(world.writesSince(mark).filter((write) => write.includes('statefulsets'))).toEqual([]);
  expect(await world.metric('controller_runtime_reconcile_errors_total')).toBe(0);
  await cluster.patch(StatefulSet, 'prometheus-main', mergePatch({ metadata: { finalizers: null } }));
  await cluster.settled();
  expect(await cluster.get(StatefulSet, 'prometheus-main')).toMatchObject({ spec: { replicas: 2 } });
  expect(await recreations()).toBe(1);
});
// #endregion

test('2D-11 paused: only the status is written; then all that was missed is done', async () => {
  const { cluster } = world;
  await world.createPrometheus();
  await world.change({ spec: { paused: true } });
  const { mark } = cluster.requests;
  await world.create(monitor('web'), rule('down'));
  await world.change({ spec: { replicas: 2 } });
  await cluster.pods.setReady('prometheus-main-0', false);
  await cluster.settled();
  expect(new Set(world.writesSince(mark))).toEqual(new Set(['patch prometheuses/status main']));
  expect((await cluster.get(Prometheus, 'main')).status).toMatchObject({ paused: true, availableReplicas: 0 });
  await world.change({ spec: { paused: false } });
  expect(await world.jobs()).toEqual(['serviceMonitor/shop/web/0']);
  expect(await cluster.get(StatefulSet, 'prometheus-main')).toMatchObject({ spec: { replicas: 2 } });
  expect((await cluster.get(Prometheus, 'main')).status).toMatchObject({ paused: false });
});

test('2D-12 a Prometheus that is deleted leaves nothing', async () => {
  const { cluster } = world;
  await world.create(monitor('web'), rule('down'));
  await world.createPrometheus({ ...OF_TEAM_A, shards: 2 });
  await cluster.delete(Prometheus, 'main');
  await cluster.settled();
  const labels = { prometheus: 'main' };
  for (const kind of [StatefulSet, ConfigMap, Secret, Pod] as const) expect(await cluster.list(kind as typeof Pod, { labels })).toEqual([]);
});

// #region available
test('2D-13 Available says how many Pods serve, and what keeps the others', async () => {
  const { cluster } = world;
  const held = cluster.pods.holdBack('prometheus-main-*');
  await world.createPrometheus({ ...OF_TEAM_A, replicas: 2 });
  expect(await world.condition('Available')).toMatch(
    /^False NoPodReady: shard 0: pod prometheus-main-0: .+\nshard 0: pod prometheus-main-1: .+$/,
  );
  held.release();
  await cluster.settled();
  expect(await world.condition('Available')).toBe('True AllPodsReady');
  await cluster.pods.setReady('prometheus-main-1', false);
  await cluster.settled();
  expect(await world.condition('Available')).toMatch(/^Unknown SomePodsNotReady: shard 0: pod prometheus-main-1: /);
  expect(await world.condition('Ready')).toBe('False RollingOut');
});
// #endregion

test('2D-14 a spec that the API server refuses is told in Reconciled, and so is its end; the time moves with the status alone', async () => {
  const { cluster } = world;
  await world.createPrometheus();
  const since = async () =>
    (await cluster.get(Prometheus, 'main')).status?.conditions?.find(({ type }) => type === 'Reconciled')?.lastTransitionTime;
  await world.pass('10s');
  await world.change({ spec: { podMetadata: { labels: { bad: 'not a value!' } } } });
  expect(await world.condition('Reconciled')).toMatch(/^False ReconciliationFailed: PATCH .*not a value!/);
  const failed = await since();
  await world.pass('1m');
  expect(await since()).toBe(failed);
  await world.change({ spec: { podMetadata: { labels: { bad: 'good' } } } });
  expect(await world.condition('Reconciled')).toMatch(/^True/);
  expect(await since()).not.toBe(failed);
});

test('2D-15 a status of the StatefulSet that changes has the status written, and nothing else', async () => {
  await world.create(monitor('web'), rule('down'));
  await world.createPrometheus();
  const { mark } = world.cluster.requests;
  await world.cluster.pods.setReady('prometheus-main-0', false);
  await world.cluster.settled();
  expect(new Set(world.writesSince(mark))).toEqual(new Set(['patch prometheuses/status main']));
});

describe('2D-21 Pods of an older revision that are not ready keep a rollout from going on', () => {
  const PODS = ['prometheus-main-0', 'prometheus-main-1'];
  async function stuckWith(repairPolicy: 'none' | 'evict' | 'delete'): Promise<readonly string[]> {
    await world.restart({ repairPolicy });
    await world.createPrometheus({ ...OF_TEAM_A, replicas: 2, podManagementPolicy: 'OrderedReady' });
    for (const pod of PODS) await world.cluster.pods.setReady(pod, false);
    await world.cluster.settled();
    const { mark } = world.cluster.requests;
    await world.change({ spec: { retention: '3d' } });
    for (let minute = 0; minute < 3; minute++) await world.pass('1m');
    return world.writesSince(mark).filter((write) => write.includes(' pods'));
  }
  const repaired = async () =>
    (await Promise.all(PODS.map(async (pod) => world.cluster.get(Pod, pod)))).map((pod) => pod.spec?.containers[0]?.args ?? []);

  test.each([
    ['evict', PODS.map((pod) => `create pods/eviction ${pod}`)],
    ['delete', PODS.map((pod) => `delete pods ${pod}`)],
  ] as const)('%s: one in each pass goes, and the rollout goes on', async (policy, wanted) => {
    expect(await stuckWith(policy)).toEqual(wanted);
    for (const args of await repaired()) expect(args).toContain('--storage.tsdb.retention.time=3d');
    expect(await world.condition('Ready')).toBe('True RolledOut');
    await world.cluster.until(async () => {
      // An event that was refused once is written again after a pause.
      world.cluster.clock.advance('10s');
      expect(await world.eventsAbout('Prometheus', 'main', 'RepairedPod')).toHaveLength(2);
    });
  });

  test('none: they stay', async () => {
    expect(await stuckWith('none')).toEqual([]);
    for (const args of await repaired()) expect(args).not.toContain('--storage.tsdb.retention.time=3d');
  });
});

test('2D-23 a restart writes nothing; an operator with another image of the reloader changes the StatefulSet alone', async () => {
  const { cluster } = world;
  await world.create(monitor('web'), rule('down'));
  await world.createPrometheus();
  const { mark } = cluster.requests;
  await world.restart();
  await world.restart({ repairPolicy: 'evict' });
  expect(world.writesSince(mark)).toEqual([]);
  // The rollout shows in the status where the operator sees it under way: the new Pod is not ready before.
  const held = cluster.pods.holdBack({ image: 'example.com/reloader:2' });
  await world.restart({ configReloaderImage: 'example.com/reloader:2' });
  held.release();
  await cluster.settled();
  const writes = new Set(world.writesSince(mark));
  expect(writes).toEqual(new Set(['patch statefulsets prometheus-main', 'patch prometheuses/status main']));
});

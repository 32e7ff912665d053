import { EtcdCluster } from '../../examples/etcd/cluster/etcd-cluster.js';
import { Load, STANDSTILL_MS } from './examples-etcd/load.js';
import type { Entry, MemberWatch } from './examples-etcd/membership/index.js';
import { OperatorWorld } from './examples-etcd/operator-pods/operator-world.js';
import { programsBeside } from './examples-etcd/real-world.js';
import { describeCluster } from './harness/index.js';

describeCluster('2A-34 etcd operators that are processes of Pods', (real) => {
  let world: OperatorWorld;
  let load: Load;
  let watch: MemberWatch;
  /** Decides what becomes of a process that has told of this. */
  let heard: (entry: Entry) => Promise<void> = async () => undefined;
  beforeAll(async () => {
    const { etcd36 } = programsBeside(real.connection.kubectl, '');
    world = await OperatorWorld.open(etcd36, (entry) => heard(entry));
    await world.startReplica('first');
    await world.startReplica('second');
    await world.cluster.create(EtcdCluster({ metadata: { name: 'ring' }, spec: { size: 1, version: '3.6.16' } }));
    await ready(1);
    load = new Load(world.etcd, () => world.targetOf('ring'), { pauseMs: 20 });
    watch = world.watch('ring');
  });
  afterAll(async () => {
    await load?.stop();
    await watch?.stop();
    await world?.close();
  });

  const ready = (size: number) =>
    world.cluster.until(
      EtcdCluster,
      'ring',
      ({ status, metadata }) =>
        status?.members?.ready?.length === size &&
        status.conditions?.some(
          ({ type, status: is, observedGeneration }) => type === 'Ready' && is === 'True' && observedGeneration === metadata.generation,
        ) === true,
    );

  /** The process that does this next is killed at that moment. @returns when it is dead */
  const killAt = (isMoment: (entry: Entry) => boolean): Promise<void> =>
    new Promise((resolve, reject) => {
      heard = async (entry) => {
        if (entry.what === 'was killed' || !isMoment(entry)) return;
        heard = async () => undefined;
        await world.kill(entry).then(resolve, reject);
      };
    });

  async function wholesome(): Promise<void> {
    expect(await load.lost()).toEqual([]);
    expect(watch.problems).toEqual([]);
    expect(watch.clusterIds.size).toBe(1);
  }

  test.each<[string, string, number, (entry: Entry) => boolean]>([
    ['2A-34', 'before it has asked for a member', 2, (entry) => entry.what === 'begins' && entry.change === 'addLearner'],
    ['2A-16 2A-18', 'when a member is added, and it has not heard of it', 3, (entry) => entry.what === 'ends' && entry.outcome === 'done'],
  ])('%s the leader is killed by SIGKILL %s: another process goes on', async (_points, _when, size, isMoment) => {
    load.takeLongestMs();
    const killed = killAt(isMoment);
    await world.change({ size });
    await killed;
    const { status } = await ready(size);
    expect(status?.size).toBe(size);
    // A learner takes no quorum: writes go on, whoever is to start it.
    expect(load.takeLongestMs()).toBeLessThan(STANDSTILL_MS);
    await wholesome();
  });

  test('2A-17 it is killed when a member is removed, and no change comes twice', async () => {
    const killed = killAt((entry) => entry.what === 'ends' && entry.outcome === 'done');
    await world.change({ size: 2 });
    await killed;
    await ready(2);
    await wholesome();
    world.cluster.requests.expectNoneDenied();
  });
});

import { isConflict } from '@keelson/runtime';
import { EtcdCluster } from '../../examples/etcd/cluster/etcd-cluster.js';
import { findTool } from '../../scripts/cluster/go-tool.js';
import { Load } from './examples-etcd/load.js';
import type { MemberWatch } from './examples-etcd/membership/index.js';
import { LEASE, programsBeside, RealWorld } from './examples-etcd/real-world.js';
import { describeCluster } from './harness/index.js';

const older = findTool('etcd-3.5');
if (!older.found && process.env['CI'] !== undefined) throw new Error(older.reason);
const reason = older.found ? '' : ` [skipped: ${older.reason}]`;

/** A world with a load and a watcher of the members of the cluster `ring`. */
class Watched {
  readonly world: RealWorld;
  readonly #load: Load;
  readonly #watch: MemberWatch;

  constructor(world: RealWorld) {
    this.world = world;
    this.#load = new Load(world.etcd, () => world.targetOf('ring'));
    this.#watch = world.watch('ring');
  }

  /** No acknowledged write is lost, and the list was changed one step at a time. */
  async wholesome(): Promise<void> {
    expect(await this.#load.lost()).toEqual([]);
    expect(this.#watch.problems).toEqual([]);
    expect(this.#watch.clusterIds.size).toBe(1);
  }

  takeLongestMs(): number {
    return this.#load.takeLongestMs();
  }

  async close(): Promise<void> {
    await this.#load.stop();
    await this.#watch.stop();
    await this.world.close();
  }
}

(older.found ? describe : describe.skip)(`changes amid others, of real members of etcd${reason}`, () => {
  describeCluster('one operator', (real) => {
    let world: RealWorld;
    let watched: Watched | undefined;
    beforeAll(async () => {
      world = await RealWorld.open(programsBeside(real.connection.kubectl, older.found ? older.path : ''));
      watched = new Watched(world);
      await world.create('ring', { size: 3, version: '3.5.35' });
      await world.ready('ring');
    });
    afterAll(() => watched?.close());
    const upgraded = async (): Promise<number> =>
      (await world.podsOf('ring')).filter(({ metadata }) => metadata.annotations?.['etcd.version'] === '3.6.16').length;

    test('2A-27 amid an upgrade the version goes back and the size grows, then it is upgraded after all', async () => {
      watched?.takeLongestMs();
      await world.change('ring', { version: '3.6.16' });
      await world.cluster.until(async () => (await upgraded()) === 1);
      await world.change('ring', { version: '3.5.35', size: 4 });
      const back = await world.ready('ring');
      expect(back.status).toMatchObject({ size: 4, currentVersion: '3.5.35' });
      expect(await upgraded()).toBe(0);
      await world.change('ring', { version: '3.6.16' });
      await world.cluster.until(async () => (await upgraded()) === 2);
      await world.change('ring', { size: 3 });
      const { status } = await world.ready('ring');
      expect(status).toMatchObject({ size: 3, currentVersion: '3.6.16' });
      expect(watched?.takeLongestMs()).toBeLessThan(5_000);
      await watched?.wholesome();
    });

    test('2A-36 somebody edits the object all the while: no edit is lost, and the status converges', async () => {
      let isDone = false;
      const conflicts = { count: 0 };
      /** Reads, changes, and writes the whole object, its status included, as clients without patches do. */
      const edit = async (round: number): Promise<void> => {
        for (;;) {
          const current = await world.cluster.get(EtcdCluster, 'ring');
          const annotations = { ...current.metadata.annotations, round: `${round}` };
          const size = round % 10 === 0 ? ((round / 10) % 2 === 0 ? 3 : 4) : current.spec.size;
          try {
            await world.cluster.update(EtcdCluster, {
              ...current,
              metadata: { ...current.metadata, annotations },
              spec: { ...current.spec, size },
            });
            return;
          } catch (error) {
            if (!isConflict(error)) throw error;
            conflicts.count += 1;
          }
        }
      };
      let round = 0;
      const editing = (async () => {
        while (!isDone) {
          round += 1;
          await edit(round);
        }
      })();
      for (const rounds of [50, 100, 150, 200]) await world.cluster.until(() => round >= rounds);
      await world.cluster.until(async () => (await world.podsOf('ring')).length >= 3);
      isDone = true;
      await editing;
      const last = await world.cluster.get(EtcdCluster, 'ring');
      // Otherwise the operator never wrote between a read and a write of the editor.
      expect(conflicts.count).toBeGreaterThan(0);
      expect(last.metadata.annotations?.['round']).toBe(`${round}`);
      expect(last.spec.size).toBe(Math.floor(round / 10) % 2 === 0 ? 3 : 4);
      const { status } = await world.ready('ring');
      expect(status?.size).toBe(last.spec.size);
      await watched?.wholesome();
      world.cluster.requests.expectNoneDenied();
    });
  });

  describeCluster('members that hang or die early', (real) => {
    let world: RealWorld;
    let watch: MemberWatch | undefined;
    beforeAll(async () => {
      world = await RealWorld.open(programsBeside(real.connection.kubectl, older.found ? older.path : ''));
    });
    afterAll(async () => {
      await watch?.stop();
      await world?.close();
    });

    test('2A-13 the first member is killed before it is ready: the same cluster comes up, and no second one', async () => {
      await world.create('ring', { size: 1 });
      watch = world.watch('ring');
      await world.cluster.until(async () => {
        const [pod] = await world.podsOf('ring');
        const container = pod?.status?.containerStatuses?.[0];
        expect(container?.ready ?? false).toBe(false);
        return container?.state?.running !== undefined;
      });
      const [pod] = await world.podsOf('ring');
      await world.cluster.pods.signal(pod?.metadata.name ?? '', 'SIGKILL');
      await world.ready('ring');
      const [seed, ...others] = await world.podsOf('ring');
      expect(others).toEqual([]);
      expect(seed?.status?.containerStatuses?.[0]?.restartCount).toBe(1);
      await world.change('ring', { size: 3 });
      await world.ready('ring');
      expect(watch.clusterIds.size).toBe(1);
      expect(watch.problems).toEqual([]);
    });

    test('2A-19 a member hangs: nobody is added as long as it does', async () => {
      const leader = await world.leaderOf('ring');
      const [hung = ''] = [...(await world.membersOf('ring')).keys()].filter((name) => name !== leader);
      const before = world.changesOf('ring').length;
      await world.cluster.pods.signal(hung, 'SIGSTOP');
      await world.change('ring', { size: 5 });
      // It has looked at the new size, and at the member that does not answer.
      await world.cluster.until(EtcdCluster, 'ring', ({ metadata, status }) =>
        Boolean(
          status?.conditions?.some(({ type, observedGeneration }) => type === 'Recovering' && observedGeneration === metadata.generation),
        ),
      );
      expect(world.changesOf('ring').slice(before)).not.toContain('addLearner');
      expect(world.changesOf('ring')).not.toContain('addMember');
      await world.cluster.pods.signal(hung, 'SIGCONT');
      await world.ready('ring');
      expect((await world.membersOf('ring')).size).toBe(5);
      expect(watch?.problems).toEqual([]);
    });
  });

  describeCluster('two operators', (real) => {
    let world: RealWorld;
    let watched: Watched | undefined;
    const changes: { readonly by: string; readonly at: number }[] = [];
    beforeAll(async () => {
      world = await RealWorld.open(programsBeside(real.connection.kubectl, older.found ? older.path : ''), { isOperated: false });
      watched = new Watched(world);
    });
    afterAll(() => watched?.close());

    test('2A-34 one leads; its lease is lost amid a scale-out, and no change is made until one leads again', async () => {
      await world.startReplica('first', changes);
      await world.cluster.until(async () => (await world.leader())?.name === 'first');
      await world.startReplica('second', changes);
      await world.create('ring', { size: 1 });
      await world.ready('ring');
      await world.change('ring', { size: 5 });
      await world.cluster.until(EtcdCluster, 'ring', { status: { size: 2 } });
      const stolenAt = Date.now();
      await world.stealLease();
      const { mark } = world.cluster.requests;
      await world.cluster.until(async () => ['first', 'second'].includes((await world.leader())?.name ?? ''));
      const { name, since } = (await world.leader()) ?? { name: '', since: 0 };
      await world.ready('ring');
      // It learns of it with its next renewal: that is refused.
      const updates = world.cluster.requests
        .since(mark)
        .all.filter(({ verb, resource, name }) => verb === 'update' && resource === 'leases' && name === LEASE.name);
      expect(updates.filter(({ time, code }) => code === 200 && time.getTime() < since)).toEqual([]);
      const noticedAt = Math.min(...world.losses.filter((at) => at >= stolenAt));
      // In tries and not in seconds: on a busy machine the process may stand still.
      expect(updates.filter(({ time, code }) => code !== 200 && time.getTime() < noticedAt).length).toBeLessThanOrEqual(1);
      expect(since).toBeGreaterThan(noticedAt);
      expect(changes.filter(({ at }) => at > noticedAt && at < since)).toEqual([]);
      const afterwards = new Set(changes.filter(({ at }) => at >= since).map(({ by }) => by));
      expect(afterwards).toEqual(new Set([name]));
      await watched?.wholesome();
    });

    test('2A-34 the leader ends amid a scale-in, and the other goes on', async () => {
      const leader = (await world.leader())?.name ?? '';
      const other = leader === 'first' ? 'second' : 'first';
      changes.length = 0;
      await world.change('ring', { size: 3 });
      await world.cluster.until(() => changes.length > 0);
      await world.stopReplica(leader);
      await world.ready('ring');
      expect((await world.leader())?.name).toBe(other);
      // Whoever has begun does not change anything once the other does.
      expect(changes.map(({ by }) => by).join(' ')).toMatch(new RegExp(`^(${leader} ?)+(${other} ?)+$`));
      await watched?.wholesome();
      world.cluster.requests.expectNoneDenied();
    });
  });
});

import type { RequestMark } from '@keelson/testing';
import { PersistentVolumeClaim, Pod, PodDisruptionBudget, Service } from 'keelson/kinds';
import type { EtcdMember } from '../../examples/etcd/client/api.js';
import { EtcdCluster } from '../../examples/etcd/cluster/etcd-cluster.js';
import { findTool } from '../../scripts/cluster/go-tool.js';
import { Load } from './examples-etcd/load.js';
import type { MemberWatch } from './examples-etcd/membership/index.js';
import { NEVER_DEAD, programsBeside, RealWorld } from './examples-etcd/real-world.js';
import { describeCluster } from './harness/index.js';
import { expectLinearizable, linearizabilityChecker, RegisterClients } from './linearizability/index.js';

const older = findTool('etcd-3.5');
if (!older.found && process.env['CI'] !== undefined) throw new Error(older.reason);
const reason = older.found ? '' : ` [skipped: ${older.reason}]`;

(older.found ? describe : describe.skip)(`etcd clusters of real members${reason}`, () => {
  describeCluster('members without volumes', (real) => {
    let world: RealWorld;
    let load: Load;
    let watch: MemberWatch;
    let clients: RegisterClients;
    let asked: RequestMark | undefined;
    beforeAll(async () => {
      world = await RealWorld.open(programsBeside(real.connection.kubectl, older.found ? older.path : ''));
    });
    afterAll(async () => {
      await load?.stop();
      await clients?.stop();
      await watch?.stop();
      await world?.close();
    });
    const ids = async () => new Set([...(await world.membersOf('ring')).values()].map(({ id }) => id));

    /** No acknowledged write is lost, and the list was changed one step at a time. */
    async function wholesome(): Promise<void> {
      expect(await load.lost()).toEqual([]);
      expect(watch.problems).toEqual([]);
      expect(watch.clusterIds.size).toBe(1);
      nothingDenied();
    }

    /** Up to now: the log forgets what is long ago. */
    function nothingDenied(): void {
      const { requests } = world.cluster;
      (asked === undefined ? requests : requests.since(asked)).expectNoneDenied();
      asked = requests.mark;
    }

    test('2A-1 2A-2 2A-3 2A-4 2A-5 2A-6 2A-7 three members, one after the other', async () => {
      // A Pod with the labels of the cluster, of somebody else.
      const labels = { app: 'etcd', etcd_cluster: 'ring' };
      await world.cluster.create(Pod, {
        metadata: { name: 'foreign', labels },
        spec: { containers: [{ name: 'main', image: 'busybox:1' }] },
      });
      const phases = new Set<string | undefined>();
      await world.create('ring', { size: 3, version: '3.5.35' });
      load = new Load(world.etcd, () => world.targetOf('ring'));
      watch = world.watch('ring');
      clients = new RegisterClients({ etcd: world.etcd, target: () => world.targetOf('ring'), random: Math.random });
      await world.cluster.until(EtcdCluster, 'ring', ({ status }) => {
        phases.add(status?.phase);
        return status?.phase === 'Running';
      });
      expect([...phases]).toEqual([undefined, 'Creating', 'Running'].filter((phase) => phases.has(phase as string)));
      const { metadata, status } = await world.ready('ring');
      const members = [...(await world.membersOf('ring')).values()];
      const pods = await world.podsOf('ring');
      const names = pods.map((pod) => pod.metadata.name).sort();
      const byName = (a: EtcdMember, b: EtcdMember): number => ((a.name ?? '') < (b.name ?? '') ? -1 : 1);
      // Names of Pods are addresses here. That peer URLs have the names: the suite on a node.
      const expected = pods.map((pod) => ({ name: pod.metadata.name, peerUrls: [`http://${pod.status?.podIP}:2380`], isLearner: false }));
      expect(members.sort(byName)).toMatchObject(expected.sort(byName as never));
      expect(status).toMatchObject({
        phase: 'Running',
        size: 3,
        members: { ready: names, unready: [] },
        serviceName: 'ring-client',
        clientPort: 2379,
        currentVersion: '3.5.35',
      });
      expect(status?.conditions).toMatchObject([{ type: 'Available', status: 'True' }, { type: 'Ready' }, { type: 'PodPolicyApplied' }]);
      for (const [name, ports] of [
        ['ring', { client: 2379, peer: 2380 }],
        ['ring-client', { client: 2379 }],
      ] as const) {
        const service = await world.cluster.get(Service, name);
        expect(service.metadata.ownerReferences).toMatchObject([{ uid: metadata.uid, controller: true }]);
        expect(service.spec?.selector).toEqual(labels);
        expect(Object.fromEntries((service.spec?.ports ?? []).map((one) => [one.name, one.port]))).toEqual(ports);
      }
      expect((await world.cluster.get(PodDisruptionBudget, 'ring')).spec.minAvailable).toBe(2);
      const isNew = ({ spec }: Pod) => spec.containers[0]?.args?.includes('--initial-cluster-state=new') === true;
      expect(pods.filter(isNew)).toHaveLength(1);
      const isJoining = ({ spec }: Pod) => spec.containers[0]?.args?.includes('--initial-cluster-state=existing') === true;
      expect(pods.filter(isJoining)).toHaveLength(2);
      await world.cluster.until(async () => {
        const added = (await world.events('ring')).filter((text) => text.startsWith('New Member Added')).sort();
        return added.length === 3 && names.every((name, index) => added[index]?.includes(name));
      });
      await wholesome();
    });

    test('2A-8 2A-12 from three to five, and a member is killed meanwhile', async () => {
      await world.change('ring', { size: 5 });
      await world.cluster.until(EtcdCluster, 'ring', { status: { size: 4 } });
      const [name = ''] = [...(await world.membersOf('ring')).keys()].filter((one) => one !== '');
      await world.cluster.pods.signal(name, 'SIGKILL');
      await world.ready('ring');
      const members = [...(await world.membersOf('ring')).values()];
      expect(members.map(({ isLearner }) => isLearner)).toEqual([false, false, false, false, false]);
      await wholesome();
    });

    test('2A-26 five members are upgraded to the next minor version, one at a time, the leader last', async () => {
      const leader = await world.leaderOf('ring');
      const before = await ids();
      await world.change('ring', { version: '3.6.16' });
      const upgraded: string[] = [];
      const versions = new Set<string>();
      await world.cluster.until(EtcdCluster, 'ring', async ({ status }) => {
        if (status?.conditions?.some(({ type, status: is }) => type === 'Upgrading' && is === 'True') === true)
          versions.add(`${status.currentVersion} to ${status.targetVersion}`);
        const pods = await world.podsOf('ring');
        const unready = pods.filter((pod) => pod.status?.conditions?.find(({ type }) => type === 'Ready')?.status !== 'True');
        expect(unready.length).toBeLessThanOrEqual(1);
        for (const { metadata } of pods)
          if (metadata.annotations?.['etcd.version'] === '3.6.16' && !upgraded.includes(metadata.name)) upgraded.push(metadata.name);
        return status?.currentVersion === '3.6.16';
      });
      const { status } = await world.ready('ring');
      expect([status?.currentVersion, status?.targetVersion]).toEqual(['3.6.16', undefined]);
      expect(upgraded.at(-1)).toBe(leader);
      expect([...versions].every((text) => text.endsWith(' to 3.6.16'))).toBe(true);
      expect(versions.size).toBeGreaterThan(0);
      expect(await ids()).toEqual(before);
      for (const endpoint of (await world.targetOf('ring')).endpoints)
        expect((await world.etcd.status({ endpoints: [endpoint] })).version).toBe('3.6.16');
      // Events are written beside the work.
      await world.cluster.until(async () =>
        expect((await world.events('ring')).filter((text) => text.startsWith('Member Upgraded'))).toHaveLength(5),
      );
      await wholesome();
    });

    test('2A-8 2A-9 from five to three: the leader stays, and writes go on', async () => {
      const leader = await world.leaderOf('ring');
      const termNow = async (): Promise<number> => (await world.etcd.status(await world.targetOf('ring'))).raftTerm;
      const term = await termNow();
      load.takeLongestMs();
      await world.change('ring', { size: 3 });
      await world.ready('ring');
      expect([...(await world.membersOf('ring')).keys()]).toContain(leader);
      expect(await world.podsOf('ring')).toHaveLength(3);
      // Nobody was elected anew, so no member had a reason to let a write wait.
      expect(await termNow()).toBe(term);
      expect(load.takeLongestMs()).toBeLessThan(2_000);
      await wholesome();
    });

    test('2A-11 a member whose Pod fails is replaced: one id goes, one comes', async () => {
      const before = await ids();
      const leader = await world.leaderOf('ring');
      await world.cluster.pods.fail(leader);
      await world.cluster.until(EtcdCluster, 'ring', ({ status }) => status?.members?.ready?.includes(leader) === false);
      await world.ready('ring');
      const names = [...(await world.membersOf('ring')).keys()];
      const after = await ids();
      expect([...after].filter((id) => !before.has(id))).toHaveLength(1);
      expect([...before].filter((id) => !after.has(id))).toHaveLength(1);
      await world.cluster.until(async () => {
        const events = (await world.events('ring')).join('\n');
        return (
          events.includes(`Replacing Dead Member: The dead member ${leader}`) &&
          events.includes(`Member Removed: Existing member ${leader}`) &&
          names.every((name) => events.includes(`New Member Added: New member ${name}`))
        );
      });
      await wholesome();
    });

    test('2A-11 a process that is killed comes back as the same member', async () => {
      await world.stopOperator();
      await world.startOperator(NEVER_DEAD);
      const before = await ids();
      const restartsOf = ({ status }: Pod): number => status?.containerStatuses?.[0]?.restartCount ?? 0;
      // A second restart comes after 10 s.
      const name = (await world.podsOf('ring')).find((pod) => restartsOf(pod) === 0)?.metadata.name ?? '';
      await world.cluster.pods.signal(name, 'SIGKILL');
      await world.cluster.until(Pod, name, (pod) => restartsOf(pod) === 1 && pod.status?.containerStatuses?.[0]?.ready === true);
      await world.ready('ring');
      expect(await ids()).toEqual(before);
      await world.stopOperator();
      await world.startOperator();
      await wholesome();
    });

    test('2A-20 a member that has lost its data cannot come back, and is replaced', async () => {
      const before = await ids();
      const leader = await world.leaderOf('ring');
      const name = [...(await world.membersOf('ring')).keys()].find((one) => one !== leader) ?? '';
      const { id = '' } = (await world.membersOf('ring')).get(name) ?? {};
      const { uid } = (await world.cluster.get(Pod, name)).metadata;
      await world.wipe(name);
      await world.cluster.until(async () => !(await ids().catch(() => before)).has(id));
      await world.ready('ring');
      expect([...(await ids())].filter((one) => !before.has(one))).toHaveLength(1);
      // The name may come back, as it follows from the members that stayed.
      expect((await world.podsOf('ring')).map(({ metadata }) => metadata.uid)).not.toContain(uid);
      await wholesome();
    });

    test('2A-25 while it is paused a member that is lost is not replaced', async () => {
      await world.change('ring', { paused: true });
      await world.cluster.until(EtcdCluster, 'ring', { status: { controlPaused: true } });
      const before = await ids();
      const name = [...(await world.membersOf('ring')).keys()][0] ?? '';
      await world.cluster.delete(Pod, name);
      await world.cluster.until(
        EtcdCluster,
        'ring',
        ({ status }) => status?.members?.ready?.length === 2 && status.members.unready.length === 0,
      );
      expect(await ids()).toEqual(before);
      await world.change('ring', { paused: false });
      await world.cluster.until(EtcdCluster, 'ring', { status: { controlPaused: false } });
      await world.ready('ring');
      expect([...(await ids())].filter((id) => !before.has(id))).toHaveLength(1);
      await wholesome();
    });

    const whyNot = linearizabilityChecker.found ? '' : ` [skipped: ${linearizabilityChecker.reason}]`;
    (linearizabilityChecker.found ? test : test.skip)(`2A-8 what concurrent clients saw meanwhile is linearizable${whyNot}`, async () => {
      await clients.stop();
      expect(clients.history.operations.length).toBeGreaterThan(500);
      await expectLinearizable(clients.history.operations);
    });

    test('2A-22 without a majority nothing is changed, and the status says so', async () => {
      await load.stop();
      await wholesome();
      await watch.stop();
      const [first = '', second = '', third = ''] = [...(await world.membersOf('ring')).keys()];
      await world.cluster.pods.fail(first);
      const { mark } = world.cluster.requests;
      await world.cluster.pods.fail(second);
      const { status } = await world.cluster.until(EtcdCluster, 'ring', {
        status: { conditions: [{ type: 'Available', status: 'False', reason: 'LostQuorum' }] },
      });
      expect(status?.phase).toBe('Running');
      const changes = world.changesOf('ring');
      for (let runs = 0; runs < 2; runs += 1) await world.cluster.reconciled(EtcdCluster, 'ring');
      expect(world.changesOf('ring')).toEqual(changes);
      expect((await world.podsOf('ring')).map(({ metadata }) => metadata.name)).toEqual(expect.arrayContaining([second, third]));
      expect(
        world.cluster.requests
          .since(mark)
          .writes()
          .all.filter(({ verb, resource }) => verb === 'delete' && resource === 'pods'),
      ).toEqual([]);
    });

    test('2A-32 2A-33 a cluster that is deleted is gone, a foreign Pod is not, and one of the same name is another one', async () => {
      const { status } = await world.cluster.get(EtcdCluster, 'ring');
      const { endpoints } = await world.targetOf('ring');
      expect(endpoints).not.toEqual([]);
      await world.cluster.delete(EtcdCluster, 'ring');
      await world.cluster.until(EtcdCluster, 'ring', 'absent');
      await world.cluster.until(
        async () => (await world.podsOf('ring')).length === 0 && (await world.cluster.find(Service, 'ring')) === undefined,
      );
      // Its processes have ended.
      for (const endpoint of endpoints)
        await expect(fetch(`${endpoint}/version`)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
      await world.create('ring', { size: 1 });
      const again = await world.ready('ring');
      expect(again.status?.clusterID).not.toBe(status?.clusterID);
      expect((await world.cluster.get(Pod, 'foreign')).metadata.deletionTimestamp).toBeUndefined();
      nothingDenied();
    });
  });

  describeCluster('members with volumes', (real) => {
    let world: RealWorld;
    beforeAll(async () => {
      world = await RealWorld.open(programsBeside(real.connection.kubectl, older.found ? older.path : ''));
    });
    afterAll(() => world?.close());

    const persistentVolumeClaimSpec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } as const;

    test('2A-24 all Pods are lost, also while the operator is away: the same members come back with their data', async () => {
      await world.create('vault', { size: 3, pod: { persistentVolumeClaimSpec } });
      await world.ready('vault');
      const before = await world.membersOf('vault');
      await world.etcd.put(await world.targetOf('vault'), 'colour', 'blue');
      await world.stopOperator();
      for (const name of before.keys()) await world.cluster.delete(Pod, name);
      await world.cluster.until(async () => (await world.podsOf('vault')).length === 0);
      await world.startOperator();
      await world.cluster.until(async () => (await world.podsOf('vault')).length === 3);
      await world.cluster.until(EtcdCluster, 'vault', ({ status }) => status?.members?.ready?.length === 3);
      const after = await world.membersOf('vault');
      const idsByName = (members: typeof before) => Object.fromEntries([...members].map(([name, { id }]) => [name, id]));
      expect(idsByName(after)).toEqual(idsByName(before));
      const { keyValues } = await world.etcd.range(await world.targetOf('vault'), 'colour');
      expect(keyValues).toMatchObject([{ value: 'blue' }]);
    });

    test('2A-8 from three to one: what was written is there, and a member that is scaled away takes its volume with it', async () => {
      const load = new Load(world.etcd, () => world.targetOf('vault'));
      try {
        await world.change('vault', { size: 1 });
        await world.ready('vault');
        await world.cluster.until(async () => (await world.cluster.list(PersistentVolumeClaim)).length === 1);
        expect(load.acknowledged).toBeGreaterThan(0);
        expect(await load.lost()).toEqual([]);
      } finally {
        await load.stop();
      }
      const { keyValues } = await world.etcd.range(await world.targetOf('vault'), 'colour');
      expect(keyValues).toMatchObject([{ value: 'blue' }]);
    });

    test('2A-32 with a cluster that is deleted its claims go; what is left of another of its name stays, and is not used', async () => {
      const leftover = { name: 'vault-leftover', labels: { app: 'etcd', etcd_cluster: 'vault', etcd_node: 'vault-leftover' } };
      const owner = {
        apiVersion: 'etcd.database.coreos.com/v1beta2',
        kind: 'EtcdCluster',
        name: 'vault',
        uid: 'of-one-before',
        controller: true,
      };
      await world.cluster.delete(EtcdCluster, 'vault');
      await world.cluster.until(async () => (await world.cluster.list(PersistentVolumeClaim)).length === 0);
      await world.cluster.create(PersistentVolumeClaim, {
        metadata: { ...leftover, ownerReferences: [owner] },
        spec: persistentVolumeClaimSpec,
      });
      await world.create('vault', { size: 1, pod: { persistentVolumeClaimSpec } });
      const { status } = await world.ready('vault');
      expect(status?.members?.ready).toHaveLength(1);
      expect(status?.members?.ready).not.toContain('vault-leftover');
    });
  });
});

import { type RequestMark, TestCluster } from '@keelson/testing';
import { Deployment, EventsV1Event, PersistentVolumeClaim, Pod, Service } from 'keelson/kinds';
import { EtcdBackup } from '../../../examples/etcd/backup/etcd-backup.js';
import { EtcdCluster } from '../../../examples/etcd/cluster/etcd-cluster.js';
import { EtcdRestore } from '../../../examples/etcd/restore/etcd-restore.js';
import { findTool } from '../../../scripts/cluster/go-tool.js';
import { DEADLINE_MS, HANG_MS } from '../../deadline.cjs';
import { SOAK_SECONDS as SECONDS, SOAK_SEED as SEED } from '../examples-etcd/soak/settings.js';
import { Soak } from '../examples-etcd/soak/soak.js';
import { linearizabilityChecker } from '../linearizability/index.js';
import { NodeRings, OPERATOR, SYSTEM } from './etcd/node-rings.js';
import { isReady, NodeScene } from './etcd/node-scene.js';
import {
  ApiServerProcess,
  containerProcess,
  describeNode,
  ETCD_IMAGES,
  installExample,
  uninstallExample,
  untilAccepted,
} from './harness/index.js';

const BACKUP_SYSTEM = 'etcd-backup-system';
const ACCOUNTS = [`system:serviceaccount:${SYSTEM}:${OPERATOR}`, `system:serviceaccount:${BACKUP_SYSTEM}:etcd-backup-operator`];
const [OLDER, NEWER] = ['3.5.35', '3.6.16'] as const;

const missing = [findTool('etcd-3.5'), findTool('etcdutl'), linearizabilityChecker].find(({ found }) => !found);
const absence = missing === undefined || missing.found ? undefined : missing.reason;
if (absence !== undefined && process.env['CI']) throw new Error(absence);
const suite: typeof describeNode =
  absence === undefined ? describeNode : (name) => describe.skip(`${name} [skipped: ${absence}]`, () => test('etcd', () => undefined));

suite('etcd in Pods', (node) => {
  let rings: NodeRings;
  /** Another suite may have installed the operators on this node before, and have taken their rights away while they still ran. */
  let installed: RequestMark;
  beforeAll(async () => {
    await uninstallExample(node, { example: 'etcd', resources: 'etcdclusters' });
    installed = node.requests.mark;
    await installExample(node, 'etcd');
    const namespace = await node.namespace('rings', { 'pod-security.kubernetes.io/enforce': 'restricted' });
    const cluster = await TestCluster.start({ server: 'existing', kubeconfig: node.kubeconfig, namespace, timeout: DEADLINE_MS });
    rings = new NodeRings(node, cluster);
    await cluster.until(Deployment, `${SYSTEM}/${OPERATOR}`, { status: { readyReplicas: 2 } });
    await untilAccepted(() => cluster.create(EtcdCluster({ metadata: { name: 'probe' }, spec: {} }), { dryRun: true }));
  });
  afterAll(async () => {
    rings?.cluster.client.close();
    // Another suite on this node may install the operator from another image.
    await uninstallExample(node, { example: 'etcd', resources: 'etcdbackups,etcdrestores', operator: 'etcd-backup' });
    await uninstallExample(node, { example: 'etcd', resources: 'etcdclusters' });
  });

  const idsByName = async (name: string): Promise<Record<string, string>> =>
    Object.fromEntries([...(await rings.membersOf(name))].map(([member, { id }]) => [member, id]));
  const restartsOf = ({ status }: Pod): number => status?.containerStatuses?.[0]?.restartCount ?? 0;

  test('2A-1, 2A-3: three members under the restricted standard find each other by their names, and serve at the address of their Service', async () => {
    const { namespace } = rings.cluster;
    await rings.create('ring', { size: 3, version: OLDER });
    await rings.ready('ring');
    const pods = await rings.podsOf('ring');
    expect(pods.map(({ spec }) => spec?.containers[0]?.image)).toEqual(pods.map(() => ETCD_IMAGES[OLDER]));
    const members = [...(await rings.membersOf('ring')).values()];
    expect(new Set(members.map(({ name }) => name))).toEqual(new Set(pods.map(({ metadata }) => metadata.name)));
    expect(members).toHaveLength(3);
    expect(members.map(({ peerUrls }) => peerUrls)).toEqual(members.map(({ name }) => [`http://${name}.ring.${namespace}.svc:2380`]));
    expect(members.map(({ isLearner }) => isLearner)).toEqual([false, false, false]);
    const { spec } = await rings.cluster.get(Service, 'ring-client');
    const target = { endpoints: [`http://${spec?.clusterIP}:2379`] };
    await rings.cluster.until(() => rings.etcd.put(target, 'colour', 'blue', { timeoutMs: 2_000 }).then(Boolean, () => false));
    expect((await rings.etcd.range(target, 'colour')).keyValues).toMatchObject([{ value: 'blue' }]);
  });

  test('2A-11: a process that is killed comes back as the same member', async () => {
    const before = await idsByName('ring');
    const [pod] = await rings.podsOf('ring');
    process.kill(containerProcess(pod?.metadata.uid ?? '', 'etcd'), 'SIGKILL');
    await rings.cluster.until(Pod, pod?.metadata.name ?? '', (now) => restartsOf(now) === 1 && isReady(now));
    await rings.ready('ring');
    expect(await idsByName('ring')).toEqual(before);
  });

  test('2A-11: a Pod that is lost with its data is replaced: one id goes, one comes', async () => {
    const before = Object.values(await idsByName('ring'));
    const [pod] = await rings.podsOf('ring');
    await rings.cluster.delete(Pod, pod?.metadata.name ?? '', { gracePeriodSeconds: 0 });
    // The name may come back, as it follows from the members that stayed.
    await rings.cluster.until(async () => {
      const uids = (await rings.podsOf('ring')).map(({ metadata }) => metadata.uid);
      return uids.length === 3 && !uids.includes(pod?.metadata.uid ?? '');
    });
    await rings.ready('ring');
    const after = Object.values(await idsByName('ring'));
    expect(after.filter((id) => !before.includes(id))).toHaveLength(1);
    expect(before.filter((id) => !after.includes(id))).toHaveLength(1);
    // Events are written beside the work.
    await rings.cluster.until(async () => {
      const events = await rings.cluster.list(EventsV1Event, { namespace: rings.cluster.namespace });
      const reasons = events.filter(({ regarding }) => regarding?.kind === 'EtcdCluster').map(({ reason }) => reason);
      expect(reasons).toEqual(expect.arrayContaining(['Replacing Dead Member', 'Member Removed', 'New Member Added']));
    });
  });

  test('2A-26: an upgrade restarts each member in its Pod, with its id and its data', async () => {
    const [before, pods] = [await idsByName('ring'), await rings.podsOf('ring')];
    await rings.change('ring', { version: NEWER });
    const { status } = await rings.cluster.until(EtcdCluster, 'ring', ({ status: now }) => now?.currentVersion === NEWER);
    expect(status?.targetVersion).toBeUndefined();
    await rings.ready('ring');
    expect(await idsByName('ring')).toEqual(before);
    const now = await rings.podsOf('ring');
    expect(now.map(({ metadata }) => metadata.uid).sort()).toEqual(pods.map(({ metadata }) => metadata.uid).sort());
    for (const { status: pod } of now) expect((await rings.etcd.status({ endpoints: [`http://${pod?.podIP}:2379`] })).version).toBe(NEWER);
    expect((await rings.etcd.range(await rings.targetOf('ring'), 'colour')).keyValues).toMatchObject([{ value: 'blue' }]);
  });

  test('2A-34: the process that leads is killed amid a scale-out, and another one goes on', async () => {
    const leader = await rings.leader();
    const pod = (await rings.operatorPods()).find(({ metadata }) => metadata.name === leader);
    await rings.change('ring', { size: 4 });
    await rings.cluster.until(async () => (await rings.podsOf('ring')).length === 4);
    process.kill(containerProcess(pod?.metadata.uid ?? '', 'node'), 'SIGKILL');
    await rings.change('ring', { size: 3 });
    await rings.ready('ring');
    expect((await rings.membersOf('ring')).size).toBe(3);
    await rings.cluster.until(async () => (await rings.operatorPods()).every(isReady));
  });

  test('2A-24: all Pods are lost and their volumes are not: the same members come back with their data', async () => {
    await rings.create('vault', { size: 3, version: NEWER, claim: await rings.volumes(3) });
    await rings.ready('vault');
    const before = await idsByName('vault');
    await rings.etcd.put(await rings.targetOf('vault'), 'colour', 'green');
    const pods = await rings.podsOf('vault');
    await Promise.all(pods.map(({ metadata }) => rings.cluster.delete(Pod, metadata.name, { gracePeriodSeconds: 0 })));
    const uids = new Set(pods.map(({ metadata }) => metadata.uid));
    await rings.cluster.until(async () => {
      const now = await rings.podsOf('vault');
      return now.length === 3 && now.every((pod) => !uids.has(pod.metadata.uid) && isReady(pod));
    });
    await rings.ready('vault');
    expect(await idsByName('vault')).toEqual(before);
    expect((await rings.etcd.range(await rings.targetOf('vault'), 'colour')).keyValues).toMatchObject([{ value: 'green' }]);
  });

  test('2A-32: deleted, its Pods, Services and claims go', async () => {
    await rings.cluster.delete(EtcdCluster, 'vault');
    await rings.cluster.until(EtcdCluster, 'vault', 'absent');
    await rings.cluster.until(async () => {
      const labels = { etcd_cluster: 'vault' };
      const [pods, services, claims] = await Promise.all([
        rings.podsOf('vault'),
        rings.cluster.list(Service, { labels }),
        rings.cluster.list(PersistentVolumeClaim, { labels }),
      ]);
      return pods.length + services.length + claims.length === 0;
    });
  });

  test('2A-23, 2A-37, 2A-39: a backup is saved to a volume, and restored under the same names after the quorum was lost', async () => {
    const { cluster } = rings;
    await rings.volume(`backups-${cluster.namespace}`, '50Gi');
    await installExample(node, 'etcd', 'etcd-backup');
    await cluster.until(Deployment, `${BACKUP_SYSTEM}/etcd-backup-operator`, { status: { readyReplicas: 1 } });
    await rings.create('saved', { size: 3, version: NEWER });
    const old = await rings.ready('saved');
    await rings.etcd.put(await rings.targetOf('saved'), 'colour', 'red');

    const directory = { path: 'saved/first' };
    const etcdEndpoints = [`http://saved-client.${cluster.namespace}.svc:2379`];
    await cluster.create(EtcdBackup({ metadata: { name: 'first' }, spec: { etcdEndpoints, storageType: 'Directory', directory } }));
    const { status } = await cluster.until(EtcdBackup, 'first', { status: { succeeded: true } });
    expect(status).toMatchObject({ etcdVersion: NEWER, isQuorate: true, lastBackup: { path: 'saved/first' } });

    const [, ...others] = await rings.podsOf('saved');
    await Promise.all(others.map(({ metadata }) => cluster.delete(Pod, metadata.name, { gracePeriodSeconds: 0 })));
    await cluster.until(EtcdCluster, 'saved', { status: { conditions: [{ type: 'Available', status: 'False', reason: 'LostQuorum' }] } });
    await cluster.create(
      EtcdRestore({ metadata: { name: 'saved' }, spec: { etcdCluster: { name: 'saved' }, backupStorageType: 'Directory', directory } }),
    );
    await cluster.until(EtcdRestore, 'saved', { status: { succeeded: true } });
    const restored = await rings.ready('saved');
    expect(restored.status?.clusterID).not.toBe(old.status?.clusterID);
    expect((await rings.membersOf('saved')).size).toBe(3);
    expect((await rings.etcd.range(await rings.targetOf('saved'), 'colour')).keyValues).toMatchObject([{ value: 'red' }]);
    await cluster.delete(EtcdCluster, 'saved');
  });

  test('nothing that the operators asked for was refused', () => {
    for (const account of ACCOUNTS) {
      const asked = node.requests.since(installed).byUser(account);
      expect(asked.length).toBeGreaterThan(20);
      asked.expectNoneDenied();
    }
  });

  test(
    'whatever is killed or stopped, members, the operator or the API server: it heals, and nothing acknowledged is lost',
    async () => {
      const scene = new NodeScene({ rings, apiServer: new ApiServerProcess(node), name: 'ring' });
      const again = `KEELSON_SOAK_SEED=${SEED} KEELSON_SOAK_SECONDS=${SECONDS} make node-test JEST_FLAGS=etcd`;
      const report = await new Soak({ scene, seed: SEED, again }).run(SECONDS);
      process.stderr.write(`soak of ${SECONDS} s on a node, KEELSON_SOAK_SEED=${SEED}: ${report}\n`);
    },
    SECONDS * 1_000 + HANG_MS,
  );
});

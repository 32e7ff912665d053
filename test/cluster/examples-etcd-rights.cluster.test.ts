import { mergePatch, TestCluster } from '@keelson/testing';
import { permissionsOf } from 'keelson';
import { PersistentVolumeClaim, Secret } from 'keelson/kinds';
import { etcdBackup, etcdWithOne } from '../../examples/etcd/backup/backup-objects.js';
import { EtcdBackup } from '../../examples/etcd/backup/etcd-backup.js';
import { MemoryStores } from '../../examples/etcd/backup/memory-stores.js';
import { EtcdCluster } from '../../examples/etcd/cluster/etcd-cluster.js';
import { backupOperator } from '../../examples/etcd/etcd-backup-operator.js';
import { operator } from '../../examples/etcd/etcd-operator.js';
import { EtcdRestore } from '../../examples/etcd/restore/etcd-restore.js';
import { Offers } from '../../examples/etcd/restore/offers.js';
import { findTool } from '../../scripts/cluster/go-tool.js';
import { programsBeside, RealWorld } from './examples-etcd/real-world.js';
import { unusedRights } from './examples-harness/index.js';
import { describeCluster } from './harness/index.js';

const older = findTool('etcd-3.5');
if (!older.found && process.env['CI'] !== undefined) throw new Error(older.reason);
const reason = older.found ? '' : ` [skipped: ${older.reason}]`;

const NAME = 'etcd-operator';
const CERTIFICATES = { mode: 'selfManaged', secretName: `${NAME}-certificate`, validatingWebhookConfigurations: [NAME] } as const;

/** Desired children that are desired no longer are deleted; those of a cluster are desired as long as it lives. */
const OF_CHILDREN = ['delete poddisruptionbudgets.policy', 'delete services'];
/** A watch begins with all objects, where the server can do that. Clusters and their children are listed besides, when a term begins. */
const OF_OLD_SERVERS = ['list secrets'];
const LISTS_OF_THE_BACKUP_OPERATOR = ['list etcdclusters.etcd.database.coreos.com', 'list persistentvolumeclaims', 'list pods'];
/** The same event again: a member that is replaced twice. */
const OF_SERIES = 'patch events.events.k8s.io';
/** And no request: docs/decisions/014-rights-in-use.md. */
const ASKED_BY_A_PLUGIN = 'update etcdclusters/finalizers.etcd.database.coreos.com';

(older.found ? describe : describe.skip)(`rights of the etcd operator${reason}`, () => {
  describeCluster('a life of a cluster', (real) => {
    let world: RealWorld;
    beforeAll(async () => {
      const programs = programsBeside(real.connection.kubectl, older.found ? older.path : '');
      world = await RealWorld.open(programs, { isOperated: false });
      await world.startReplica('first', []);
    });
    afterAll(() => world?.close());

    test('nothing that it asks for is refused, and nothing that it may do is left undone without a reason', async () => {
      const pod = (storage: string) => ({
        persistentVolumeClaimSpec: { accessModes: ['ReadWriteOnce' as const], resources: { requests: { storage } } },
      });
      const managed = { ipAddresses: await world.addresses() };
      await world.create('ring', { size: 1, version: '3.5.35', pod: pod('1Gi'), TLS: { managed } });
      await world.ready('ring');
      await world.change('ring', { size: 3 });
      await world.ready('ring');
      await world.change('ring', { version: '3.6.16' });
      await world.ready('ring');
      await world.change('ring', { size: 1 });
      await world.ready('ring');
      // Other names are other certificates.
      const { resourceVersion } = (await world.cluster.get(Secret, 'ring-server-tls')).metadata;
      const spec = { pod: pod('2Gi'), TLS: { managed: { ...managed, dnsNames: ['etcd.example.com'] } } };
      await world.cluster.patch(EtcdCluster, 'ring', mergePatch({ spec }));
      await world.cluster.until(Secret, 'ring-server-tls', ({ metadata }) => metadata.resourceVersion !== resourceVersion);
      await world.cluster.until(async () =>
        (await world.cluster.list(PersistentVolumeClaim)).every(({ spec: claim }) => claim?.resources?.requests?.['storage'] === '2Gi'),
      );
      await world.ready('ring');
      await world.stopReplica('first');
      const requests = world.cluster.requests.byUser(`system:serviceaccount:${NAME}-system:${NAME}`);
      requests.expectNoneDenied();
      const { cluster, own } = permissionsOf(operator, { leaderElection: { leaseName: NAME }, certificates: CERTIFICATES });
      expect(unusedRights([...cluster, ...own], requests)).toEqual(
        [...OF_CHILDREN, ...OF_OLD_SERVERS, OF_SERIES, ASKED_BY_A_PLUGIN].sort(),
      );
    });
  });
});

describe('rights of the backup operator, with simulated members', () => {
  const BACKUP = 'etcd-backup-operator';

  test('nothing that it asks for is refused, and nothing that it may do is left undone without a reason', async () => {
    const etcd = etcdWithOne();
    const externals = { etcd, stores: new MemoryStores(), offers: new Offers() };
    const workloads = { startAfter: 0, readyAfter: 0 };
    // Clusters are those of the other operator, which is not needed: a restore makes the first Pod itself.
    await using cluster = await TestCluster.start({ operator: backupOperator, resources: [EtcdCluster], workloads, namespace: 'shop' });
    const running = await cluster.startOperator({ externals, settings: { leaseName: BACKUP } });
    await cluster.create(
      Secret({ metadata: { name: 'client' }, stringData: { 'etcd-client-ca.crt': 'a', 'etcd-client.crt': 'b', 'etcd-client.key': 'c' } }),
    );
    const { spec } = etcdBackup();
    await cluster.create(EtcdBackup({ metadata: { name: 'ring' }, spec: { ...spec, clientTLSSecret: 'client' } }));
    await cluster.until(EtcdBackup, 'ring', { status: { succeeded: true } });
    const persistentVolumeClaimSpec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } as const;
    await cluster.create(EtcdCluster({ metadata: { name: 'ring' }, spec: { size: 1, pod: { persistentVolumeClaimSpec } } }));
    await cluster.create(
      EtcdRestore({
        metadata: { name: 'ring' },
        spec: { etcdCluster: { name: 'ring' }, backupStorageType: 'Directory', directory: { path: 'ring' } },
      }),
    );
    await cluster.until(EtcdRestore, 'ring', { status: { succeeded: true } });
    await running.stop();
    const requests = cluster.requests.byUser(`system:serviceaccount:${BACKUP}-system:${BACKUP}`);
    requests.expectNoneDenied();
    const { cluster: everywhere, own } = permissionsOf(backupOperator, { leaderElection: { leaseName: BACKUP } });
    expect(unusedRights([...everywhere, ...own], requests)).toEqual([...LISTS_OF_THE_BACKUP_OPERATOR, OF_SERIES].sort());
  });
});

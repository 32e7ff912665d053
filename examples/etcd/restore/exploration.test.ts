import { explore } from '@keelson/testing';
import { defineOperator } from 'keelson';
import { Pod } from 'keelson/kinds';
import { etcdBackup, etcdWithOne } from '../backup/backup-objects.js';
import { MemoryStores } from '../backup/memory-stores.js';
import { etcdClusterController } from '../cluster/controller.js';
import { EtcdCluster } from '../cluster/etcd-cluster.js';
import { FakeMembers } from '../cluster/fake-members.js';
import { etcdRestoreController } from './controller.js';
import { EtcdRestore } from './etcd-restore.js';
import { Offers } from './offers.js';

const operator = defineOperator({ name: 'etcd-restore-operator', controllers: [etcdClusterController, etcdRestoreController] });
const LOCATION = { type: 'Directory', directory: '/var/lib/etcd-backups' } as const;

// #region explore
test('whatever goes wrong, the cluster is made once more, as it was, and no third time', async () => {
  let members = new FakeMembers();
  await explore(operator, {
    externals: () => {
      members = new FakeMembers();
      return { etcd: members.etcd, stores: new MemoryStores(), offers: new Offers() };
    },
    story: ({ apply, disturb }) => [
      disturb('there is a backup, and members run in the Pods', async ({ cluster, externals }) => {
        members.follow(() => cluster.list(Pod));
        const { directory } = etcdBackup().spec;
        await externals.stores.write(
          LOCATION,
          directory?.path ?? '',
          await etcdWithOne().snapshot({ endpoints: ['http://m0.ring.shop.svc:2379'] }),
        );
      }),
      apply(EtcdCluster({ metadata: { name: 'ring', labels: { team: 'a' } }, spec: { size: 1, version: '3.6.16' } })),
      apply(
        EtcdRestore({
          metadata: { name: 'ring' },
          spec: { etcdCluster: { name: 'ring' }, backupStorageType: 'Directory', directory: { path: 'ring' } },
        }),
      ),
    ],
    invariant: () => {
      expect(members.fake.clusters.size).toBeLessThanOrEqual(2);
    },
    workloads: true,
    // A restore that is made at once as it ended has nothing to restore any more.
    judges: { fresh: false },
    // Names and ids of members follow from the uid of their cluster.
    ignore: [
      'metadata.annotations.*',
      'metadata.labels.etcd_node',
      'spec.containers.*.args',
      'spec.initContainers.*',
      'spec.hostname',
      'status.members.*',
      'status.clusterID',
      'status.replaced.uid',
    ],
    seeds: 2,
  });
});
// #endregion

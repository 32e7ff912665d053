import { explore } from '@keelson/testing';
import { defineOperator } from 'keelson';
import { SnapshotCheck } from '../client/snapshot-stream.js';
import { ENDPOINT, etcdBackup, etcdWithOne, TARGET } from './backup-objects.js';
import { etcdBackupController } from './controller.js';
import { EtcdBackup } from './etcd-backup.js';
import { MemoryStores } from './memory-stores.js';

const operator = defineOperator({ name: 'etcd-backup-operator', controllers: [etcdBackupController] });
const LOCATION = { type: 'Directory', directory: '/var/lib/etcd-backups' } as const;

// #region explore
test('whatever goes wrong, there is a backup with the newest data, and no other file', async () => {
  await explore(operator, {
    externals: () => ({ etcd: etcdWithOne(), stores: new MemoryStores() }),
    story: ({ apply, change, disturb, pass }) => [
      disturb('a write', ({ externals }) => externals.etcd.put(TARGET, 'colour', 'red')),
      apply(etcdBackup()),
      disturb('another write', ({ externals }) => externals.etcd.put(TARGET, 'colour', 'blue')),
      change(EtcdBackup, 'ring', { spec: { backupPolicy: { backupIntervalInSecond: 3_600, maxBackups: 1 } } }),
      pass('61m'),
      pass('61m'),
      change(EtcdBackup, 'ring', { spec: { etcdEndpoints: ['http://nobody:2379', ENDPOINT] } }),
      pass('61m'),
    ],
    async invariant({ externals: { stores } }) {
      for (const { name } of await stores.list(LOCATION, '')) {
        const check = new SnapshotCheck();
        for await (const chunk of await stores.read(LOCATION, name)) check.add(chunk);
        check.end();
      }
    },
    // Times and names follow from when a backup was made, which a fault changes; a member may tell an older revision than it sends.
    ignore: [
      'status.lastSuccessDate',
      'status.lastAttemptDate',
      'status.lastBackup.path',
      'status.kept',
      'status.progress',
      'status.etcdRevision',
      'status.conditions.*.message',
    ],
    // What is saved follows from the writes of the story, not from the object.
    judges: { fresh: false },
    seeds: 4,
  });
});
// #endregion

import { defineOperator } from 'keelson';
import { etcdBackupController } from './backup/controller.js';
import { stores } from './backup/store.js';
import { etcdRestoreController } from './restore/controller.js';
import { offers } from './restore/offers.js';

/** Beside the operator of clusters, with rights of its own: it reads all data, and the Secrets of stores. */
export const backupOperator = defineOperator({
  name: 'etcd-backup-operator',
  controllers: [etcdBackupController, etcdRestoreController],
  endpoints: {
    backups: { port: 19_999, uses: { offers, stores }, handle: (request, { offers, ...context }) => offers.answer(request, context) },
  },
});

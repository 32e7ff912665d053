import { run } from '@keelson/runtime';
import { createBackupStores } from './backup/stores.js';
import { createEtcdGateway } from './client/gateway.js';
import { backupOperator } from './etcd-backup-operator.js';
import { Offers } from './restore/offers.js';

await run(backupOperator, { externals: { etcd: createEtcdGateway(), stores: createBackupStores(), offers: new Offers() } });

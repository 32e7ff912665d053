import { defineOperator } from 'keelson';
import { etcdClusterController } from './cluster/controller.js';
import { clusterCheck } from './cluster/webhooks.js';

export const operator = defineOperator({
  name: 'etcd-operator',
  controllers: [etcdClusterController],
  webhooks: [clusterCheck],
});

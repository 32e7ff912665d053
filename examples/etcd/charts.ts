import { ApiObject, type App, Chart } from 'cdk8s';
import { CustomResource, Operator } from 'keelson/constructs';
import { EtcdCluster } from './cluster/etcd-cluster.js';
import { backupOperator } from './etcd-backup-operator.js';
import { operator } from './etcd-operator.js';

/** The operator with all that it needs. */
export function operatorChart(app: App): Chart {
  const chart = new Chart(app, 'etcd-operator', { namespace: 'etcd-system' });
  const image = 'registry.example.com/etcd-operator:0.1.0';
  new Operator(chart, 'operator', { operator, image, createNamespace: true, replicas: 2 });
  return chart;
}

/** Backups are made by another Deployment, which has rights of its own. A volume holds those of the storage type Directory. */
export function backupOperatorChart(app: App): Chart {
  const chart = new Chart(app, 'etcd-backup-operator', { namespace: 'etcd-backup-system' });
  const image = 'registry.example.com/etcd-backup-operator:0.1.0';
  const claimName = 'etcd-backups';
  new Operator(chart, 'operator', {
    operator: backupOperator,
    image,
    createNamespace: true,
    command: ['node', 'build/backup-operator.mjs'],
    volumes: [{ name: 'backups', persistentVolumeClaim: { claimName } }],
    volumeMounts: [{ name: 'backups', mountPath: '/var/lib/etcd-backups' }],
  });
  // Behind the namespace, which the operator's construct makes: objects are applied in this order.
  new ApiObject(chart, 'backups', {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: claimName },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '50Gi' } } },
  });
  return chart;
}

/** A file of its own: the API server takes an EtcdCluster only when it serves the kind and the webhooks answer. */
export function samplesChart(app: App): Chart {
  const chart = new Chart(app, 'etcd-samples', { namespace: 'default' });
  new CustomResource(chart, 'sample', {
    definition: EtcdCluster,
    metadata: { name: 'example' },
    spec: {
      size: 3,
      version: '3.6.16',
      pod: { persistentVolumeClaimSpec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '8Gi' } } } },
    },
  });
  return chart;
}

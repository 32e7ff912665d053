import { defineCustomResource, type Resource } from 'keelson';
import { backupSpec, backupStatus } from './schema.js';

// #region definition
/** Saves what an etcd cluster holds, once or every so often. */
export const EtcdBackup = defineCustomResource({
  group: 'etcd.database.coreos.com',
  kind: 'EtcdBackup',
  versions: {
    v1beta2: {
      spec: backupSpec,
      status: backupStatus,
      columns: [
        { name: 'Succeeded', type: 'boolean', jsonPath: '.status.succeeded' },
        { name: 'Revision', type: 'integer', jsonPath: '.status.etcdRevision' },
        { name: 'Last Success', type: 'date', jsonPath: '.status.lastSuccessDate' },
        { name: 'Reason', type: 'string', jsonPath: '.status.Reason', priority: 1 },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
    },
  },
});
// #endregion

export interface EtcdBackup extends Resource<typeof EtcdBackup> {}

import { defineCustomResource, k, type Resource } from 'keelson';
import { z } from 'zod';
import { blockRules, directory, s3, storageType } from '../backup/schema.js';

// #region definition
/** Starts an etcd cluster anew from a backup: same name, same spec, the data of the backup. */
export const EtcdRestore = defineCustomResource({
  group: 'etcd.database.coreos.com',
  kind: 'EtcdRestore',
  versions: {
    v1beta2: {
      spec: z
        .object({
          etcdCluster: z
            .object({ name: z.string().min(1).max(253).describe('Name of the EtcdCluster, which must be that of the EtcdRestore.') })
            .describe('The cluster. It is deleted, with its data, and made again.'),
          backupStorageType: storageType,
          s3: s3.optional(),
          directory: directory.optional(),
        })
        .check(...blockRules('backupStorageType')),
      status: z.object({
        succeeded: z.boolean().optional().describe('True when the first member serves the data of the backup.'),
        reason: z.string().optional().describe('Why it did not succeed yet.'),
        phase: z.enum(['Verifying', 'Deleting', 'Restoring', 'Restored']).optional(),
        backup: z
          .object({ bytes: k.int64(), sha256: z.string() })
          .optional()
          .describe('The backup, as it was checked before the cluster was touched.'),
        replaced: z
          .object({
            uid: z.string(),
            labels: z.record(z.string(), z.string()).optional(),
            annotations: z.record(z.string(), z.string()).optional(),
            spec: k.preserveUnknown(),
          })
          .optional()
          .describe('The cluster as it was: it is made again from this.'),
        conditions: k.conditions(),
      }),
      columns: [
        { name: 'Succeeded', type: 'boolean', jsonPath: '.status.succeeded' },
        { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
        { name: 'Reason', type: 'string', jsonPath: '.status.reason', priority: 1 },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
    },
  },
});
// #endregion

export interface EtcdRestore extends Resource<typeof EtcdRestore> {}

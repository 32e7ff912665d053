import { k } from 'keelson';
import { z } from 'zod';

const secretName = z.string().min(1).max(253);

// #region storage
export const storageType = z.enum(['S3', 'Directory']).describe('Where the backup lies.');

export const s3 = z.object({
  path: z
    .string()
    .max(1_024)
    .regex(/^[^/]+\/.+$/)
    .describe('`<bucket>/<name>` of the backup.'),
  awsSecret: secretName.describe('Secret with `accessKeyId` and `secretAccessKey`, or a file `credentials` as the AWS tools have it.'),
  endpoint: z
    .string()
    .max(512)
    .regex(/^https?:\/\//)
    .optional()
    .describe('Default: that of AWS for the region.'),
  region: z.string().min(1).max(64).default('us-east-1'),
  forcePathStyle: z.boolean().default(false).describe('The bucket is part of the path, as servers other than AWS want it.'),
});

export const directory = z.object({
  path: z
    .string()
    .max(1_024)
    .regex(/^[^/].*$/)
    .describe('Name of the backup in the folder of the operator, which its Deployment mounts.'),
});

/** One block for the type. */
export const blockRules = (field: string) => [
  k.rule(`self.${field} != 'S3' || has(self.s3)`, {
    message: `${field} S3 needs this block`,
    fieldPath: '.s3',
    reason: 'FieldValueRequired',
  }),
  k.rule(`self.${field} != 'Directory' || has(self.directory)`, {
    message: `${field} Directory needs this block`,
    fieldPath: '.directory',
    reason: 'FieldValueRequired',
  }),
];
// #endregion

const seconds = k.int64().min(0);

// #region spec
export const backupSpec = z
  .object({
    etcdEndpoints: z
      .array(
        z
          .string()
          .max(512)
          .regex(/^https?:\/\//),
      )
      .min(1)
      .max(32)
      .describe('Client URLs of the members. The one with the newest data is asked.'),
    clientTLSSecret: secretName.optional().describe('Secret with `etcd-client.crt`, `etcd-client.key` and `etcd-client-ca.crt`.'),
    storageType,
    s3: s3.optional(),
    directory: directory.optional(),
    backupPolicy: z
      .object({
        timeoutInSecond: seconds.default(0).describe('How long one backup may take; 0 is 60 s.'),
        backupIntervalInSecond: seconds.default(0).describe('Time from one backup to the next; 0 is one backup alone.'),
        maxBackups: k.int32().min(0).default(0).describe('The newest so many are kept; 0 is all. Counts for periodic backups only.'),
        maxAgeInSecond: seconds
          .default(0)
          .describe('Older ones are removed, but the newest; 0 is never. Counts for periodic backups only.'),
      })
      .prefault({}),
  })
  .check(...blockRules('storageType'));
// #endregion

export const backupStatus = z.object({
  succeeded: z.boolean().optional().describe('Whether the last backup succeeded.'),
  Reason: z.string().optional().describe('Why the last backup failed.'),
  failures: k.int32().optional().describe('How often it has failed since it succeeded last: it is tried again after growing pauses.'),
  etcdVersion: z.string().optional(),
  etcdRevision: k.int64().optional().describe('The backup has all writes up to this revision at least.'),
  isQuorate: z
    .boolean()
    .optional()
    .describe('False: the members had no quorum, and the backup is what one of them knew. A write that was acknowledged may be missing.'),
  lastSuccessDate: k.timestamp().optional(),
  lastBackup: z
    .object({
      path: z.string(),
      bytes: k.int64(),
      sha256: z.string().describe('Digest of the whole file.'),
      endpoint: z.string(),
    })
    .optional()
    .describe('Read back from the store after it was written.'),
  lastAttemptDate: k.timestamp().optional().describe('When the last backup ended, however.'),
  progress: z.string().optional().describe('Progress of the backup that runs.'),
  kept: k.int32().optional().describe('Backups that the store has of a periodic one.'),
  conditions: k.conditions(),
});

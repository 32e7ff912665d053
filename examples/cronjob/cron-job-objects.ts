import type { Stored } from 'keelson';
import type { Job } from 'keelson/kinds';
import type { CronJob } from './cron-job.js';
import { jobFor } from './jobs.js';
import type { Schedule } from './schema.js';

/** Objects for the tests, as the API server returns them. */
type Change = Partial<Omit<CronJob['spec'], 'schedule'>> & {
  readonly schedule?: Partial<Schedule>;
  readonly status?: CronJob['status'];
};

/** Made at midnight of 2030-01-01; every minute unless `schedule` says otherwise. */
export function cronJob({ schedule, status, ...spec }: Change = {}): Stored<CronJob> {
  return {
    apiVersion: 'batch.example.com/v2',
    kind: 'CronJob',
    metadata: {
      name: 'report',
      namespace: 'shop',
      uid: 'uid-of-report',
      resourceVersion: '1',
      generation: 1,
      creationTimestamp: '2030-01-01T00:00:00Z',
    },
    spec: {
      schedule: { minute: '*', hour: '*', dayOfMonth: '*', month: '*', dayOfWeek: '*', ...schedule },
      suspend: false,
      concurrencyPolicy: 'Allow',
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
      jobTemplate: { spec: { template: { spec: { restartPolicy: 'OnFailure', containers: [{ name: 'report', image: 'report:1' }] } } } },
      ...spec,
    },
    ...(status === undefined ? {} : { status }),
  };
}

/** A Job of that CronJob for a time, `Complete` or `Failed`, or neither while it runs. */
export function job(time: string, ended?: 'Complete' | 'Failed'): Stored<Job> {
  const made = jobFor(cronJob(), new Date(time));
  const { name = '' } = made.metadata;
  return {
    ...made,
    metadata: { ...made.metadata, name, namespace: 'shop', uid: `uid-of-${name}`, resourceVersion: '1' },
    status: ended === undefined ? { active: 1 } : { conditions: [{ type: ended, status: 'True' }] },
  };
}

import { Job } from 'keelson/kinds';
import type { CronJob } from './cron-job.js';

/** Holds the time that a Job was made for, which may be long before it was made. */
export const SCHEDULED_AT_ANNOTATION = 'batch.example.com/scheduled-at';

const MINUTE_MS = 60_000;

// #region job
/** The name follows from the time: a process that is ended before it has said so makes no second Job for it. */
export function jobFor({ metadata: { name }, spec: { jobTemplate } }: CronJob, time: Date): Job {
  const { labels, annotations } = jobTemplate.metadata ?? {};
  return Job({
    metadata: {
      name: `${name}-${time.getTime() / MINUTE_MS}`,
      ...(labels === undefined ? {} : { labels }),
      annotations: { ...annotations, [SCHEDULED_AT_ANNOTATION]: time.toISOString() },
    },
    spec: jobTemplate.spec ?? { template: {} },
  });
}
// #endregion

/** `undefined` if a user has taken the annotation away. */
export function scheduledTimeOf({ metadata: { annotations } }: Job): Date | undefined {
  const time = new Date(annotations?.[SCHEDULED_AT_ANNOTATION] ?? '');
  return Number.isNaN(time.getTime()) ? undefined : time;
}

/** How a Job has ended; `active` until then, and while it is being deleted. */
export function stateOf({ status }: Job): 'active' | 'succeeded' | 'failed' {
  const isTrue = (wanted: string): boolean => status?.conditions?.some(({ type, status: is }) => type === wanted && is === 'True') === true;
  if (isTrue('Complete')) return 'succeeded';
  return isTrue('Failed') ? 'failed' : 'active';
}

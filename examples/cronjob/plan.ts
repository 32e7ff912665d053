import type { Job } from 'keelson/kinds';
import type { CronJob } from './cron-job.js';
import { scheduledTimeOf, stateOf } from './jobs.js';
import { newestDue, nextTime } from './schedule.js';

/** The next steps for a CronJob at a time. */
export interface Plan {
  /** Jobs that stay; the others are deleted. */
  readonly kept: readonly Job[];
  /** The scheduled time for which a Job is made now. */
  readonly due?: Date | undefined;
  /** A scheduled time whose deadline is over. */
  readonly missed?: Date | undefined;
  /** When to look again, if nothing changes before. */
  readonly next?: Date | undefined;
  readonly active: readonly string[];
  readonly lastScheduleTime?: Date | undefined;
}

// #region plan
/** It follows from the objects and the time alone, so a new leader goes on where the old one stopped. */
export function planOf(cronJob: CronJob, jobs: readonly Job[], now: Date, deadlineSeconds?: number): Plan {
  const { spec } = cronJob;
  const active = jobs.filter((job) => stateOf(job) === 'active');
  const finished = [...newest(jobs, 'succeeded', spec.successfulJobsHistoryLimit), ...newest(jobs, 'failed', spec.failedJobsHistoryLimit)];
  const last = lastTimeOf(cronJob, jobs);
  const base = { kept: [...active, ...finished], active: namesOf(active), lastScheduleTime: last };
  if (spec.suspend) return base;

  const next = nextTime(spec.schedule, now);
  const time = newestDue(spec.schedule, last ?? new Date(cronJob.metadata.creationTimestamp ?? now), now);
  if (time === undefined) return { ...base, next };
  const { startingDeadlineSeconds: deadline = deadlineSeconds } = spec;
  if (deadline !== undefined && now.getTime() - time.getTime() > deadline * 1_000) return { ...base, next, missed: time };
  // The end of a Job brings the next run: nothing is waited for here.
  if (active.length > 0 && spec.concurrencyPolicy === 'Forbid') return { ...base, next };
  if (active.length > 0 && spec.concurrencyPolicy === 'Replace') return { ...base, kept: finished, next };
  return { ...base, next, due: time, lastScheduleTime: time };
}
// #endregion

/** The status may be older than the newest Job, when it could not be written; the Job may be gone. */
function lastTimeOf({ status }: CronJob, jobs: readonly Job[]): Date | undefined {
  const told = status?.lastScheduleTime === undefined ? [] : [new Date(status.lastScheduleTime)];
  const times = [...told, ...jobs.flatMap((job) => scheduledTimeOf(job) ?? [])];
  return times.toSorted((a, b) => b.getTime() - a.getTime())[0];
}

function newest(jobs: readonly Job[], state: 'succeeded' | 'failed', limit: number): Job[] {
  const timeOf = (job: Job): string => scheduledTimeOf(job)?.toISOString() ?? '';
  return jobs
    .filter((job) => stateOf(job) === state)
    .toSorted((a, b) => timeOf(b).localeCompare(timeOf(a)))
    .slice(0, limit);
}

function namesOf(jobs: readonly Job[]): string[] {
  return jobs.map(({ metadata: { name = '' } }) => name).sort();
}

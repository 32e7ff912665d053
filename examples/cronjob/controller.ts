import { defineController, own } from 'keelson';
import { Job } from 'keelson/kinds';
import { CronJob } from './cron-job.js';
import { jobFor } from './jobs.js';
import { planOf } from './plan.js';

// #region controller
/** Makes a Job at each scheduled time, and keeps as many that have finished as the CronJob says. */
export const cronJobController = defineController({
  name: 'cronjob',
  for: CronJob,
  owns: { jobs: own(Job, { existence: 'once', propagation: 'Foreground' }) },
  reconcile({ object, jobs, events, now, done }) {
    const { kept, due, missed, next, active, lastScheduleTime } = planOf(object, jobs.list(), now());
    if (missed !== undefined) events.warning('MissedSchedule', `the Job of ${missed.toISOString()} was not started before its deadline`);
    const started = due === undefined ? [] : [jobFor(object, due)];
    const running = [...active, ...started.map(({ metadata: { name = '' } }) => name)].sort();
    return done({
      owned: { jobs: [...kept, ...started] },
      status: {
        ...(running.length === 0 ? {} : { active: running }),
        ...(lastScheduleTime === undefined ? {} : { lastScheduleTime: lastScheduleTime.toISOString() }),
      },
      ...(next === undefined ? {} : { requeueAt: next }),
    });
  },
});
// #endregion

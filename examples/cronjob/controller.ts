import { counter, defineController, own, settings } from 'keelson';
import { Job } from 'keelson/kinds';
import { z } from 'zod';
import { CronJob } from './cron-job.js';
import { jobFor } from './jobs.js';
import { planOf } from './plan.js';

// #region controller
const config = settings(
  z.object({ deadlineSeconds: z.number().int().positive().optional().describe('Starting deadline of CronJobs that name none.') }),
  { prefix: 'CRONJOB_' },
);
const missedSchedules = counter('cronjob_missed_schedules_total', 'Times whose deadline was over before their Job was made.');

/** Makes a Job at each scheduled time, and keeps as many that have finished as the CronJob says. */
export const cronJobController = defineController({
  name: 'cronjob',
  for: CronJob,
  owns: { jobs: own(Job, { existence: 'once', propagation: 'Foreground' }) },
  uses: { config, missedSchedules },
  reconcile({ object, jobs, config, missedSchedules, events, now, done }) {
    const { kept, due, missed, next, active, lastScheduleTime } = planOf(object, jobs.list(), now(), config.deadlineSeconds);
    if (missed !== undefined) {
      events.warning('MissedSchedule', `the Job of ${missed.toISOString()} was not started before its deadline`);
      missedSchedules.inc({});
    }
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

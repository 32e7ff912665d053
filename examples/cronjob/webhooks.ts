import { defaulting, validating } from 'keelson';
import { lineOf } from './conversion.js';
import { CronJob } from './cron-job.js';
import { scheduleRefusals } from './schedule.js';

// #region webhooks
/** Pods restart always unless they say otherwise, which the Pods of a Job may not. The schema of a built-in type cannot be given this default. */
export const restartPolicy = defaulting(CronJob, ({ spec: { jobTemplate } }) => {
  const pods = jobTemplate.spec?.template.spec;
  if (pods !== undefined) pods.restartPolicy ??= 'OnFailure';
});

/** A schedule that was there before this check stays: else users could not label or delete its CronJob. */
export const scheduleChecks = validating(CronJob, ({ spec: { schedule } }, { old }) =>
  old !== undefined && lineOf(old.spec.schedule) === lineOf(schedule) ? [] : scheduleRefusals(schedule),
);
// #endregion

import { k } from 'keelson';
import { z } from 'zod';

const jobTemplate = k
  .builtin('JobTemplateSpec')
  .check(k.rule('has(self.spec)', { message: 'must say what the Job runs', fieldPath: '.spec', reason: 'FieldValueRequired' }))
  .describe('The Job that is made at each scheduled time.');

/** All but the schedule, which is what the versions differ in. */
const common = {
  suspend: z.boolean().default(false).describe('No Job is started; those that run go on.'),
  concurrencyPolicy: z
    .enum(['Allow', 'Forbid', 'Replace'])
    .default('Allow')
    .describe(
      'Allow: Jobs may run side by side. Forbid: a Job waits until the one before has finished. Replace: the one before is deleted.',
    ),
  startingDeadlineSeconds: k.int64().min(0).optional().describe('A Job that could not be started for so long is left out. Default: never.'),
  successfulJobsHistoryLimit: k.int32().min(0).max(100).default(3).describe('How many Jobs that have succeeded are kept.'),
  failedJobsHistoryLimit: k.int32().min(0).max(100).default(1).describe('How many Jobs that have failed are kept.'),
  jobTemplate,
};

const status = z.object({
  active: k.set(z.string()).optional().describe('Names of the Jobs that run.'),
  lastScheduleTime: k.timestamp().optional().describe('The scheduled time of the newest Job.'),
  conditions: k.conditions(),
});

// #region schedule
/** One field of a cron pattern: digits, names, and `* , - /`. The webhook checks its meaning. */
const field = (values: string) =>
  z
    .string()
    .max(100)
    .regex(/^[0-9A-Za-z*,/-]+$/)
    .default('*')
    .describe(`${values}; \`*\` means each, \`*/5\` each fifth.`);

const schedule = z.object({
  minute: field('0 to 59'),
  hour: field('0 to 23, UTC'),
  dayOfMonth: field('1 to 31'),
  month: field('1 to 12, or jan to dec'),
  dayOfWeek: field('0 to 6 from Sunday, or sun to sat'),
});
// #endregion

/** The first version: the schedule is a line, as crontabs have it. */
export const v1 = {
  spec: z.object({
    schedule: z
      .string()
      .max(504)
      .regex(/^[0-9A-Za-z*,/-]+( [0-9A-Za-z*,/-]+){4}$/)
      .describe('Minute, hour, day of month, month and day of week, with one space between; UTC.'),
    ...common,
  }),
  status,
};

/** The stored version: the schedule has a field for each part. */
export const v2 = { spec: z.object({ schedule, ...common }), status };

export type Schedule = z.output<typeof schedule>;

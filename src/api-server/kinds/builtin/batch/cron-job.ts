import { invalid, notSupported, required } from '@keelson/kubernetes/apimachinery';
import type { Behaviour } from '../behaviour.js';
import { declaredErrors, type Errors, mustBeOneOf, nonNegative, printedSelector, those } from '../checks/index.js';
import { dropDisabledPodFields, podNameWarnings } from '../core/index.js';
import type { CronJob, CronJobSpec, PodSpec } from '../drafts.js';
import { withStatus } from '../generation.js';
import { isTimeZone, scheduleProblem } from './cron-schedule.js';
import { jobSpecWarnings, setJobSpecDefaults } from './job.js';
import { jobTemplateSpecErrors } from './job-spec-validation.js';

/** Source: kubernetes `pkg/registry/batch/cronjob`, `pkg/apis/batch/{v1,validation}`. */
export const cronJobs: Behaviour<CronJob> = {
  setDefaults(cronJob) {
    const spec = specOf(cronJob);
    spec.concurrencyPolicy ||= 'Allow';
    spec.suspend ??= false;
    spec.successfulJobsHistoryLimit ??= 3;
    spec.failedJobsHistoryLimit ??= 1;
    spec.jobTemplate.spec ??= { template: {} };
    setJobSpecDefaults(spec.jobTemplate.spec);
  },

  ...withStatus<CronJob>({
    newStatus: () => ({}),
    drop: (cronJob, old) => dropDisabledPodFields(podSpecOf(cronJob), old && podSpecOf(old)),
  }),
  validate: (cronJob) => [...specErrors(specOf(cronJob), undefined), ...nameErrors(cronJob.metadata.name)],
  warningsOnCreate: (cronJob) => [...podNameWarnings(cronJob.metadata.name), ...templateWarnings(cronJob)],

  validateUpdate: (cronJob, old) => specErrors(specOf(cronJob), specOf(old)),
  warningsOnUpdate: (cronJob, old) => [
    ...(cronJob.metadata.generation === old.metadata.generation ? [] : templateWarnings(cronJob)),
    ...(specOf(cronJob).schedule.includes('TZ') ? [ZONE_IN_SCHEDULE] : []),
  ],
};

const ZONE_IN_SCHEDULE =
  'cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details';
/** Jobs are called after their CronJob and their time. */
const MAX_NAME_LENGTH = 52;

function specOf(cronJob: CronJob): CronJobSpec {
  const written = cronJob as { spec?: CronJobSpec };
  written.spec ??= { schedule: '', jobTemplate: {} };
  return written.spec;
}

function podSpecOf(cronJob: CronJob): PodSpec | undefined {
  return specOf(cronJob).jobTemplate.spec?.template.spec;
}

/** A missing name is reported elsewhere. */
function nameErrors(name = ''): Errors {
  return name.length > MAX_NAME_LENGTH ? [invalid('metadata.name', name, `must be no more than ${MAX_NAME_LENGTH} characters`)] : [];
}

function templateWarnings(cronJob: CronJob): readonly string[] {
  const { spec } = specOf(cronJob).jobTemplate;
  return spec === undefined ? [] : jobSpecWarnings(spec, 'spec.jobTemplate.spec');
}

function specErrors(spec: CronJobSpec, old: CronJobSpec | undefined): Errors {
  const { schedule, timeZone, jobTemplate } = spec;
  const isZoneNew = old === undefined || old.timeZone !== timeZone;
  return those(
    schedule === '' ? declaredErrors([required('spec.schedule')]) : scheduleErrors(spec, old?.schedule.includes('TZ') === true),
    nonNegative(spec.startingDeadlineSeconds, 'spec.startingDeadlineSeconds'),
    isZoneNew && timeZone !== undefined && timeZoneErrors(timeZone, 'spec.timeZone'),
    mustBeOneOf(['Allow', 'Forbid', 'Replace'])(spec.concurrencyPolicy, 'spec.concurrencyPolicy'),
    jobTemplateErrors(jobTemplate, 'spec.jobTemplate.spec'),
    nonNegative(spec.successfulJobsHistoryLimit, 'spec.successfulJobsHistoryLimit'),
    nonNegative(spec.failedJobsHistoryLimit, 'spec.failedJobsHistoryLimit'),
  );
}

function scheduleErrors({ schedule, timeZone }: CronJobSpec, hadZone: boolean): Errors {
  const field = 'spec.schedule';
  const problem = scheduleProblem(schedule);
  const errors = problem === undefined ? [] : [invalid(field, schedule, problem)];
  if (!schedule.includes('TZ')) return errors;
  if (!hadZone) return [...errors, invalid(field, schedule, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead')];
  return timeZone === undefined
    ? errors
    : [...errors, invalid(field, schedule, 'cannot use both timeZone field and TZ or CRON_TZ in schedule')];
}

function timeZoneErrors(zone: string, path: string): Errors {
  if (zone === '') return [invalid(path, zone, 'timeZone must be nil or non-empty string')];
  const isPart = (part: string): boolean => part !== '.' && part !== '..' && !part.startsWith('-') && /^[A-Za-z.\-_0-9+]{1,14}$/.test(part);
  const unknown = invalid(path, zone, `unknown time zone ${zone}`);
  if (!zone.split('/').every(isPart)) return [unknown];
  const local = 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones';
  if (zone.toLowerCase() === 'local') return zone === 'Local' ? [invalid(path, zone, local)] : [invalid(path, zone, local), unknown];
  return isTimeZone(zone) ? [] : [unknown];
}

function jobTemplateErrors({ spec = { template: {} } }: CronJobSpec['jobTemplate'], path: string): Errors {
  const { selector, manualSelector } = spec;
  return those(
    jobTemplateSpecErrors(spec, path),
    selector !== undefined && invalid(`${path}.selector`, printedSelector(selector), '`selector` will be auto-generated'),
    manualSelector === true && notSupported(`${path}.manualSelector`, true, ['nil', 'false']),
  );
}

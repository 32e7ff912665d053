import { duplicate, type FieldError, invalid, required } from '@keelson/kubernetes/apimachinery';
import { countErrors, type Errors, internalValue } from '../checks/index.js';
import type { Job, JobStatus } from '../drafts.js';
import { semanticEqual } from '../semantic-equal.js';
import { countIndexes, sharedIndex } from './job-indexes.js';
import { withoutValue } from './job-spec-validation.js';

/**
 * Checks of a Job's status, which its controller writes: only changed fields are checked.
 *
 * Source: kubernetes `pkg/registry/batch/job/strategy.go` (`getStatusValidationOptions`), `pkg/apis/batch/validation`.
 */
export function jobStatusErrors(job: Job, old: Job): Errors {
  const change = new StatusChange(job, old);
  const { active, succeeded, failed, ready, terminating } = change.status;
  return [
    ...countErrors({ active, succeeded, failed, ready, terminating }),
    ...uncountedErrors(change.status),
    ...conditionErrors(change),
    ...timeErrors(change),
    ...finishedErrors(change),
    ...indexErrors(change),
    ...readyErrors(change),
    ...criteriaErrors(change),
    ...backwardErrors(change),
  ];
}

class StatusChange {
  readonly job: Job;
  readonly status: JobStatus;
  readonly old: JobStatus;
  readonly isSuspended: boolean;
  readonly isResuming: boolean;

  constructor(job: Job, old: Job) {
    this.job = job;
    this.status = job.status ?? {};
    this.old = old.status ?? {};
    this.isSuspended = job.spec?.suspend === true;
    const resumed = (this.status.conditions ?? []).some(({ type, status }) => type === 'Suspended' && status === 'False');
    this.isResuming = isTrue(this.old, 'Suspended') && resumed;
  }

  is(condition: string): boolean {
    return isTrue(this.status, condition);
  }

  was(condition: string): boolean {
    return isTrue(this.old, condition);
  }

  changed(...conditions: readonly string[]): boolean {
    return conditions.some((condition) => this.is(condition) !== this.was(condition));
  }

  get isFinished(): boolean {
    return this.is('Complete') || this.is('Failed');
  }

  get hasFinishedChanged(): boolean {
    return this.isFinished !== (this.was('Complete') || this.was('Failed'));
  }

  differs(field: keyof JobStatus): boolean {
    return !semanticEqual(this.status[field], this.old[field]);
  }
}

function isTrue({ conditions }: JobStatus, wanted: string): boolean {
  return (conditions ?? []).some(({ type, status }) => type === wanted && status === 'True');
}

const CONDITIONS = 'status.conditions';

function uncountedErrors({ uncountedTerminatedPods: pods }: JobStatus): Errors {
  const seen = new Set<string>();
  return (['succeeded', 'failed'] as const).flatMap((kind) =>
    (pods?.[kind] ?? []).flatMap((uid, index): Errors => {
      const field = `status.uncountedTerminatedPods.${kind}[${index}]`;
      if (uid === '') return [invalid(field, uid, 'must not be empty')];
      const isTwice = seen.has(uid);
      seen.add(uid);
      return isTwice ? [duplicate(field, uid)] : [];
    }),
  );
}

function conditionErrors(change: StatusChange): Errors {
  const isComplete = change.is('Complete');
  const errors: FieldError[] = [];
  if (change.changed('Complete', 'Failed') && isComplete && change.is('Failed')) {
    errors.push(withoutValue(CONDITIONS, 'cannot set Complete=True and Failed=true conditions'));
  }
  if (change.changed('Complete', 'FailureTarget') && isComplete && change.is('FailureTarget')) {
    errors.push(withoutValue(CONDITIONS, 'cannot set Complete=True and FailureTarget=true conditions'));
  }
  return errors;
}

function timeErrors(change: StatusChange): Errors {
  const { status } = change;
  const { startTime, completionTime } = status;
  const field = 'status.completionTime';
  const errors: FieldError[] = [];
  const isComplete = change.is('Complete');
  if (change.changed('Complete') || change.differs('completionTime')) {
    const early = 'cannot set completionTime when there is no Complete=True condition';
    if (completionTime !== undefined && !isComplete) errors.push(invalid(field, completionTime, early));
    if (completionTime === undefined && isComplete) errors.push(required(field, 'completionTime is required for Complete jobs'));
  }
  const isMoved = change.differs('startTime') || change.differs('completionTime');
  if (isMoved && startTime !== undefined && completionTime !== undefined && Date.parse(completionTime) < Date.parse(startTime)) {
    errors.push(invalid(field, completionTime, 'must be equal to or after `startTime`'));
  }
  if ((change.changed('Failed') || change.differs('failedIndexes')) && change.is('Failed') && !change.is('FailureTarget')) {
    errors.push(withoutValue(CONDITIONS, 'cannot set Failed=True condition without the FailureTarget=true condition'));
  }
  if (change.changed('Complete', 'SuccessCriteriaMet') && isComplete && !change.is('SuccessCriteriaMet')) {
    errors.push(withoutValue(CONDITIONS, 'cannot set Complete=True condition without the SuccessCriteriaMet=true condition'));
  }
  return errors;
}

function finishedErrors(change: StatusChange): Errors {
  const { job, status, hasFinishedChanged, isFinished } = change;
  if (!isFinished) return [];
  const { active = 0, startTime, uncountedTerminatedPods: pods } = status;
  const neverRan = change.isSuspended && job.spec?.completions === 0;
  const errors: FieldError[] = [];
  if ((hasFinishedChanged || change.differs('active')) && active > 0) {
    errors.push(invalid('status.active', active, 'active>0 is invalid for finished job'));
  }
  if ((hasFinishedChanged || change.differs('startTime')) && !neverRan && startTime === undefined) {
    errors.push(required('status.startTime', 'startTime is required for finished job'));
  }
  const uncounted = (pods?.failed ?? []).length + (pods?.succeeded ?? []).length;
  if ((hasFinishedChanged || change.differs('uncountedTerminatedPods')) && uncounted > 0) {
    const printed = internalValue('batch/v1.UncountedTerminatedPods', pods);
    errors.push(invalid('status.uncountedTerminatedPods', printed, 'must be empty for finished job'));
  }
  return errors;
}

function indexErrors(change: StatusChange): Errors {
  const { job, status } = change;
  const { completedIndexes = '', failedIndexes } = status;
  const { completions, backoffLimitPerIndex, completionMode } = job.spec ?? {};
  const [completedField, failedField] = ['status.completedIndexes', 'status.failedIndexes'];
  const [isCompletedNew, isFailedNew] = [change.differs('completedIndexes'), change.differs('failedIndexes')];
  const errors: FieldError[] = [];
  const completed = countIndexes(completedIndexes, completions ?? 0);
  if (isCompletedNew && completions !== undefined && typeof completed === 'string') {
    errors.push(invalid(completedField, completedIndexes, `error parsing completedIndexes: ${completed}`));
  }
  const failed = countIndexes(failedIndexes ?? '', completions ?? 0);
  if (isFailedNew && completions !== undefined && backoffLimitPerIndex !== undefined && typeof failed === 'string') {
    errors.push(invalid(failedField, failedIndexes, `error parsing failedIndexes: ${failed}`));
  }
  if (isCompletedNew && completedIndexes !== '' && completionMode !== 'Indexed') {
    errors.push(invalid(completedField, completedIndexes, 'cannot set non-empty completedIndexes when non-indexed completion mode'));
  }
  if (isFailedNew && failedIndexes !== undefined && backoffLimitPerIndex === undefined) {
    errors.push(invalid(failedField, failedIndexes, 'cannot set non-null failedIndexes when backoffLimitPerIndex is null'));
  }
  const shared =
    (isFailedNew || isCompletedNew) && completions !== undefined
      ? sharedIndex(completedIndexes, failedIndexes ?? '', completions)
      : undefined;
  if (shared === undefined) return errors;
  return [...errors, invalid(failedField, failedIndexes, `failedIndexes and completedIndexes overlap at index: ${shared}`)];
}

function readyErrors(change: StatusChange): Errors {
  const { terminating = 0, ready = 0, active = 0 } = change.status;
  const errors: FieldError[] = [];
  if ((change.hasFinishedChanged || change.differs('terminating')) && change.isFinished && terminating > 0) {
    errors.push(invalid('status.terminating', terminating, 'terminating>0 is invalid for finished job'));
  }
  if ((change.differs('ready') || change.differs('active')) && ready > active) {
    errors.push(invalid('status.ready', ready, 'cannot set more ready pods than active'));
  }
  return errors;
}

function criteriaErrors(change: StatusChange): Errors {
  const isMet = change.is('SuccessCriteriaMet');
  const hasPolicy = change.job.spec?.successPolicy !== undefined;
  const problems = [
    isMet && change.is('Failed') && 'cannot set SuccessCriteriaMet=True and Failed=true conditions',
    isMet && change.is('FailureTarget') && 'cannot set SuccessCriteriaMet=True and FailureTarget=true conditions',
    hasPolicy && !isMet && change.is('Complete') && 'cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True',
  ];
  return problems.filter((problem) => problem !== false).map((problem) => withoutValue(CONDITIONS, problem));
}

/** Refuses to take back what a Job has reported. */
function backwardErrors(change: StatusChange): Errors {
  const { job, status, old } = change;
  const { failed = 0, succeeded = 0, completionTime, startTime } = status;
  const { completionMode, completions, parallelism } = job.spec ?? {};
  const errors: FieldError[] = ['Failed', 'Complete', 'FailureTarget']
    .filter((condition) => change.was(condition) && !change.is(condition))
    .map((condition) => withoutValue(CONDITIONS, `cannot disable the terminal ${condition}=True condition`));
  if (failed < (old.failed ?? 0)) errors.push(invalid('status.failed', failed, 'cannot decrease the failed counter'));
  const mayShrink = completionMode === 'Indexed' && completions === parallelism;
  if (!mayShrink && succeeded < (old.succeeded ?? 0))
    errors.push(invalid('status.succeeded', succeeded, 'cannot decrease the succeeded counter'));
  if (completionTime !== undefined && old.completionTime !== undefined && completionTime !== old.completionTime) {
    errors.push(invalid('status.completionTime', completionTime, 'field is immutable'));
  }
  if (old.startTime !== undefined && startTime !== old.startTime && !change.isResuming && !change.isSuspended) {
    errors.push(invalid('status.startTime', startTime ?? null, 'field is immutable for unsuspended job once set'));
  }
  if (change.was('SuccessCriteriaMet') && !change.is('SuccessCriteriaMet')) {
    errors.push(withoutValue(CONDITIONS, 'cannot disable the SuccessCriteriaMet=True condition'));
  }
  if (change.was('Complete') && !change.was('SuccessCriteriaMet') && change.is('SuccessCriteriaMet')) {
    errors.push(withoutValue(CONDITIONS, 'cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions'));
  }
  return errors;
}

import type { Job, JobCondition, Pod } from '@keelson/kubernetes/kinds';
import { millisecondsOf } from '../objects/index.js';
import { byDispensability, isActive, isGoing, isReady, isTerminal } from '../pods/index.js';
import { indexesIn, indexText } from './completion-indexes.js';
import { hasFailed, indexOf, isIndexed, isTracked, replacesFailedOnly } from './job-pods.js';
import { policyVerdict } from './pod-failure-policy.js';

type Status = NonNullable<Job['status']>;

/** Failures in a row: new Pods wait the longer the more there are. */
export interface Failures {
  readonly count: number;
  readonly lastMs: number;
}

export interface JobState {
  readonly job: Job;
  /** Its own. */
  readonly pods: readonly Pod[];
  readonly failures: Failures;
  readonly now: Date;
  /** The same, as the API writes it. */
  readonly time: string;
}

export interface JobPlan {
  readonly status: Status;
  /** Pods to be made, by index (undefined: of a Job without). */
  readonly create: readonly (number | undefined)[];
  readonly remove: readonly Pod[];
  /** Whether the end of those that are removed counts: not where the Job only wants fewer Pods. */
  readonly countsRemoved: boolean;
  /** Pods whose end is counted as soon as the status is written: they may go. */
  readonly release: readonly Pod[];
  readonly failures: Failures;
  readonly recheckAfterMs: number | undefined;
}

const BURST = 500;
const FIRST_PAUSE_MS = 10_000;
const LONGEST_PAUSE_MS = 600_000;

export function isFinished({ status }: Job): JobCondition | undefined {
  return status?.conditions?.find(({ type, status: value }) => (type === 'Complete' || type === 'Failed') && value === 'True');
}

/** The next step of a Job. Source: kubernetes `pkg/controller/job/job_controller.go`. */
export function planJob(state: JobState): JobPlan {
  return new Planning(state).plan();
}

type Finish = Pick<JobCondition, 'message' | 'reason' | 'type'>;

class Planning {
  readonly #state: JobState;
  readonly #rechecks: number[] = [];
  readonly #counted: Counted;

  constructor(state: JobState) {
    this.#state = state;
    this.#counted = count(state);
  }

  plan(): JobPlan {
    const { job, pods, now } = this.#state;
    const active = pods.filter(isActive);
    const status = this.#counted.status;
    const startTime = status.startTime ?? (job.spec.suspend === true ? undefined : this.#state.time);
    const failures = this.#failures();
    const finish = this.#interim() ?? this.#failure(startTime);
    const { create, remove } =
      finish === undefined && !isGoing(job) ? this.#manage(active, failures) : { create: [], remove: finish === undefined ? [] : active };
    const left = active.filter((pod) => !remove.includes(pod));
    const done = finish ?? this.#success(left.length + create.length);
    const next: Status = {
      ...status,
      startTime,
      active: left.length + create.length,
      ready: left.filter(isReady).length,
      terminating: pods.filter((pod) => isGoing(pod) && !isTerminal(pod)).length + remove.length,
    };
    const told = done === undefined ? this.#suspension(next) : this.#finished(next, done);
    const recheckAfterMs =
      this.#rechecks.length === 0 ? undefined : Math.min(...this.#rechecks.map((due) => Math.max(0, due - now.getTime())));
    return { status: told, create, remove, countsRemoved: finish !== undefined, release: this.#counted.release, failures, recheckAfterMs };
  }

  /** The decision that was made before, and is on its way. */
  #interim(): Finish | undefined {
    return this.#state.job.status?.conditions?.find(
      ({ type, status }) => (type === 'SuccessCriteriaMet' || type === 'FailureTarget') && status === 'True',
    ) as Finish | undefined;
  }

  #failure(startTime: string | undefined): Finish | undefined {
    const { job, pods, now } = this.#state;
    const { backoffLimit = 6, activeDeadlineSeconds, suspend = false } = job.spec;
    const target = (reason: string, message: string): Finish => ({ type: 'FailureTarget', reason, message });
    const policy = pods.filter((pod) => hasFailed(job, pod)).map((pod) => policyVerdict(job, pod));
    const fatal = policy.find((verdict) => verdict?.action === 'FailJob');
    if (fatal !== undefined) return target('PodFailurePolicy', fatal.message);
    if (this.#counted.failed > backoffLimit || restartsExceed(job, pods))
      return target('BackoffLimitExceeded', 'Job has reached the specified backoff limit');
    if (activeDeadlineSeconds === undefined || suspend || startTime === undefined) return undefined;
    const due = millisecondsOf(startTime) + activeDeadlineSeconds * 1000;
    if (due <= now.getTime()) return target('DeadlineExceeded', 'Job was active longer than specified deadline');
    this.#rechecks.push(due);
    return undefined;
  }

  #success(active: number): Finish | undefined {
    const { completions } = this.#state.job.spec;
    const { succeeded } = this.#counted;
    const isDone = active === 0 && (completions === undefined ? succeeded > 0 : succeeded >= completions);
    return isDone
      ? { type: 'SuccessCriteriaMet', reason: 'CompletionsReached', message: 'Reached expected number of succeeded pods' }
      : undefined;
  }

  #manage(active: readonly Pod[], failures: Failures): Pick<JobPlan, 'create' | 'remove'> {
    const { job, pods, now } = this.#state;
    const { parallelism = 1, completions, suspend = false } = job.spec;
    if (suspend) return { create: [], remove: active };
    const { succeeded } = this.#counted;
    const open = completions === undefined ? (succeeded > 0 ? active.length : parallelism) : Math.max(0, completions - succeeded);
    const wanted = completions === undefined && succeeded > 0 ? active.length : Math.min(parallelism, open);
    const misplaced = isIndexed(job) ? this.#misplaced(active) : [];
    const good = active.filter((pod) => !misplaced.includes(pod));
    const surplus = Math.max(0, good.length - wanted);
    const remove = [...misplaced, ...byDispensability(good, { now }).slice(0, surplus)];
    const leaving = replacesFailedOnly(job) ? pods.filter((pod) => isGoing(pod) && !isTerminal(pod)).length : 0;
    const missing = Math.min(BURST, Math.max(0, wanted - good.length - leaving));
    if (missing === 0) return { create: [], remove };
    const due = failures.count === 0 ? 0 : failures.lastMs + Math.min(FIRST_PAUSE_MS * 2 ** (failures.count - 1), LONGEST_PAUSE_MS);
    if (due > now.getTime()) {
      this.#rechecks.push(due);
      return { create: [], remove };
    }
    return {
      create: isIndexed(job) ? this.#openIndexes(good).slice(0, missing) : Array.from({ length: missing }, () => undefined),
      remove,
    };
  }

  /** Without an index that is open, or with another one's. */
  #misplaced(active: readonly Pod[]): readonly Pod[] {
    const { completions = 0 } = this.#state.job.spec;
    const taken = new Set<number>();
    return active.filter((pod) => {
      const index = indexOf(pod);
      if (index === undefined || index >= completions || this.#counted.indexes.has(index) || taken.has(index)) return true;
      taken.add(index);
      return false;
    });
  }

  #openIndexes(active: readonly Pod[]): readonly number[] {
    const { job, pods } = this.#state;
    const leaving = replacesFailedOnly(job) ? pods.filter((pod) => isGoing(pod) && !isTerminal(pod)) : [];
    const taken = new Set([...active, ...leaving].map(indexOf));
    const { completions = 0 } = job.spec;
    return Array.from({ length: completions }, (_, index) => index).filter(
      (index) => !this.#counted.indexes.has(index) && !taken.has(index),
    );
  }

  #failures(): Failures {
    const { failures } = this.#state;
    const { newFailures, newSuccesses } = this.#counted;
    const lastSuccess = Math.max(0, ...newSuccesses.map(endOf));
    const after = newFailures.map(endOf).filter((end) => end > lastSuccess || newSuccesses.length === 0);
    const before = newSuccesses.length > 0 ? 0 : failures.count;
    return { count: before + after.length, lastMs: Math.max(failures.lastMs, ...newFailures.map(endOf)) };
  }

  #suspension(status: Status): Status {
    const { job, time } = this.#state;
    const { suspend = false } = job.spec;
    const conditions = status.conditions ?? [];
    const known = conditions.find(({ type }) => type === 'Suspended');
    const isTold = known === undefined ? !suspend : (known.status === 'True') === suspend;
    if (isTold || isGoing(job)) return status;
    const news = suspend
      ? { status: 'True', reason: 'JobSuspended', message: 'Job suspended' }
      : { status: 'False', reason: 'JobResumed', message: 'Job resumed' };
    const condition = { type: 'Suspended', ...news, lastProbeTime: time, lastTransitionTime: time };
    const others = conditions.filter((one) => one !== known);
    return { ...status, conditions: [...others, condition], ...(suspend ? {} : { startTime: time }) };
  }

  /** First that it will be over, then, when all Pods are counted and gone, that it is. */
  #finished(status: Status, finish: Finish): Status {
    const { time } = this.#state;
    const conditions = status.conditions ?? [];
    const as = (type: string): JobCondition => ({
      type,
      status: 'True',
      lastProbeTime: time,
      lastTransitionTime: time,
      reason: finish.reason,
      message: finish.message,
    });
    const withInterim = conditions.some(({ type }) => type === finish.type) ? conditions : [...conditions, as(finish.type)];
    const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
    const isOver =
      succeeded.length + failed.length === 0 && this.#counted.release.length === 0 && status.active === 0 && status.terminating === 0;
    if (!isOver) return { ...status, conditions: withInterim };
    const isSuccess = finish.type === 'SuccessCriteriaMet';
    return {
      ...status,
      conditions: [...withInterim, as(isSuccess ? 'Complete' : 'Failed')],
      ...(isSuccess ? { completionTime: time } : {}),
    };
  }
}

interface Counted {
  readonly status: Status;
  readonly succeeded: number;
  readonly failed: number;
  readonly indexes: ReadonlySet<number>;
  readonly release: readonly Pod[];
  readonly newFailures: readonly Pod[];
  readonly newSuccesses: readonly Pod[];
}

/** Each end counts once: a Pod is noted as uncounted first, then let go, then counted. */
function count({ job, pods }: JobState): Counted {
  const status = job.status ?? {};
  const tracked = new Map(pods.filter(isTracked).map((pod) => [pod.metadata.uid ?? '', pod]));
  const known = { succeeded: status.uncountedTerminatedPods?.succeeded ?? [], failed: status.uncountedTerminatedPods?.failed ?? [] };
  const isOpen = (uid: string): boolean => tracked.has(uid);
  const ended = [...tracked.values()];
  const isNew = ({ metadata: { uid = '' } }: Pod): boolean => !known.succeeded.includes(uid) && !known.failed.includes(uid);
  const newSuccesses = ended.filter((pod) => pod.status?.phase === 'Succeeded' && isNew(pod));
  const allFailures = ended.filter((pod) => hasFailed(job, pod) && isNew(pod));
  const newFailures = allFailures.filter((pod) => policyVerdict(job, pod)?.action !== 'Ignore');
  const indexes = new Set(indexesIn(status.completedIndexes ?? ''));
  const { completions = 0 } = job.spec;
  if (isIndexed(job)) for (const index of newSuccesses.map(indexOf)) if (index !== undefined && index < completions) indexes.add(index);
  const uids = (list: readonly Pod[]): string[] => list.map(({ metadata: { uid = '' } }) => uid);
  const open = {
    succeeded: [...known.succeeded.filter(isOpen), ...(isIndexed(job) ? [] : uids(newSuccesses))],
    failed: [...known.failed.filter(isOpen), ...uids(newFailures)],
  };
  const succeeded = isIndexed(job) ? indexes.size : (status.succeeded ?? 0) + known.succeeded.filter((uid) => !isOpen(uid)).length;
  const failed = (status.failed ?? 0) + known.failed.filter((uid) => !isOpen(uid)).length;
  return {
    status: {
      ...status,
      succeeded,
      failed,
      ...(isIndexed(job) ? { completedIndexes: indexText(indexes) } : {}),
      uncountedTerminatedPods: {
        ...(open.succeeded.length === 0 ? {} : { succeeded: open.succeeded }),
        ...(open.failed.length === 0 ? {} : { failed: open.failed }),
      },
    },
    succeeded: isIndexed(job) ? succeeded : succeeded + open.succeeded.length,
    failed: failed + open.failed.length,
    indexes,
    release: ended.filter((pod) => pod.status?.phase === 'Succeeded' || hasFailed(job, pod)),
    newFailures,
    newSuccesses,
  };
}

/** With OnFailure it is containers that are started again and again. */
function restartsExceed({ spec }: Job, pods: readonly Pod[]): boolean {
  if (spec.template.spec?.restartPolicy !== 'OnFailure') return false;
  const running = pods.filter(({ status }) => status?.phase === 'Running' || status?.phase === 'Pending');
  const restarts = running
    .flatMap(({ status }) => [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])])
    .reduce((sum, { restartCount }) => sum + restartCount, 0);
  const { backoffLimit = 6 } = spec;
  return backoffLimit === 0 ? restarts > 0 : restarts >= backoffLimit;
}

function endOf({ metadata, status }: Pod): number {
  const ends = (status?.containerStatuses ?? [])
    .map(({ state }) => millisecondsOf(state?.terminated?.finishedAt))
    .filter((end) => !Number.isNaN(end));
  return ends.length > 0 ? Math.max(...ends) : millisecondsOf(metadata.deletionTimestamp ?? metadata.creationTimestamp);
}

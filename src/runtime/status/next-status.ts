import type { Condition } from '@keelson/kubernetes/apimachinery';
import type { ConditionInput } from 'keelson/internal/definition';
import type { StatedNames } from './left-statuses.js';
import { KSTATUS } from './share.js';
import { conditionsOf, type StatusFields } from './status-fields.js';
import type { StatusForm } from './status-form.js';
import { OBSERVED_REASON, PAUSED, PAUSED_REASON, WOULD_CHANGE } from './steering-conditions.js';

/** Why it did not end well. */
export type FailureReason = 'ReconcileFailed' | 'FinalizeFailed' | 'Waiting' | 'TerminalError' | 'ObjectUnfit' | 'RetriesExhausted';

/** The end of a reconcile, as the status shows it. */
export type Verdict =
  | { readonly type: 'reconciled' }
  /** It is being deleted, and what `finalize` says is all that there is to say. */
  | { readonly type: 'finalizing' }
  /** It will be tried again: after an error, or because the reconciler waits for something. `isLasting`: a few retries have failed too. */
  | {
      readonly type: 'unfinished';
      readonly reason: FailureReason;
      readonly message: string;
      readonly isLasting?: boolean;
      /** `false`: it could not be run yet. @defaultValue true */
      readonly hasRun?: boolean;
    }
  /** It is not run: all else stays. */
  | { readonly type: 'paused'; readonly message: string }
  /** It was run without writes: all else stays. `undefined`: the run failed. */
  | { readonly type: 'observed'; readonly wouldChange: boolean | undefined; readonly message: string }
  /** Trying again is pointless before the object changes. */
  | { readonly type: 'stalled'; readonly reason: FailureReason; readonly message: string };

export interface StatusQuestion {
  readonly form: StatusForm;
  /** The present status of the object, as far as it is in the controller's share. */
  readonly previous: StatusFields | undefined;
  /** Conditions of other controllers. @defaultValue none */
  readonly beside?: readonly Condition[] | undefined;
  readonly generation: number | undefined;
  readonly now: Date;
  /** The token with which a user has asked for this run. @defaultValue none */
  readonly token?: string | undefined;
  readonly verdict: Verdict;
  /** The reconciler's status; left out: the present one stays. */
  readonly status?: StatusFields | undefined;
  readonly conditions?: readonly ConditionInput[] | undefined;
}

interface Stated {
  readonly type: string;
  readonly status: Condition['status'];
  readonly reason: string;
  readonly message: string;
}

/** Longer ones are cut: the API allows 32768, people read a line. */
const LONGEST_MESSAGE = 2_000;

/** Those of a summary that the framework says for want of another. */
const FRAMEWORK_REASONS: ReadonlySet<string> = new Set<FailureReason | 'Reconciled' | 'PartNotReady'>([
  'Reconciled',
  'PartNotReady',
  'ReconcileFailed',
  'FinalizeFailed',
  'Waiting',
  'TerminalError',
  'ObjectUnfit',
  'RetriesExhausted',
]);

/**
 * The whole status after a reconcile: what the reconciler states, and the framework's part where the schema has a place for it.
 *
 * `lastTransitionTime` moves only when a condition's status does; a condition that is said before and not any more is gone.
 * Source of the conditions: kstatus (`sigs.k8s.io/cli-utils/pkg/kstatus`).
 */
export function nextStatus(question: StatusQuestion): StatusFields {
  const { form, previous = {}, generation, verdict } = question;
  const { conditions: _, ...said } = question.status ?? previous;
  // A failed run is an answer too, but a pause or a wait is not.
  const isRun = verdict.type !== 'paused' && !(verdict.type === 'unfinished' && verdict.hasRun === false);
  const token = isRun ? question.token : undefined;
  const lastHandled = form.hasLastHandled === true ? (token ?? previous['lastHandledReconcile']) : undefined;
  const hasFinished = verdict.type === 'reconciled' || verdict.type === 'stalled';
  return {
    ...said,
    // An unfinished generation has not been observed yet in the sense of the field: readers must not take the status for its result.
    ...(form.hasObservedGeneration && generation !== undefined && hasFinished ? { observedGeneration: generation } : {}),
    ...(lastHandled === undefined ? {} : { lastHandledReconcile: lastHandled }),
    ...conditionsField(question),
  };
}

/** The outcome of a run, as far as it says what is in the status. */
export interface Statement extends Pick<StatusQuestion, 'form' | 'verdict' | 'conditions'> {
  readonly status?: StatusFields | undefined;
  /** The status names the fields that it is about; the others stay. */
  readonly isPart?: boolean | undefined;
}

/** The names that the next run states again if it ends as this one. {@link nextStatus} leaves all others as it finds them. */
export function statedBy({ form, verdict, status, isPart = false, conditions }: Statement): StatedNames {
  if (verdict.type === 'paused' || verdict.type === 'observed') return { fields: new Set(), conditions: new Set([PAUSED, WOULD_CHANGE]) };
  const fields = status !== undefined && !isPart ? undefined : new Set(Object.keys(status ?? {}));
  if (form.hasObservedGeneration) fields?.add('observedGeneration');
  if (form.hasLastHandled === true) fields?.add('lastHandledReconcile');
  const isWhole = conditions !== undefined && verdict.type !== 'finalizing';
  return { fields, conditions: isWhole ? undefined : new Set([...frameworkTypes(form), ...(conditions ?? []).map(({ type }) => type)]) };
}

function frameworkTypes({ hasConditions, summary }: StatusForm): readonly string[] {
  if (!hasConditions || summary === undefined) return [];
  return summary === KSTATUS.ready ? Object.values(KSTATUS) : [summary];
}

function conditionsField(question: StatusQuestion): StatusFields {
  const before = conditionsOf(question.previous);
  const stated = question.conditions?.map(statedCondition) ?? [];
  if (!question.form.hasConditions) {
    // A foreign kind: only what the reconciler states.
    if (question.conditions === undefined) return before.length === 0 ? {} : { conditions: before };
    const all = stated.map((condition) => dated(condition, before, question));
    return { conditions: question.verdict.type === 'finalizing' ? [...without(before, all), ...all] : all };
  }
  const steering = steeringCondition(question.verdict);
  if (steering !== undefined) {
    const others = before.filter(({ type, reason }) => !isSteering(type, reason));
    return { conditions: [...without(others, [steering]), dated(steering, before, question)] };
  }
  // Neither an error nor a deletion says anything of what the reconciler states otherwise: that stays, with the generation that it is about.
  const stays = question.conditions === undefined || question.verdict.type === 'finalizing';
  const kept = stays ? before.filter((condition) => !isFrameworks(condition, question.form)) : [];
  const mine = frameworkConditions(question, stated, kept);
  const all = [...without(stated, mine), ...mine].map((condition) => dated(condition, before, question));
  return { conditions: [...without(kept, all), ...all] };
}

function without<T extends { readonly type: string }>(
  conditions: readonly T[],
  others: readonly { readonly type: string }[],
): readonly T[] {
  return conditions.filter(({ type }) => !others.some((other) => other.type === type));
}

function frameworkConditions(question: StatusQuestion, stated: readonly Stated[], kept: readonly Condition[]): readonly Stated[] {
  const { verdict, form } = question;
  // kstatus knows it by its deletion timestamp, whatever the conditions say.
  if (verdict.type === 'finalizing' || verdict.type === 'paused' || verdict.type === 'observed') return [];
  if (form.summary !== KSTATUS.ready) return [summaryOf(form.summary, verdict, stated)].flat();
  const ready = [...stated, ...kept].find(({ type }) => type === KSTATUS.ready);
  if (verdict.type === 'reconciled') return readiness(ready, question);
  const { reason, message } = verdict;
  const notReady: Stated = { type: KSTATUS.ready, status: 'False', reason, message };
  if (verdict.type === 'stalled') return [notReady, { type: KSTATUS.stalled, status: 'True', reason, message }];
  const reconciling: Stated = { type: KSTATUS.reconciling, status: 'True', reason, message };
  return isStillReady(question, stated, kept) ? [reconciling] : [notReady, reconciling];
}

/**
 * Whether the `Ready` of an unfinished object stays. Ready parts may still be ready, whatever went wrong with the next step; but people read the column alone, and a `True` must not
 * stand there for an older generation, or for as long as runs fail. A `Ready` that this run states stays.
 */
function isStillReady({ verdict, generation = 0 }: StatusQuestion, stated: readonly Stated[], kept: readonly Condition[]): boolean {
  if (stated.some(({ type }) => type === KSTATUS.ready)) return true;
  const before = kept.find(({ type }) => type === KSTATUS.ready);
  if (before?.status !== 'True') return before !== undefined;
  const isOlder = before.observedGeneration !== undefined && before.observedGeneration < generation;
  return !isOlder && !(verdict.type === 'unfinished' && verdict.isLasting === true);
}

/** `Ready` of an object whose run ended well: what the reconciler says, unless another controller's summary says otherwise. */
function readiness(said: Stated | undefined, { form, generation = 0, beside = [] }: StatusQuestion): Stated[] {
  const ready: Stated = said ?? { type: KSTATUS.ready, status: 'True', reason: 'Reconciled', message: '' };
  for (const type of ready.status === 'True' ? (form.needed ?? []) : []) {
    const part = beside.find((condition) => condition.type === type);
    const isCurrent = part?.observedGeneration === undefined || part.observedGeneration >= generation;
    if (part?.status === 'True' && isCurrent) continue;
    const message =
      part === undefined || !isCurrent
        ? `${type} does not say anything of generation ${generation} yet`
        : `${type} is ${part.status}: ${part.reason}${part.message === '' ? '' : `: ${part.message}`}`;
    return [{ type: KSTATUS.ready, status: 'False', reason: 'PartNotReady', message }];
  }
  return said === undefined ? [ready] : [];
}

/** The summary of one of several controllers: no other condition shows its errors. */
function summaryOf(
  type: string | undefined,
  verdict: Exclude<Verdict, { readonly type: 'finalizing' | 'paused' | 'observed' }>,
  stated: readonly Stated[],
): Stated[] {
  if (type === undefined) return [];
  const said = stated.find((condition) => condition.type === type);
  if (verdict.type === 'reconciled') return said === undefined ? [{ type, status: 'True', reason: 'Reconciled', message: '' }] : [];
  if (said !== undefined && said.status !== 'True') return [];
  return [{ type, status: 'False', reason: verdict.reason, message: verdict.message }];
}

/** The condition of a verdict that leaves all others as they are; `undefined` for other verdicts. */
function steeringCondition(verdict: Verdict): Stated | undefined {
  if (verdict.type === 'paused') return { type: PAUSED, status: 'True', reason: PAUSED_REASON, message: verdict.message };
  if (verdict.type !== 'observed') return undefined;
  const { wouldChange, message } = verdict;
  const status = wouldChange === undefined ? 'Unknown' : wouldChange ? 'True' : 'False';
  return { type: WOULD_CHANGE, status, reason: OBSERVED_REASON, message };
}

/** A reconciler may state conditions of the same types, for reasons of its own. */
function isSteering(type: string, reason: string): boolean {
  return (type === PAUSED && reason === PAUSED_REASON) || (type === WOULD_CHANGE && reason === OBSERVED_REASON);
}

/** The summary is the reconciler's once it has stated it. */
function isFrameworks({ type, reason }: Condition, { summary }: StatusForm): boolean {
  if (isSteering(type, reason)) return true;
  if (type === summary) return FRAMEWORK_REASONS.has(reason);
  return Object.values<string>(KSTATUS).includes(type);
}

/** Whether a condition is one by which the framework says that a run has failed or cannot succeed. */
export function isFailureFlag({ type, reason }: Pick<Condition, 'type' | 'reason'>): boolean {
  return (type === KSTATUS.reconciling || type === KSTATUS.stalled) && FRAMEWORK_REASONS.has(reason);
}

function statedCondition({ type, status, reason, message = '' }: ConditionInput): Stated {
  return { type, status: status === 'Unknown' ? status : status ? 'True' : 'False', reason, message };
}

function dated({ type, status, reason, message }: Stated, before: readonly Condition[], { generation, now }: StatusQuestion): Condition {
  const previous = before.find((condition) => condition.type === type);
  return {
    type,
    status,
    reason,
    message: message.length > LONGEST_MESSAGE ? `${message.slice(0, LONGEST_MESSAGE - 1)}…` : message,
    lastTransitionTime: previous?.status === status ? previous.lastTransitionTime : timeText(now),
    ...(generation === undefined ? {} : { observedGeneration: generation }),
  };
}

/** `metav1.Time`: seconds. */
function timeText(time: Date): string {
  return time.toISOString().replace(/\.\d+Z$/, 'Z');
}

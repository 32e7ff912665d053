import type { ConditionInput } from '../../definition/index.js';
import type { Condition } from '../../kubernetes/index.js';
import type { StatusForm } from './status-form.js';

export type StatusFields = Readonly<Record<string, unknown>>;

/** Why it did not end well. */
export type FailureReason = 'ReconcileFailed' | 'FinalizeFailed' | 'Waiting' | 'TerminalError' | 'ObjectUnfit';

/** The end of a reconcile, as the status shows it. */
export type Verdict =
  | { readonly type: 'reconciled' }
  /** It is being deleted, and what `finalize` says is all that there is to say. */
  | { readonly type: 'finalizing' }
  /** It will be tried again: after an error, or because the reconciler waits for something. */
  | { readonly type: 'unfinished'; readonly reason: FailureReason; readonly message: string }
  /** Trying again is pointless before the object changes. */
  | { readonly type: 'stalled'; readonly reason: FailureReason; readonly message: string };

export interface StatusQuestion {
  readonly form: StatusForm;
  /** The present status of the object. */
  readonly previous: StatusFields | undefined;
  readonly generation: number | undefined;
  readonly now: Date;
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

/** Those of kstatus, which Argo CD, Flux and `kubectl wait` understand. `Reconciling` and `Stalled` are there only while they are true. */
const FRAMEWORK_TYPES = { ready: 'Ready', reconciling: 'Reconciling', stalled: 'Stalled' } as const;

/** Those of a `Ready` that the framework says for want of another. */
const FRAMEWORK_REASONS: ReadonlySet<string> = new Set<FailureReason | 'Reconciled'>([
  'Reconciled',
  'ReconcileFailed',
  'FinalizeFailed',
  'Waiting',
  'TerminalError',
  'ObjectUnfit',
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
  const hasFinished = verdict.type === 'reconciled' || verdict.type === 'stalled';
  return {
    ...said,
    // An unfinished generation has not been observed yet in the sense of the field: nobody may take the status for its result.
    ...(form.hasObservedGeneration && generation !== undefined && hasFinished ? { observedGeneration: generation } : {}),
    ...conditionsField(question),
  };
}

function conditionsField(question: StatusQuestion): StatusFields {
  const before = conditionsOf(question.previous);
  const stated = question.conditions?.map(statedCondition) ?? [];
  if (!question.form.hasConditions) {
    // A kind of somebody else: only what the reconciler states.
    if (question.conditions === undefined) return before.length === 0 ? {} : { conditions: before };
    const all = stated.map((condition) => dated(condition, before, question));
    return { conditions: question.verdict.type === 'finalizing' ? [...without(before, all), ...all] : all };
  }
  // Neither an error nor a deletion says anything of what the reconciler states otherwise: that stays, with the generation that it is about.
  const stays = question.conditions === undefined || question.verdict.type === 'finalizing';
  const kept = stays ? before.filter((condition) => !isFrameworks(condition)) : [];
  const mine = frameworkConditions(question.verdict, [...stated, ...kept]);
  const all = [...stated, ...mine].map((condition) => dated(condition, before, question));
  return { conditions: [...without(kept, all), ...all] };
}

function without(conditions: readonly Condition[], others: readonly Condition[]): readonly Condition[] {
  return conditions.filter(({ type }) => !others.some((other) => other.type === type));
}

function frameworkConditions(
  verdict: Verdict,
  others: readonly { readonly type: string; readonly status: Condition['status'] }[],
): Stated[] {
  // kstatus knows it by its deletion timestamp, whatever the conditions say.
  if (verdict.type === 'finalizing') return [];
  const ready = others.find(({ type }) => type === FRAMEWORK_TYPES.ready);
  if (verdict.type === 'reconciled') {
    return ready === undefined ? [{ type: FRAMEWORK_TYPES.ready, status: 'True', reason: 'Reconciled', message: '' }] : [];
  }
  const { reason, message } = verdict;
  const notReady: Stated = { type: FRAMEWORK_TYPES.ready, status: 'False', reason, message };
  if (verdict.type === 'stalled') return [notReady, { type: FRAMEWORK_TYPES.stalled, status: 'True', reason, message }];
  // Ready parts may still be ready, whatever went wrong with the next step.
  return [...(ready === undefined ? [notReady] : []), { type: FRAMEWORK_TYPES.reconciling, status: 'True', reason, message }];
}

/** `Ready` is the reconciler's once it has stated it. */
function isFrameworks({ type, reason }: Condition): boolean {
  if (type === FRAMEWORK_TYPES.ready) return FRAMEWORK_REASONS.has(reason);
  return Object.values<string>(FRAMEWORK_TYPES).includes(type);
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

export function conditionsOf(status: StatusFields | undefined): readonly Condition[] {
  const conditions = status?.['conditions'];
  return Array.isArray(conditions) ? (conditions as readonly Condition[]) : [];
}

/** `metav1.Time`: seconds. */
function timeText(time: Date): string {
  return time.toISOString().replace(/\.\d+Z$/, 'Z');
}

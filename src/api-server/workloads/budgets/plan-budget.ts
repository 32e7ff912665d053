import type { Pod, PodDisruptionBudget } from '@keelson/kubernetes/kinds';
import { isSame, millisecondsOf, scaledCount } from '../objects/index.js';
import { isGoing, isReady } from '../pods/index.js';

type Status = NonNullable<PodDisruptionBudget['status']>;

/** How long an eviction may take to be done. */
const DELETION_TIMEOUT_MS = 120_000;

export interface BudgetState {
  readonly budget: PodDisruptionBudget;
  /** That it chooses. */
  readonly pods: readonly Pod[];
  /** How many Pods their controllers want, together; or what stands in the way of knowing. */
  readonly expected: () => number | { readonly problem: string };
  readonly now: Date;
  readonly time: string;
}

export interface BudgetPlan {
  readonly status: Status;
  readonly recheckAfterMs?: number | undefined;
}

/** The number of evictions that a budget allows. Source: kubernetes `pkg/controller/disruption`. */
export function planBudget(state: BudgetState): BudgetPlan {
  const { budget, pods, now, time } = state;
  const counts = countsOf(state);
  const known = budget.status;
  if ('problem' in counts) {
    const { observedGeneration } = known ?? {};
    const told: News = { type: 'DisruptionAllowed', status: 'False', reason: 'SyncFailed', message: counts.problem };
    const condition = observedGeneration === undefined ? told : { ...told, observedGeneration };
    return { status: { ...base(known), disruptionsAllowed: 0, conditions: withCondition(known, condition, time) } };
  }
  const { expectedPods, desiredHealthy } = counts;
  const disrupted = disruptedPods(state);
  const currentHealthy = pods.filter((pod) => !isGoing(pod) && !disrupted.has(pod.metadata.name) && isReady(pod)).length;
  const disruptionsAllowed = expectedPods <= 0 ? 0 : Math.max(0, currentHealthy - desiredHealthy);
  const observedGeneration = budget.metadata.generation;
  const isAllowed = disruptionsAllowed > 0;
  const condition: News = {
    type: 'DisruptionAllowed',
    status: isAllowed ? 'True' : 'False',
    reason: isAllowed ? 'SufficientPods' : 'InsufficientPods',
    message: '',
    observedGeneration,
  };
  const rechecks = [...disrupted.values()].map((begun) => millisecondsOf(begun) + DELETION_TIMEOUT_MS - now.getTime());
  return {
    status: {
      conditions: withCondition(known, condition, time),
      currentHealthy,
      desiredHealthy,
      disruptionsAllowed,
      expectedPods,
      observedGeneration,
      ...(disrupted.size === 0 ? {} : { disruptedPods: Object.fromEntries(disrupted) }),
    },
    recheckAfterMs: rechecks.length === 0 ? undefined : Math.max(0, Math.min(...rechecks)) + 1,
  };
}

function base(status: Status | undefined): Status {
  return { currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0, ...status };
}

function countsOf({
  budget,
  pods,
  expected,
}: BudgetState): { readonly expectedPods: number; readonly desiredHealthy: number } | { readonly problem: string } {
  const { minAvailable, maxUnavailable } = budget.spec ?? {};
  if (maxUnavailable === undefined && typeof minAvailable === 'number') return { expectedPods: pods.length, desiredHealthy: minAvailable };
  if (maxUnavailable === undefined && minAvailable === undefined) return { expectedPods: 0, desiredHealthy: 0 };
  const expectedPods = expected();
  if (typeof expectedPods !== 'number') return expectedPods;
  const desired =
    maxUnavailable === undefined
      ? scaledCount(minAvailable ?? 0, expectedPods, 'up')
      : expectedPods - scaledCount(maxUnavailable, expectedPods, 'up');
  return { expectedPods, desiredHealthy: Math.max(0, desired) };
}

/** Evictions that were allowed, and are not yet done. */
function disruptedPods({ budget, pods, now }: BudgetState): ReadonlyMap<string, string> {
  const present = new Set(pods.filter((pod) => !isGoing(pod)).map(({ metadata }) => metadata.name));
  const known = Object.entries(budget.status?.disruptedPods ?? {});
  return new Map(known.filter(([name, begun]) => present.has(name) && millisecondsOf(begun) + DELETION_TIMEOUT_MS >= now.getTime()));
}

type BudgetCondition = NonNullable<Status['conditions']>[number];
type News = Omit<BudgetCondition, 'lastTransitionTime'>;

function withCondition(status: Status | undefined, news: News, time: string): BudgetCondition[] {
  const { conditions = [] } = status ?? {};
  const known = conditions.find(({ type }) => type === news.type);
  const lastTransitionTime = known?.status === news.status ? known.lastTransitionTime : time;
  const condition = { ...news, lastTransitionTime };
  return [...conditions.filter((one) => one !== known), isSame(known, condition) && known !== undefined ? known : condition];
}

import type { Pod, ReplicaSet } from '@keelson/kubernetes/kinds';
import { type Claims, claimsOf, controllerOf, isSame, selectorOf } from '../objects/index.js';
import { byDispensability, isActive, isAvailable, isGoing, isReady, isTerminal, nextAvailabilityMs } from '../pods/index.js';

/** Most Pods that are made or deleted in one go. */
const BURST = 500;

export interface ReplicaState {
  readonly replicaSet: ReplicaSet;
  /** The Pods of the namespace: those that count are found by owner and selector. */
  readonly pods: readonly Pod[];
  /** Pods of the ReplicaSets of the same owner. */
  readonly related: readonly Pod[];
  readonly now: Date;
}

export interface ReplicaPlan {
  readonly claims: Claims<Pod>;
  /** How many Pods are to be made. */
  readonly create: number;
  readonly remove: readonly Pod[];
  /** Counted by the status. */
  readonly active: readonly Pod[];
  /** Pods of its own that are being deleted. */
  readonly terminating: number;
  /** When a Pod that is ready will be available. */
  readonly recheckAfterMs: number | undefined;
}

/** The Pods that a ReplicaSet needs. Source: kubernetes `pkg/controller/replicaset`. */
export function planReplicas({ replicaSet, pods, related, now }: ReplicaState): ReplicaPlan {
  const matches = selectorOf(replicaSet.spec.selector);
  const claims = claimsOf(replicaSet, pods.filter(isActive), ({ metadata }) => matches(metadata.labels));
  const active = [...claims.mine, ...claims.adopted];
  const { replicas = 1, minReadySeconds = 0 } = replicaSet.spec;
  const missing = isGoing(replicaSet) ? 0 : replicas - active.length;
  const surplus = Math.min(BURST, Math.max(0, -missing));
  return {
    claims,
    create: Math.min(BURST, Math.max(0, missing)),
    remove: surplus === 0 ? [] : byDispensability(active, { related, now }).slice(0, surplus),
    active,
    terminating: pods.filter((pod) => isTerminating(pod) && isOwned(pod, replicaSet) && matches(pod.metadata.labels)).length,
    recheckAfterMs: nextAvailabilityMs(active, { minReadySeconds, now }),
  };
}

type Status = NonNullable<ReplicaSet['status']>;
type ReplicaCondition = NonNullable<Status['conditions']>[number];

/** The failure to make or delete Pods. */
export interface ReplicaFailure {
  readonly reason: 'FailedCreate' | 'FailedDelete';
  readonly message: string;
}

/** @returns the status to be written; undefined: it says so already */
export function replicaStatus(
  replicaSet: ReplicaSet,
  { active, terminating }: Pick<ReplicaPlan, 'active' | 'terminating'>,
  { failure, now, time }: { readonly failure: ReplicaFailure | undefined; readonly now: Date; readonly time: string },
): Status | undefined {
  const { spec, metadata, status: known } = replicaSet;
  const { minReadySeconds = 0 } = spec;
  const templateLabels = Object.entries(spec.template?.metadata?.labels ?? {});
  const isLabelled = (pod: Pod): boolean => templateLabels.every(([key, value]) => pod.metadata.labels?.[key] === value);
  const status: Status = {
    replicas: active.length,
    fullyLabeledReplicas: active.filter(isLabelled).length,
    readyReplicas: active.filter(isReady).length,
    availableReplicas: active.filter((pod) => isAvailable(pod, { minReadySeconds, now })).length,
    terminatingReplicas: terminating,
    observedGeneration: metadata.generation,
    conditions: conditionsOf(known?.conditions ?? [], failure, time),
  };
  return isSame(withoutZeros(status), withoutZeros(known ?? { replicas: 0 })) ? undefined : status;
}

function conditionsOf(known: readonly ReplicaCondition[], failure: ReplicaFailure | undefined, time: string): readonly ReplicaCondition[] {
  const others = known.filter(({ type }) => type !== 'ReplicaFailure');
  if (failure === undefined) return others.length === known.length ? known : others;
  if (others.length < known.length) return known;
  return [...others, { type: 'ReplicaFailure', status: 'True', lastTransitionTime: time, ...failure }];
}

/** The server does not keep counts of zero, but for one. */
function withoutZeros(status: Status): object {
  return Object.fromEntries(Object.entries(status).filter(([name, value]) => value !== 0 || name === 'terminatingReplicas'));
}

function isTerminating(pod: Pod): boolean {
  return isGoing(pod) && !isTerminal(pod);
}

function isOwned(pod: Pod, { metadata }: ReplicaSet): boolean {
  return controllerOf(pod)?.uid === metadata.uid;
}

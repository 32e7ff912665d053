import type { Pod } from '@keelson/kubernetes/kinds';
import { millisecondsOf } from '../objects/index.js';

export type PodCondition = NonNullable<NonNullable<Pod['status']>['conditions']>[number];

export function conditionOf({ status }: Pod, type: string): PodCondition | undefined {
  return status?.conditions?.find((condition) => condition.type === type);
}

export function isReady(pod: Pod): boolean {
  return conditionOf(pod, 'Ready')?.status === 'True';
}

export function isTerminal({ status }: Pod): boolean {
  return status?.phase === 'Failed' || status?.phase === 'Succeeded';
}

export function isGoing({ metadata }: { readonly metadata: { readonly deletionTimestamp?: string | undefined } }): boolean {
  return metadata.deletionTimestamp !== undefined;
}

/** It runs, or will. */
export function isActive(pod: Pod): boolean {
  return !isTerminal(pod) && !isGoing(pod);
}

/** How long readiness has to last to count, and as of when. */
export interface Availability {
  readonly minReadySeconds: number;
  readonly now: Date;
}

export function isAvailable(pod: Pod, { minReadySeconds, now }: Availability): boolean {
  const condition = conditionOf(pod, 'Ready');
  if (condition?.status !== 'True') return false;
  return minReadySeconds === 0 || millisecondsOf(condition.lastTransitionTime) + minReadySeconds * 1000 <= now.getTime();
}

/** Milliseconds until the next ready Pod has been ready for long enough; undefined: none waits for that. */
export function nextAvailabilityMs(pods: readonly Pod[], { minReadySeconds, now }: Availability): number | undefined {
  const waits = pods
    .filter((pod) => isReady(pod) && !isAvailable(pod, { minReadySeconds, now }))
    .map((pod) => millisecondsOf(conditionOf(pod, 'Ready')?.lastTransitionTime) + minReadySeconds * 1000 - now.getTime());
  return waits.length === 0 ? undefined : Math.min(...waits);
}

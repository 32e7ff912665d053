import type { Pod } from '@keelson/kubernetes/kinds';
import { millisecondsOf } from '../objects/index.js';
import { conditionOf, isActive, isReady } from './pod-state.js';

const PHASES: readonly (string | undefined)[] = ['Pending', 'Unknown', 'Running'];
const DELETION_COST = 'controller.kubernetes.io/pod-deletion-cost';

/**
 * The Pods that go first when there are too many: those that do least. Where Kubernetes decides at random, the name decides here.
 *
 * @param related Pods of the same owner's ReplicaSets: of two Pods, that on the fuller node goes.
 * Source: kubernetes `pkg/controller/controller_utils.go`, ActivePodsWithRanks.
 */
export function byDispensability(pods: readonly Pod[], options: { readonly related?: readonly Pod[]; readonly now: Date }): readonly Pod[] {
  const perNode = new Map<string, number>();
  for (const pod of (options.related ?? []).filter(isActive)) {
    perNode.set(pod.spec.nodeName ?? '', (perNode.get(pod.spec.nodeName ?? '') ?? 0) + 1);
  }
  const ranked = pods.map((pod) => ({ pod, keys: keysOf(pod, perNode.get(pod.spec.nodeName ?? '') ?? 0, options.now) }));
  return ranked.sort((left, right) => compareKeys(left.keys, right.keys)).map(({ pod }) => pod);
}

/** Smaller goes first, one key after the other. */
function keysOf(pod: Pod, neighbours: number, now: Date): readonly (number | string)[] {
  const ready = conditionOf(pod, 'Ready');
  return [
    (pod.spec.nodeName ?? '') === '' ? 0 : 1,
    PHASES.indexOf(pod.status?.phase ?? 'Pending'),
    isReady(pod) ? 1 : 0,
    Number(pod.metadata.annotations?.[DELETION_COST] ?? 0) || 0,
    -neighbours,
    isReady(pod) ? ageRank(ready?.lastTransitionTime, now) : 0,
    -Math.max(0, ...(pod.status?.containerStatuses ?? []).map(({ restartCount = 0 }) => restartCount)),
    ageRank(pod.metadata.creationTimestamp, now),
    pod.metadata.name,
  ];
}

/** Ages count by their order of magnitude only, so that what was made together does not also go together. */
function ageRank(time: string | undefined, now: Date): number {
  return Math.floor(Math.log2(Math.max(1, now.getTime() - millisecondsOf(time ?? now.toISOString()))));
}

function compareKeys(left: readonly (number | string)[], right: readonly (number | string)[]): number {
  for (const [index, key] of left.entries()) {
    const other = right[index] as number | string;
    if (key !== other) return key < other ? -1 : 1;
  }
  return 0;
}

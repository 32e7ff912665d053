import type { Pod, StatefulSet } from 'keelson/kinds';

const REVISION_LABEL = 'controller-revision-hash';

// #region stuck
/**
 * A Pod that keeps a rollout from going on: it is of an older revision and not ready, so the StatefulSet waits for it, and would wait for ever when the older
 * revision cannot become ready. One at a time: each pass of the controller finds the next.
 */
export function stuckPod<T extends Pod>(statefulSets: readonly StatefulSet[], pods: readonly T[]): T | undefined {
  return statefulSets.map((set) => stuckIn(set, pods)).find((pod) => pod !== undefined);
}
// #endregion

function stuckIn<T extends Pod>({ metadata, status }: StatefulSet, pods: readonly T[]): T | undefined {
  const { updateRevision, observedGeneration, updatedReplicas = 0, replicas = 0 } = status ?? {};
  if (updateRevision === undefined || observedGeneration !== metadata.generation || updatedReplicas >= replicas) return undefined;
  return pods
    .filter((pod) => pod.metadata.ownerReferences?.some(({ uid, controller }) => controller === true && uid === metadata.uid) === true)
    .filter((pod) => pod.metadata.deletionTimestamp === undefined)
    .filter((pod) => pod.metadata.labels?.[REVISION_LABEL] !== updateRevision && !isReady(pod))
    .toSorted((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1))[0];
}

function isReady({ status }: Pod): boolean {
  return status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true;
}

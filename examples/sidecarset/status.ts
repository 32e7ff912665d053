import type { ConditionInput } from 'keelson';
import type { Pod } from 'keelson/kinds';
import { isAvailable, isReady } from './pod-state.js';
import type { Rollout } from './rollout.js';
import type { SidecarSet } from './sidecar-set.js';

/** The counts in the status of a SidecarSet. */
export function statusOf(pods: readonly Pod[], { updated }: Rollout, latestRevision: string) {
  return {
    matchedPods: pods.length,
    updatedPods: updated.length,
    readyPods: pods.filter(isReady).length,
    updatedReadyPods: updated.filter(isReady).length,
    latestRevision,
  };
}

/** `Ready`: every Pod serves, with the sidecars of the spec. */
export function conditionsOf(set: SidecarSet, pods: readonly Pod[], rollout: Rollout): ConditionInput[] {
  const available = pods.filter((pod) => isAvailable(pod, set)).length;
  const ready = rollout.updated.length === pods.length && available === pods.length;
  const { reason, message } = ready
    ? { reason: 'PodsUpdated', message: `${pods.length} Pods are updated` }
    : unreadyReason(set, rollout, pods.length - available);
  return [{ type: 'Ready', status: ready, reason, message }];
}

function unreadyReason(
  { spec: { updateStrategy } }: SidecarSet,
  { outdated, needRecreation }: Rollout,
  unavailable: number,
): { readonly reason: string; readonly message: string } {
  if (outdated.length > 0 && updateStrategy.type === 'NotUpdate')
    return { reason: 'UpdateDisabled', message: `${outdated.length} Pods have older images, and the strategy is NotUpdate` };
  if (outdated.length > 0 && updateStrategy.paused)
    return { reason: 'UpdatePaused', message: `${outdated.length} Pods have older images, and the update is paused` };
  if (outdated.length > 0)
    return { reason: 'Updating', message: `${outdated.length} Pods have older images, ${unavailable} Pods are unavailable` };
  if (needRecreation.length > 0)
    return {
      reason: 'PodsNeedRecreation',
      message: `${needRecreation.length} Pods differ in more than images: they have to be created anew`,
    };
  return { reason: 'PodsUnavailable', message: `${unavailable} Pods are unavailable` };
}

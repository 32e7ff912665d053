import { isConsistent, isReady } from '../../../examples/sidecarset/pod-state.js';
import type { SidecarSet } from '../../../examples/sidecarset/sidecar-set.js';
import type { StoredPod } from '../node-player.js';

/** How many Pods were unavailable at a time, as the history tells. */
export function mostUnavailable(history: readonly StoredPod[], set: SidecarSet): number {
  const unavailable = new Set<string>();
  let most = 0;
  for (const pod of history) {
    if (isReady(pod) && isConsistent(pod, set)) unavailable.delete(pod.metadata.name);
    else unavailable.add(pod.metadata.name);
    most = Math.max(most, unavailable.size);
  }
  return most;
}

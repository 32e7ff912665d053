import { defineController, watch } from 'keelson';
import { ControllerRevision, Pod } from 'keelson/kinds';
import { injectedLabel } from './names.js';
import { setsOf } from './pod-marks.js';
import { isMatched } from './pod-state.js';
import { revisionOf, revisionsOf } from './revisions.js';
import { rolloutOf, updateOf } from './rollout.js';
import { SidecarSet } from './sidecar-set.js';
import { conditionsOf, statusOf } from './status.js';

// #region controller
/** Updates the images of running sidecars, a few Pods at a time, and counts. */
export const sidecarSetController = defineController({
  name: 'sidecarset',
  for: SidecarSet,
  owns: { revisions: ControllerRevision },
  watches: {
    pods: watch(Pod, {
      select: { labels: injectedLabel },
      verbs: ['patch'],
      indexes: { set: setsOf },
      enqueue: (pod) => setsOf(pod).map((name) => ({ name })),
    }),
  },
  async reconcile({ object, pods, revisions, events, signal, done }) {
    const matched = () => pods.list({ index: { set: object.metadata.name } }).filter((pod) => isMatched(pod, object));
    // One after the other: where a Pod has changed meanwhile the API server refuses, and the next run sees it.
    for (const pod of rolloutOf(object, matched()).next) {
      signal.throwIfAborted();
      await pods.patch(pod, updateOf(pod, object));
      events.normal('PodUpdated', `Pod ${pod.metadata.namespace}/${pod.metadata.name} gets the images of ${revisionOf(object)}`, {
        related: pod,
      });
    }
    const now = matched();
    const rollout = rolloutOf(object, now);
    const owned = revisionsOf(object, revisions.list(), now);
    return done({
      owned: { revisions: owned },
      status: statusOf(now, rollout, owned[0].metadata.name),
      conditions: conditionsOf(object, now, rollout),
    });
  },
});
// #endregion

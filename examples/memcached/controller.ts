import { defineController, watch } from 'keelson';
import { Deployment, Pod } from 'keelson/kinds';
import { deploymentFor } from './deployment.js';
import { INSTANCE_LABEL, managedLabels, selectorLabels } from './labels.js';
import { Memcached } from './memcached.js';
import { conditionsOf, finalizing, isFinalizing, statusOf } from './status.js';

/** A Pod belongs to a ReplicaSet, so its label names the Memcached, not its owner reference. */
const memcachedOf = ({ metadata }: Pod) => {
  const name = metadata.labels?.[INSTANCE_LABEL];
  return name === undefined ? [] : [{ name }];
};

// #region controller
/** Keeps one Deployment for each Memcached, and reports its state in the status. */
export const memcachedController = defineController({
  name: 'memcached',
  for: Memcached,
  owns: { deployments: Deployment },
  watches: { pods: watch(Pod, { select: { labels: managedLabels }, enqueue: memcachedOf }) },
  reconcile({ object, deployments, pods, done }) {
    const { name } = object.metadata;
    return done({
      owned: { deployments: [deploymentFor(object)] },
      status: statusOf(object, pods.list({ labels: selectorLabels(name) })),
      conditions: conditionsOf(object, deployments.get(name)),
    });
  },
  finalize({ object, events, done }) {
    if (!isFinalizing(object)) return done({ conditions: [finalizing('Unknown')], requeueAfter: '100ms' });
    const { name, namespace } = object.metadata;
    events.warning('Deleting', `Memcached ${name} is being deleted from the namespace ${namespace}`);
    return done({ conditions: [finalizing(true)] });
  },
});
// #endregion

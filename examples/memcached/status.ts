import type { ConditionInput } from 'keelson';
import type { Deployment, Pod } from 'keelson/kinds';
import { selectorLabels } from './labels.js';
import type { Memcached } from './memcached.js';

/** The status of a Memcached. */
export function statusOf({ metadata }: Memcached, pods: readonly Pod[]) {
  const nodes = pods
    .filter((pod) => pod.metadata.deletionTimestamp === undefined)
    .map((pod) => pod.metadata.name ?? '')
    .sort();
  const selector = Object.entries(selectorLabels(metadata.name))
    .map(([label, value]) => `${label}=${value}`)
    .join(',');
  return { nodes, replicas: nodes.length, selector };
}

/** `Available`: some pod serves. `Ready`: every pod serves, and runs what the spec says. */
export function conditionsOf({ spec }: Memcached, deployment: Deployment | undefined): ConditionInput[] {
  // The API server stores an empty status; it is filled in by the controller of Deployments.
  if (deployment?.status?.observedGeneration === undefined) {
    const condition = { status: 'Unknown', reason: 'Reconciling', message: 'the Deployment has not started' } as const;
    return [
      { type: 'Available', ...condition },
      { type: 'Ready', ...condition },
    ];
  }
  const { availableReplicas = 0, updatedReplicas = 0, replicas = 0, observedGeneration } = deployment.status;
  const rolledOut = observedGeneration === deployment.metadata.generation && updatedReplicas === spec.size && replicas === spec.size;
  const ready = rolledOut && availableReplicas === spec.size;
  const message = `${availableReplicas} of ${spec.size} pods are available`;
  return [
    { type: 'Available', status: availableReplicas > 0, reason: availableReplicas > 0 ? 'PodsAvailable' : 'NoPodAvailable', message },
    { type: 'Ready', status: ready, reason: ready ? 'PodsReady' : 'RollingOut', message },
  ];
}

const DEGRADED = { type: 'Degraded', reason: 'Finalizing' } as const;

/** `Degraded`: unknown once the deletion is seen, true when all is done that the operator does before the garbage collector takes over. */
export function finalizing(status: true | 'Unknown'): ConditionInput {
  return { ...DEGRADED, status, message: status === true ? 'the garbage collector takes the Deployment' : 'the deletion has been seen' };
}

/** Whether an earlier run of `finalize` has reported it: the object remembers it when the process does not. */
export function isFinalizing({ status }: Memcached): boolean {
  return status?.conditions?.some(({ type, reason }) => type === DEGRADED.type && reason === DEGRADED.reason) === true;
}

import type { Deployment } from '@keelson/kubernetes/kinds';
import { scaledCount } from '../objects/index.js';

export function isRollingUpdate({ spec: { strategy = {} } }: Deployment): boolean {
  return strategy.type !== 'Recreate';
}

export function maxSurge(deployment: Deployment): number {
  return isRollingUpdate(deployment) ? fenceposts(deployment).surge : 0;
}

export function maxUnavailable(deployment: Deployment): number {
  const { replicas = 1 } = deployment.spec;
  return isRollingUpdate(deployment) ? Math.min(fenceposts(deployment).unavailable, replicas) : 0;
}

/** One of both is at least one: else nothing could ever move. */
function fenceposts({ spec: { replicas = 1, strategy = {} } }: Deployment): { readonly surge: number; readonly unavailable: number } {
  const { maxSurge: surgeOf = 0, maxUnavailable: unavailableOf = 0 } = strategy.rollingUpdate ?? {};
  const surge = scaledCount(surgeOf, replicas, 'up');
  const unavailable = scaledCount(unavailableOf, replicas, 'down');
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable };
}

import type { Deployment, ReplicaSet } from '@keelson/kubernetes/kinds';
import { byAge } from '../objects/index.js';
import { isRollingUpdate, maxSurge } from './fenceposts.js';
import { desiredOf, maxOf } from './replica-set-revisions.js';

export function sizeOf({ spec: { replicas = 1 } }: ReplicaSet): number {
  return replicas;
}

export function totalSize(replicaSets: readonly ReplicaSet[]): number {
  return replicaSets.reduce((sum, replicaSet) => sum + sizeOf(replicaSet), 0);
}

export interface ReplicaSets {
  /** With the template of the Deployment; undefined: not there yet. */
  readonly current: ReplicaSet | undefined;
  readonly old: readonly ReplicaSet[];
}

/** The Deployment has another size than its ReplicaSets were made for. */
export function isScaling({ spec: { replicas = 1 } }: Deployment, { current, old }: ReplicaSets): boolean {
  const all = current === undefined ? old : [...old, current];
  return all.some((replicaSet) => sizeOf(replicaSet) > 0 && (desiredOf(replicaSet) ?? replicas) !== replicas);
}

/**
 * New sizes of ReplicaSets by name when the Deployment's has changed: in the middle of a rollout, old and new grow and shrink in proportion.
 *
 * Source: kubernetes `pkg/controller/deployment/sync.go`, scale.
 */
export function scaledSizes(deployment: Deployment, sets: ReplicaSets): ReadonlyMap<string, number> {
  const { replicas = 1 } = deployment.spec;
  const single = activeOrLatest(sets);
  if (single !== undefined) return new Map([[single.metadata.name, replicas]]);
  const { current, old } = sets;
  const isSaturated =
    current !== undefined &&
    sizeOf(current) === replicas &&
    desiredOf(current) === replicas &&
    current.status?.availableReplicas === replicas;
  if (isSaturated) return new Map(old.filter((replicaSet) => sizeOf(replicaSet) > 0).map(({ metadata }) => [metadata.name, 0]));
  const all = current === undefined ? old : [...old, current];
  return isRollingUpdate(deployment) ? proportionalSizes(deployment, all) : new Map();
}

function activeOrLatest({ current, old }: ReplicaSets): ReplicaSet | undefined {
  const all = current === undefined ? old : [...old, current];
  const active = all.filter((replicaSet) => sizeOf(replicaSet) > 0);
  if (active.length > 1) return undefined;
  return active[0] ?? current ?? [...old].sort(byAge).at(-1);
}

function proportionalSizes(deployment: Deployment, all: readonly ReplicaSet[]): ReadonlyMap<string, number> {
  const { replicas = 1 } = deployment.spec;
  const active = all.filter((replicaSet) => sizeOf(replicaSet) > 0);
  const change = (replicas > 0 ? replicas + maxSurge(deployment) : 0) - totalSize(active);
  // The largest takes what is left over: of equal ones the newest when there is more, the oldest when there is less.
  const ordered = [...active].sort((left, right) => sizeOf(right) - sizeOf(left) || (change > 0 ? byAge(right, left) : byAge(left, right)));
  let given = 0;
  const sizes = ordered.map((replicaSet) => {
    const part = change === 0 ? 0 : within(fractionOf(replicaSet, deployment), change - given);
    given += part;
    return [replicaSet.metadata.name, sizeOf(replicaSet) + part] as [string, number];
  });
  const [first] = sizes;
  if (first !== undefined && change !== 0) first[1] = Math.max(0, first[1] + change - given);
  return new Map(sizes);
}

function within(part: number, allowed: number): number {
  if (allowed === 0) return 0;
  return allowed > 0 ? Math.min(part, allowed) : Math.max(part, allowed);
}

function fractionOf(replicaSet: ReplicaSet, deployment: Deployment): number {
  const { replicas = 1 } = deployment.spec;
  const size = sizeOf(replicaSet);
  if (replicas === 0) return -size;
  const before = maxOf(replicaSet) || (deployment.status?.replicas ?? 0);
  return before === 0 ? 0 : Math.round((size * (replicas + maxSurge(deployment))) / before) - size;
}

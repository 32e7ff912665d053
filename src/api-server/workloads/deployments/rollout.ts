import type { Deployment, ReplicaSet } from '@keelson/kubernetes/kinds';
import { byAge } from '../objects/index.js';
import { isRollingUpdate, maxSurge, maxUnavailable } from './fenceposts.js';
import { type ReplicaSets, sizeOf, totalSize } from './scaling.js';

export type Sizes = ReadonlyMap<string, number>;

const NO_CHANGE: Sizes = new Map();

/** How large a ReplicaSet with the Deployment's template may be now. `all`: with it, where it is there. */
export function newSize(deployment: Deployment, all: readonly ReplicaSet[], size: number): number {
  const { replicas = 1 } = deployment.spec;
  if (!isRollingUpdate(deployment)) return replicas;
  const room = replicas + maxSurge(deployment) - totalSize(all);
  return room <= 0 ? size : size + Math.min(room, replicas - size);
}

/**
 * The next step of a rolling update: the new ReplicaSet grows as far as the surge allows, else the old ones shrink as far as availability allows.
 *
 * Source: kubernetes `pkg/controller/deployment/rolling.go`.
 */
export function rollingStep(deployment: Deployment, current: ReplicaSet, old: readonly ReplicaSet[]): Sizes {
  const { replicas = 1 } = deployment.spec;
  const size = sizeOf(current);
  const wanted = size > replicas ? replicas : newSize(deployment, [...old, current], size);
  if (wanted !== size) return new Map([[current.metadata.name, wanted]]);
  return shrinkOld(
    deployment,
    current,
    old.filter((replicaSet) => sizeOf(replicaSet) > 0),
  );
}

const availableOf = ({ status }: ReplicaSet): number => status?.availableReplicas ?? 0;

function shrinkOld(deployment: Deployment, current: ReplicaSet, old: readonly ReplicaSet[]): Sizes {
  const minAvailable = (deployment.spec.replicas ?? 1) - maxUnavailable(deployment);
  const unavailable = sizeOf(current) - availableOf(current);
  const most = totalSize([...old, current]) - minAvailable - unavailable;
  if (old.length === 0 || most <= 0) return NO_CHANGE;
  const sizes = new Map(old.map((replicaSet) => [replicaSet.metadata.name, sizeOf(replicaSet)]));
  const take = (wanted: number, from: (replicaSet: ReplicaSet, size: number) => number): void => {
    let left = wanted;
    for (const replicaSet of [...old].sort(byAge)) {
      const size = sizes.get(replicaSet.metadata.name) ?? 0;
      const taken = Math.max(0, Math.min(left, from(replicaSet, size)));
      left -= taken;
      sizes.set(replicaSet.metadata.name, size - taken);
    }
  };
  // A Pod that is not available can go first: no client misses it.
  take(most, (replicaSet, size) => size - availableOf(replicaSet));
  const available = [...old, current].reduce((sum, replicaSet) => sum + availableOf(replicaSet), 0);
  take(available - minAvailable, (_replicaSet, size) => size);
  return new Map(
    old.filter((one) => sizes.get(one.metadata.name) !== sizeOf(one)).map(({ metadata: { name } }) => [name, sizes.get(name) ?? 0]),
  );
}

/** For a Deployment whose Pods must not overlap: all old ones go first. */
export function recreateStep({ old }: ReplicaSets): Sizes {
  return new Map(old.filter((replicaSet) => sizeOf(replicaSet) > 0).map(({ metadata }) => [metadata.name, 0]));
}

/** Old ReplicaSets beyond the history that is kept. */
export function outlivedReplicaSets(deployment: Deployment, byRevision: readonly ReplicaSet[]): readonly ReplicaSet[] {
  const { revisionHistoryLimit = 10 } = deployment.spec;
  const alive = byRevision.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  return alive
    .slice(0, Math.max(0, alive.length - revisionHistoryLimit))
    .filter(
      (replicaSet) =>
        sizeOf(replicaSet) === 0 &&
        (replicaSet.status?.replicas ?? 0) === 0 &&
        (replicaSet.metadata.generation ?? 0) <= (replicaSet.status?.observedGeneration ?? 0),
    );
}

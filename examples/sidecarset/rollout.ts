import { selectsLabels } from 'keelson';
import type { Container, Pod } from 'keelson/kinds';
import { hashesOf } from './hashes.js';
import { hashesIn, marked, markedReplaced } from './pod-marks.js';
import { isAvailable, runningContainers, statusesOf } from './pod-state.js';
import type { Share } from './schema.js';
import { allContainers } from './selection.js';
import type { SidecarSet } from './sidecar-set.js';

/** Where the Pods of a SidecarSet stand. */
export interface Rollout {
  /** Have the sidecars of the spec. */
  readonly updated: readonly Pod[];
  /** Have older ones, that differ in their images alone. */
  readonly outdated: readonly Pod[];
  /** Have older ones, that differ in more: only a new Pod can have those of the spec. */
  readonly needRecreation: readonly Pod[];
  /** Are to be updated now. */
  readonly next: readonly Pod[];
}

// #region rollout
/** @param pods those that match. It follows from them alone, so a new leader goes on where the old one stopped. */
export function rolloutOf(set: SidecarSet, pods: readonly Pod[]): Rollout {
  const wanted = hashesOf(set.spec);
  const updated = pods.filter((pod) => hashesIn(pod, set.metadata.name)?.hash === wanted.hash);
  const older = pods.filter((pod) => !updated.includes(pod));
  const outdated = older.filter((pod) => hashesIn(pod, set.metadata.name)?.hashWithoutImage === wanted.hashWithoutImage);
  const needRecreation = older.filter((pod) => !outdated.includes(pod));
  return { updated, outdated, needRecreation, next: nextOf(set, { pods, updated, outdated }) };
}

function nextOf(set: SidecarSet, { pods, updated, outdated }: { pods: readonly Pod[] } & Pick<Rollout, 'updated' | 'outdated'>): Pod[] {
  const { type, paused, selector, partition, maxUnavailable } = set.spec.updateStrategy;
  if (type === 'NotUpdate' || paused) return [];
  const allowed = pods.length - heldBack(partition, pods.length) - updated.length;
  const unavailable = pods.filter((pod) => !isAvailable(pod, set));
  // An update of an unavailable Pod takes nothing away: otherwise one broken image would stop its own repair.
  const isFree = (pod: Pod): boolean => unavailable.includes(pod);
  const candidates = outdated.filter(({ metadata }) => selector === undefined || selectsLabels(selector, metadata.labels)).toSorted(byAge);
  const budget = Math.max(0, roundedUp(maxUnavailable, pods.length) - unavailable.length);
  const ordered = [...candidates.filter(isFree), ...candidates.filter((pod) => !isFree(pod)).slice(0, budget)];
  return ordered.slice(0, Math.max(0, allowed));
}
// #endregion

/** A share below 100 % that is not 0 lets at least one Pod move, however few there are. */
function heldBack(partition: Share, count: number): number {
  if (partition === '100%' || typeof partition === 'number') return Math.min(roundedUp(partition, count), count);
  return Math.min(roundedUp(partition, count), Math.max(0, count - 1));
}

/** 5 % of three Pods are one: rounded down, nothing would ever be updated. */
function roundedUp(share: Share, count: number): number {
  return typeof share === 'number' ? share : Math.ceil((Number.parseInt(share, 10) * count) / 100);
}

/** The youngest first: it serves the fewest; then by name, so that every process comes to the same order. */
function byAge({ metadata: left }: Pod, { metadata: right }: Pod): number {
  const [a, b] = [left, right].map(({ creationTimestamp = '' }) => creationTimestamp);
  if (a !== b) return (a ?? '') < (b ?? '') ? 1 : -1;
  return `${left.namespace}/${left.name}` < `${right.namespace}/${right.name}` ? -1 : 1;
}

/** The changes of a Pod that is updated. */
export interface SidecarUpdate {
  readonly metadata: { readonly resourceVersion: string | undefined; readonly annotations: Record<string, string> };
  readonly spec: { readonly containers: Container[]; readonly initContainers?: Container[] };
}

/**
 * The merge patch that gives a Pod the images of the spec.
 *
 * Lists are replaced as a whole, so it holds only for the version of the Pod that it was made from: the API server refuses it for another one.
 */
export function updateOf(pod: Pod, set: SidecarSet): SidecarUpdate {
  const images = new Map(allContainers(set.spec).map(({ name, image }) => [name, image]));
  const updated = (container: Container): Container => {
    const image = images.get(container.name);
    return image === undefined ? container : { ...container, image };
  };
  const { containers = [], initContainers } = pod.spec ?? {};
  const { name } = set.metadata;
  return {
    metadata: {
      resourceVersion: pod.metadata.resourceVersion,
      annotations: { ...marked(pod, name, hashesOf(set.spec)), ...markedReplaced(pod, name, idsOfChanged(pod, images)) },
    },
    spec: {
      containers: containers.map(updated),
      ...(initContainers === undefined
        ? {}
        : { initContainers: initContainers.map((container) => (container.restartPolicy === 'Always' ? updated(container) : container)) }),
    },
  };
}

function idsOfChanged(pod: Pod, images: ReadonlyMap<string, string | undefined>): Record<string, string> {
  const changed = runningContainers(pod).filter(({ name, image }) => images.has(name) && images.get(name) !== image);
  return Object.fromEntries(changed.map(({ name }) => [name, statusesOf(pod).find((status) => status.name === name)?.containerID ?? '']));
}

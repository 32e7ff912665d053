import type { DaemonSet, Node, Pod } from '@keelson/kubernetes/kinds';
import { byAge, scaledCount } from '../objects/index.js';
import { isAvailable, isGoing, isReady, isTerminal } from '../pods/index.js';
import { hashOf, nodeOf, nodeVerdict } from './daemon-pods.js';

type Status = NonNullable<DaemonSet['status']>;

export interface DaemonState {
  readonly set: DaemonSet;
  readonly nodes: readonly Node[];
  /** Its own. */
  readonly pods: readonly Pod[];
  /** The hash of the wanted template. */
  readonly hash: string;
  readonly now: Date;
}

export interface DaemonPlan {
  /** Nodes that get a Pod. */
  readonly create: readonly string[];
  readonly remove: readonly Pod[];
}

interface OnNode {
  readonly node: Node;
  readonly pods: readonly Pod[];
  readonly shouldRun: boolean;
  readonly mayGoOn: boolean;
}

/** The next step of a DaemonSet on each node. Source: kubernetes `pkg/controller/daemon`; failed Pods are replaced at once here. */
export function planDaemonSet(state: DaemonState): DaemonPlan {
  const places = placesOf(state);
  const kept = keep(state, places);
  const gone = new Set(kept.remove);
  // As in a cluster, where one step waits for the other's news: first the right number of Pods, then the right template.
  if (kept.create.length > 0 || gone.size > 0 || state.set.spec.updateStrategy?.type === 'OnDelete') return kept;
  return surgeOf(state, places) > 0 ? surge(state, places) : replace(state, places);
}

function placesOf({ set, nodes, pods }: DaemonState): readonly OnNode[] {
  return nodes.map((node) => ({
    node,
    pods: [...pods].filter((pod) => nodeOf(pod) === node.metadata.name).sort(byPlaceAndAge),
    ...nodeVerdict(set, node),
  }));
}

function byPlaceAndAge(left: Pod, right: Pod): number {
  const isPlaced = ({ spec }: Pod): number => ((spec.nodeName ?? '') === '' ? 1 : 0);
  return isPlaced(left) - isPlaced(right) || byAge(left, right);
}

function keep(state: DaemonState, places: readonly OnNode[]): DaemonPlan {
  const [create, remove]: [string[], Pod[]] = [[], []];
  for (const { node, pods, shouldRun, mayGoOn } of places) {
    const present = pods.filter((pod) => !isGoing(pod));
    const living = present.filter((pod) => !isTerminal(pod));
    if (!mayGoOn) remove.push(...present);
    else {
      remove.push(...present.filter(isTerminal), ...surplus(state, living, surgeOf(state, places) > 0));
      if (shouldRun && pods.length === 0) create.push(node.metadata.name);
    }
  }
  const known = new Set(places.map(({ node }) => node.metadata.name));
  remove.push(...state.pods.filter((pod) => !isGoing(pod) && (pod.spec.nodeName ?? '') === '' && !known.has(nodeOf(pod))));
  return { create, remove };
}

/** More than one on a node; with a surge, more than one of each template, or an old one whose successor is there. */
function surplus({ set, hash, now }: DaemonState, living: readonly Pod[], maySurge: boolean): readonly Pod[] {
  if (!maySurge) return living.slice(1);
  const [fresh, ...moreFresh] = living.filter((pod) => hashOf(pod) === hash);
  const [old, ...moreOld] = living.filter((pod) => hashOf(pod) !== hash);
  if (fresh === undefined || old === undefined) return [...moreFresh, ...moreOld];
  const isDone = !isReady(old) || isAvailable(fresh, { minReadySeconds: set.spec.minReadySeconds ?? 0, now });
  return [...moreFresh, ...moreOld, ...(isDone ? [old] : [])];
}

function desiredOf(places: readonly OnNode[]): number {
  return places.filter(({ shouldRun }) => shouldRun).length;
}

function surgeOf({ set }: DaemonState, places: readonly OnNode[]): number {
  return scaledCount(set.spec.updateStrategy?.rollingUpdate?.maxSurge ?? 0, desiredOf(places), 'up');
}

function replace({ set, hash, now }: DaemonState, places: readonly OnNode[]): DaemonPlan {
  const { maxUnavailable = 1 } = set.spec.updateStrategy?.rollingUpdate ?? {};
  const most = scaledCount(maxUnavailable, desiredOf(places), 'up');
  const availability = { minReadySeconds: set.spec.minReadySeconds ?? 0, now };
  const [broken, candidates]: [Pod[], Pod[]] = [[], []];
  let unavailable = 0;
  for (const { pods, shouldRun } of places) {
    if (!shouldRun && pods.length === 0) continue;
    const [pod, second] = pods.filter((one) => !isGoing(one));
    const isUp = pod !== undefined && second === undefined && isAvailable(pod, availability);
    if (!isUp) unavailable += 1;
    if (pod === undefined || second !== undefined || hashOf(pod) === hash) continue;
    (isUp ? candidates : broken).push(pod);
  }
  return { create: [], remove: [...broken, ...candidates.slice(0, Math.max(0, most - unavailable))] };
}

function surge(state: DaemonState, places: readonly OnNode[]): DaemonPlan {
  const { set, hash, now } = state;
  const availability = { minReadySeconds: set.spec.minReadySeconds ?? 0, now };
  const [allowed, candidates]: [string[], string[]] = [[], []];
  let surging = 0;
  for (const { node, pods, shouldRun } of places) {
    const living = pods.filter((pod) => !isGoing(pod));
    const fresh = living.find((pod) => hashOf(pod) === hash);
    const old = living.find((pod) => hashOf(pod) !== hash);
    if (old === undefined) continue;
    if (fresh !== undefined) surging += isAvailable(fresh, availability) ? 0 : 1;
    else if (shouldRun) (isAvailable(old, availability) ? candidates : allowed).push(node.metadata.name);
  }
  return { create: [...allowed, ...candidates.slice(0, Math.max(0, surgeOf(state, places) - surging))], remove: [] };
}

/** The counts of the status. */
export function daemonStatus(state: DaemonState, collisionCount: number): Status {
  const { set, hash, now } = state;
  const availability = { minReadySeconds: set.spec.minReadySeconds ?? 0, now };
  const places = placesOf(state);
  const wanted = places.filter(({ shouldRun }) => shouldRun);
  const first = wanted.flatMap(({ pods }) => pods.slice(0, 1));
  const available = first.filter((pod) => isAvailable(pod, availability)).length;
  return {
    currentNumberScheduled: first.length,
    desiredNumberScheduled: wanted.length,
    numberAvailable: available,
    numberMisscheduled: places.filter(({ shouldRun, pods }) => !shouldRun && pods.length > 0).length,
    numberReady: first.filter(isReady).length,
    numberUnavailable: wanted.length - available,
    observedGeneration: set.metadata.generation,
    updatedNumberScheduled: first.filter((pod) => hashOf(pod) === hash).length,
    ...(collisionCount === 0 ? {} : { collisionCount }),
  };
}

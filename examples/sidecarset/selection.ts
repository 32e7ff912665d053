import { selectsLabels } from 'keelson';
import type { Container, Namespace } from 'keelson/kinds';
import { IGNORED_NAMESPACES } from './names.js';
import type { Selector } from './schema.js';
import type { SidecarSet } from './sidecar-set.js';

/** Where a Pod is about to be created, and with which labels. */
export interface Place {
  readonly labels: Readonly<Record<string, string>> | undefined;
  /** That of the request: a ReplicaSet leaves the Pod's own out. */
  readonly namespace: string;
  /** Undefined when the cache has not seen the namespace yet. */
  readonly inNamespace: Pick<Namespace, 'metadata'> | undefined;
}

/** A namespace that is too new to be judged: the creator of the Pod tries again. */
export class UnknownNamespace extends Error {
  override readonly name = 'UnknownNamespace';
}

/**
 * The SidecarSets that add to a Pod.
 *
 * @throws UnknownNamespace when one of them depends on the labels of a namespace that is not known: without an answer no Pod may start without its sidecars
 */
export function setsFor(place: Place, sets: readonly SidecarSet[]): SidecarSet[] {
  if (IGNORED_NAMESPACES.includes(place.namespace)) return [];
  return sets.filter(({ metadata: { name, deletionTimestamp }, spec }) => {
    if (deletionTimestamp !== undefined || spec.injectionPaused || !selectsLabels(spec.selector, place.labels)) return false;
    if (spec.namespaceSelector === undefined) return true;
    if (place.inNamespace === undefined)
      throw new UnknownNamespace(`namespace ${place.namespace} is not in the cache yet, and SidecarSet ${name} selects by its labels`);
    return selectsLabels(spec.namespaceSelector, place.inNamespace.metadata.labels);
  });
}

/** The names of containers that two SidecarSets would both give to some Pod. */
export function sharedNames(set: SidecarSet['spec'], other: SidecarSet['spec']): string[] {
  if (!mayOverlap(set.selector, other.selector) || !mayOverlap(set.namespaceSelector, other.namespaceSelector)) return [];
  const taken = new Set(allContainers(other).map(({ name }) => name));
  return allContainers(set)
    .map(({ name }) => name)
    .filter((name) => taken.has(name));
}

export function allContainers({ initContainers = [], containers }: Pick<SidecarSet['spec'], 'initContainers' | 'containers'>): Container[] {
  return [...initContainers, ...containers];
}

/** The demands of a selector on one label. `undefined` values: any. */
interface Demand {
  readonly isThere: boolean;
  readonly isAbsent: boolean;
  readonly values: ReadonlySet<string> | undefined;
  readonly not: ReadonlySet<string>;
}

/** Whether some labels fit both selectors: when in doubt, yes. */
export function mayOverlap(left: Selector | undefined, right: Selector | undefined): boolean {
  if (left === undefined || right === undefined) return true;
  return [...demandsOf([...expressionsOf(left), ...expressionsOf(right)]).values()].every(isPossible);
}

function expressionsOf({ matchLabels = {}, matchExpressions = [] }: Selector): Expressions {
  return [...Object.entries(matchLabels).map(([key, value]) => ({ key, operator: 'In' as const, values: [value] })), ...matchExpressions];
}

type Expressions = NonNullable<Selector['matchExpressions']>;

function demandsOf(expressions: Expressions): Map<string, Demand> {
  const demands = new Map<string, Demand>();
  for (const { key, operator, values = [] } of expressions) {
    const {
      isThere,
      isAbsent,
      values: known,
      not,
    } = demands.get(key) ?? { isThere: false, isAbsent: false, values: undefined, not: new Set() };
    demands.set(key, {
      isThere: isThere || operator === 'In' || operator === 'Exists',
      isAbsent: isAbsent || operator === 'DoesNotExist',
      values: operator === 'In' ? new Set(values.filter((value) => known?.has(value) ?? true)) : known,
      not: operator === 'NotIn' ? new Set([...not, ...values]) : not,
    });
  }
  return demands;
}

function isPossible({ isThere, isAbsent, values, not }: Demand): boolean {
  if (isThere && isAbsent) return false;
  return values === undefined || [...values].some((value) => !not.has(value));
}

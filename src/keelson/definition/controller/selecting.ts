import { isRecord, type KindInfo, type KubernetesObject } from '@keelson/kubernetes/apimachinery';
import { DefinitionError, type Problem } from '../errors.js';
import type { AllModel, SelectingLabels, SelectorsModel } from '../model.js';
import { flag, isKind, record } from '../option-shape.js';
import type { Towards } from './enqueue.js';

/** Label selectors of an object, over other objects. A field of the spec may be passed as it is: without a value it selects nothing. */
export interface Selectors {
  /** Labels of the objects that are selected: `{}` selects all, `undefined` and `null` select none. */
  readonly labels: SelectingLabels | null | undefined;
  /**
   * Labels of the namespaces that they stand in: `{}` selects all.
   * @defaultValue the namespace of the selecting object; every namespace for a cluster-scoped one
   */
  readonly namespaces?: SelectingLabels | null | undefined;
}

/** Selectors over the selecting object's own namespace. */
export type OwnNamespaceSelectors = Pick<Selectors, 'labels'> & { readonly namespaces?: never };

/** Selectors as `watch` takes them. Opaque: made by {@link toSelectors}. */
export interface Selecting<out TKind extends string = string> extends SelectorsModel, Towards<TKind> {
  readonly '~selecting'?: never;
}

/** All objects of a kind, as `watch` takes them. Opaque: made by {@link toAll}. */
export interface All<out TKind extends string = string> extends AllModel, Towards<TKind> {
  readonly '~all'?: never;
}

const SHAPE = record({ ownNamespace: flag }, 'not an option of toSelectors');

/**
 * Reconciles all objects whose label selectors select the changed one: a ServiceMonitor has got a label, so the Prometheus that selects by it is looked at again.
 *
 * An object counts as selected as it was before the change and as it is after it, so that one which leaves a selection is noticed. The selectors are kept as an
 * index of the objects that the controller is for. A namespace whose labels change counts as well: the operator watches the metadata of Namespaces, and has the
 * right to, unless the watched kind is cluster-scoped or `ownNamespace` is set. The function is pure, and looks at its object only. A selector that the API
 * server would refuse selects nothing and is logged.
 *
 * @example
 * ```ts
 * const controller = defineController({
 *   name: 'memcached',
 *   for: Memcached,
 *   watches: { pods: watch(Pod, { enqueue: toSelectors(Memcached, ({ metadata }) => ({ labels: { matchLabels: { cache: metadata.name } } })) }) },
 *   reconcile: async ({ done }) => done(),
 * });
 * ```
 *
 * @param selecting the kind that the controller is for, in that version
 * @param selectors the selectors of an object
 * @param options `ownNamespace`: only objects in the selecting object's own namespace are selected, and no right on Namespaces is needed
 * @throws DefinitionError when there is no kind or no function.
 */
export function toSelectors<T extends KubernetesObject, const TOwn extends boolean = false>(
  selecting: KindInfo<T>,
  selectors: (object: NoInfer<T>) => NoInfer<TOwn extends true ? OwnNamespaceSelectors : Selectors>,
  options: { readonly ownNamespace?: TOwn | undefined } = {},
): Selecting<T['kind']> {
  const problems: Problem[] = [...kindProblems(selecting, 'selecting'), ...SHAPE(options, '')];
  if (typeof selectors !== 'function')
    problems.push({
      path: 'selectors',
      message: 'is not a function; write one from the object to its selectors: ({ labels, namespaces })',
    });
  if (problems.length > 0) throw new DefinitionError('toSelectors', problems);
  return Object.freeze({
    selecting,
    selectors: selectors as SelectorsModel['selectors'],
    ownNamespace: options.ownNamespace ?? false,
  });
}

/**
 * Reconciles all objects that the controller is for: what has changed concerns each of them, as a cluster-wide configuration does.
 *
 * Every change costs a run of each object. Narrow the watch with `select`, so that few changes count.
 *
 * @example
 * ```ts
 * const controller = defineController({
 *   name: 'memcached',
 *   for: Memcached,
 *   watches: { defaults: watch(ConfigMap, { select: { fields: { 'metadata.name': 'defaults' } }, enqueue: toAll(Memcached) }) },
 *   reconcile: async ({ done }) => done(),
 * });
 * ```
 *
 * @throws DefinitionError when there is no kind.
 */
export function toAll<T extends KubernetesObject>(kind: KindInfo<T>): All<T['kind']> {
  const problems = kindProblems(kind, 'kind');
  if (problems.length > 0) throw new DefinitionError('toAll', problems);
  return Object.freeze({ all: kind });
}

export function isSelecting(enqueue: unknown): enqueue is SelectorsModel {
  return isRecord(enqueue) && isKind(enqueue['selecting']) && typeof enqueue['selectors'] === 'function';
}

export function isAll(enqueue: unknown): enqueue is AllModel {
  return isRecord(enqueue) && isKind(enqueue['all']);
}

/** Whether the labels of namespaces decide what is selected. */
export function followsNamespaces(enqueue: unknown, watched: Pick<KindInfo, 'scope'>): enqueue is SelectorsModel {
  return isSelecting(enqueue) && !enqueue.ownNamespace && watched.scope === 'Namespaced';
}

/** The objects must be those that the controller has in its cache. */
export function selectingProblems(enqueue: unknown, primary: KindInfo, path: string): Problem[] {
  if (isAll(enqueue)) return wrongKind(enqueue.all, primary, { path, written: `toAll(${primary.kind})` });
  if (!isSelecting(enqueue)) return [];
  const problems = wrongKind(enqueue.selecting, primary, { path, written: `toSelectors(${primary.kind}, ...)` });
  if (enqueue.ownNamespace && primary.scope === 'Cluster')
    problems.push({ path, message: `sets ownNamespace, but ${primary.kind} is cluster-scoped and has no namespace; leave it out` });
  return problems;
}

function wrongKind(given: KindInfo, primary: KindInfo, { path, written }: { readonly path: string; readonly written: string }): Problem[] {
  if (given.group === primary.group && given.kind === primary.kind && given.version === primary.version) return [];
  const [found, wanted] = [given, primary].map(({ kind, version }) => `${kind} ${version}`);
  return [{ path, message: `reconciles objects of ${found}, but the controller is for ${wanted}; write ${written}` }];
}

function kindProblems(kind: unknown, path: string): Problem[] {
  return isKind(kind) ? [] : [{ path, message: 'is not a kind; give the kind that the controller is for' }];
}

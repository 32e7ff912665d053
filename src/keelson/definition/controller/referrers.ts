import { isRecord, type KindInfo, type KubernetesObject, type ObjectKey, type Scope } from '@keelson/kubernetes/apimachinery';
import { DefinitionError, type Problem } from '../errors.js';
import type { Reference, ReferrersModel } from '../model.js';
import { isKind } from '../option-shape.js';
import type { Towards } from './enqueue.js';

/** References as `watch` takes them. Opaque: made by {@link toReferrers}. */
export interface Referrers<out TKind extends string = string> extends ReferrersModel, Towards<TKind> {
  readonly '~referrers'?: never;
}

/**
 * Reconciles all objects that refer to the changed one: a Secret has changed, so every Memcached that names it in its spec is looked at again.
 *
 * The references are kept as an index of the objects that the controller is for: a change costs one look-up, however many objects there are, and an object
 * whose reference changes is found under the new name at once. The function is pure, and looks at its object only. It needs no right: the referring objects
 * are watched anyway.
 *
 * @example
 * ```ts
 * const controller = defineController({
 *   name: 'memcached',
 *   for: Memcached,
 *   watches: { secrets: watch(Secret, { enqueue: toReferrers(Memcached, ({ spec }) => [{ name: spec.secretName }]) }) },
 *   reconcile: async ({ done }) => done(),
 * });
 * ```
 *
 * @param referrer the kind that the controller is for, in that version
 * @param references what an object refers to; all names are of the watched kind
 * @throws DefinitionError when there is no kind or no function.
 */
export function toReferrers<T extends KubernetesObject>(
  referrer: KindInfo<T>,
  references: (object: NoInfer<T>) => readonly Reference[],
): Referrers<T['kind']> {
  const problems: Problem[] = [];
  if (!isKind(referrer)) problems.push({ path: 'referrer', message: 'is not a kind; give the kind that the controller is for' });
  if (typeof references !== 'function') {
    problems.push({ path: 'references', message: 'is not a function; write one from the object to what it refers to: [{ name }]' });
  }
  if (problems.length > 0) throw new DefinitionError('toReferrers', problems);
  return Object.freeze({ referrer, references: references as ReferrersModel['references'] });
}

/** Named objects as `watch` takes them under `only`. Opaque: made by {@link referenced}. */
export interface Referenced<out TKind extends string = string> extends ReferrersModel, Towards<TKind> {
  readonly '~referenced'?: never;
}

/**
 * The objects that those which the controller is for refer to, and no others: one watch for each name, begun when the first object names it and ended when none
 * does any more.
 *
 * A change of such an object reconciles all that refer to it, and a run begins when all that its object refers to has been read. The process holds nothing
 * else of the kind, however many there are; for hundreds of names one watch of the whole kind with {@link toReferrers} costs the API server less. The right is
 * on all objects of the kind, since no name is known before an object says it. The function is pure, and looks at its object only.
 *
 * @example
 * ```ts
 * const controller = defineController({
 *   name: 'memcached',
 *   for: Memcached,
 *   watches: { secrets: watch(Secret, { only: referenced(Memcached, ({ spec }) => [spec.secretName]) }) },
 *   reconcile: async ({ done }) => done(),
 * });
 * ```
 *
 * @param referrer the kind that the controller is for, in that version
 * @param names names in the object's own namespace, or `{ name, namespace }`; `undefined` and `''` refer to nothing
 * @throws DefinitionError when there is no kind or no function.
 */
export function referenced<T extends KubernetesObject>(
  referrer: KindInfo<T>,
  names: (object: NoInfer<T>) => readonly (string | null | undefined | Reference)[],
): Referenced<T['kind']> {
  const problems: Problem[] = [];
  if (!isKind(referrer)) problems.push({ path: 'referrer', message: 'is not a kind; give the kind that the controller is for' });
  if (typeof names !== 'function')
    problems.push({ path: 'names', message: 'is not a function; write one from the object to names: ({ spec }) => [spec.secretName]' });
  if (problems.length > 0) throw new DefinitionError('referenced', problems);
  return Object.freeze({
    referrer,
    references: (object: never) => names(object).map(asReference),
  });
}

function asReference(named: string | null | undefined | Reference): Reference {
  if (named === null || named === undefined) return { name: undefined };
  return typeof named === 'string' ? { name: named } : named;
}

export function isReferrers(enqueue: unknown): enqueue is ReferrersModel {
  return isRecord(enqueue) && isKind(enqueue['referrer']) && typeof enqueue['references'] === 'function';
}

/** The references must be those of the objects that the controller has in its cache. */
export function referrersProblems({ referrer }: ReferrersModel, primary: KindInfo, path: string, maker = 'toReferrers'): Problem[] {
  if (referrer.group === primary.group && referrer.kind === primary.kind && referrer.version === primary.version) return [];
  const [given, wanted] = [referrer, primary].map(({ kind, version }) => `${kind} ${version}`);
  return [
    { path, message: `finds the referrers among ${given}, but the controller is for ${wanted}; write ${maker}(${primary.kind}, ...)` },
  ];
}

/**
 * The keys under which an object is found when something changes that it refers to, each once.
 *
 * A reference without a namespace means the object's own; keys of a cluster-scoped kind have none.
 *
 * @param watched the kind that is referred to
 */
export function referencedKeys(
  object: KubernetesObject,
  { references }: Pick<ReferrersModel, 'references'>,
  watched: Pick<KindInfo, 'scope'>,
): readonly ObjectKey[] {
  const found = references(object as never).flatMap((reference) => keyOf(reference, watched.scope, object.metadata.namespace));
  return found.filter((key, index) => found.findIndex((other) => other.name === key.name && other.namespace === key.namespace) === index);
}

function keyOf({ name, namespace }: Reference, scope: Scope, own: string | undefined): ObjectKey[] {
  if (name === undefined || name === '') return [];
  if (scope === 'Cluster') return [{ name }];
  const place = namespace ?? own;
  // A cluster-scoped object that names no namespace refers to nothing that could exist.
  return place === undefined ? [] : [{ name, namespace: place }];
}

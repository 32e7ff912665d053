import { isRecord, type KindInfo, type KubernetesObject } from '@keelson/kubernetes/apimachinery';
import type { Problem } from '../errors.js';
import type { ReadModel } from '../model.js';
import { namedNamespaceProblems } from '../named-namespaces.js';
import { choice, flag, isKind, listOf, mustHaveShape, nameOr, record, text } from '../option-shape.js';
import { type MarkedOptional, optionalMark } from './optional.js';

type ReadVerb = 'get' | 'list';

/** A declaration that `reads` takes beside a bare kind; without type parameters, as {@link DeclaredOwn}. */
export interface DeclaredRead {
  readonly kind: KindInfo;
  readonly verbs: readonly string[];
}

/** A kind that is read on demand, with the verbs that are granted. Opaque: made by {@link read}. */
export interface Read<out T, out TVerb extends ReadVerb> extends ReadModel {
  readonly '~read'?: { readonly object: T; readonly verb: TVerb } | undefined;
}

const SHAPE = record({ verbs: listOf(choice('get', 'list')), namespaces: listOf(text), optional: flag }, 'not an option of a read kind');

export interface ReadOptions<TVerb extends ReadVerb, TOptional extends boolean = false> {
  /** @defaultValue `get` and `list` */
  readonly verbs?: readonly TVerb[] | undefined;
  /**
   * The only namespaces that are read: rights are granted in these alone, whatever the scope of the operator is. With a single one, a name means an object there.
   * @defaultValue all that the operator looks for its objects in
   */
  readonly namespaces?: readonly string[] | undefined;
  /**
   * Whether the operator works without the kind: its handle has `isServed`, and the objects are reconciled when its CustomResourceDefinition is installed. The rights are the same.
   * @defaultValue `false`: the controller waits until the API server serves the kind
   */
  readonly optional?: TOptional | undefined;
}

const BOTH: readonly ReadVerb[] = Object.freeze(['get', 'list'] as const);

/**
 * Declares a kind that is read on demand by fewer verbs than both, or in named namespaces: `read(Secret, { verbs: ['get'], namespaces: ['vault'] })` grants `get`
 * alone, and in the namespace `vault` alone.
 *
 * A bare kind under `reads` has `get` and `list`.
 *
 * @example
 * ```ts
 * const controller = defineController({
 *   name: 'memcached',
 *   for: Memcached,
 *   reads: { secrets: read(Secret, { verbs: ['get'] }) },
 *   async reconcile({ object, secrets, log, done }) {
 *     if ((await secrets.get(object.spec.secretName)) === undefined) log.info('the Secret is missing');
 *     return done();
 *   },
 * });
 * ```
 *
 * @throws DefinitionError for other verbs
 */
export function read<T extends KubernetesObject, const TVerb extends ReadVerb = ReadVerb, const TOptional extends boolean = false>(
  kind: KindInfo<T>,
  options: ReadOptions<TVerb, TOptional>,
): Read<T, TVerb> & MarkedOptional<TOptional> {
  mustHaveShape(`read of ${nameOr(kind, 'kind', 'an unknown kind')}`, options, SHAPE);
  const { verbs = BOTH, namespaces } = options;
  const declared: Read<T, TVerb> = {
    kind,
    verbs: Object.freeze([...new Set(verbs)]),
    ...(namespaces === undefined ? {} : { namespaces: Object.freeze([...namespaces]) }),
    ...optionalMark(options),
  };
  return Object.freeze(declared) as Read<T, TVerb> & MarkedOptional<TOptional>;
}

/** A read kind in whole, from what is declared. */
export function readOf(declared: KindInfo | ReadModel): ReadModel {
  return isKind(declared) ? Object.freeze({ kind: declared, verbs: BOTH }) : declared;
}

/** Whether it comes from `read()`; its form is checked there. */
export function isRead(value: unknown): value is ReadModel {
  return isRecord(value) && Array.isArray(value['verbs']) && !isRecord(value['indexes']);
}

export function readProblems({ kind, verbs, namespaces }: ReadModel, path: string): Problem[] {
  const empty = { path: `${path}.verbs`, message: 'is empty; the handle could read nothing: name a verb, or leave the handle out' };
  return [...(verbs.length > 0 ? [] : [empty]), ...namedNamespaceProblems(namespaces, kind, `${path}.namespaces`)];
}

import { groupVersionOf, type KindInfo, type KubernetesObject, type ObjectKey } from '@keelson/kubernetes/apimachinery';
import { DefinitionError, type Problem } from '../errors.js';
import { isKind } from '../option-shape.js';

/** Says which objects a change concerns. Names alone mean the namespace of the changed object. */
export type Enqueue<in T> = (object: T) => readonly ObjectKey[];

/** A function that finds objects of one kind: the controller must be for that kind. `TKind` is the kind's name. */
export interface Towards<out TKind extends string> {
  readonly '~towards'?: TKind | undefined;
}

/** A kind whose name the compiler knows. */
export type KindNamed<TKind extends string> = Pick<KindInfo, 'group' | 'kind' | 'scope'> & {
  readonly '~object'?: { readonly kind: TKind } | undefined;
};

/** Follows changed objects to their controller owner; may be called like any function that enqueues. */
export interface OwnersOf<out TKind extends string> extends Towards<TKind> {
  (object: KubernetesObject): readonly ObjectKey[];
}

/** The note that {@link toOwner} leaves at its function, for untyped callers. */
interface OwnerNote {
  readonly owner: { readonly kind: string; readonly group?: string | undefined };
}

/**
 * Reconciles the controller owner of the changed object.
 *
 * Give the kind to distinguish owners of one kind name in two groups; the plain name serves where the kind is declared further down. A change of an object that
 * has no such owner reconciles nothing. The owner is of the kind that the controller is for; another kind does not compile.
 *
 * @example
 * ```ts
 * const controller = defineController({
 *   name: 'memcached',
 *   for: Memcached,
 *   watches: { pods: watch(Pod, { enqueue: toOwner(Memcached) }) },
 *   reconcile: async ({ pods, done }) => done({ status: merge({ ready: pods.list().length }) }),
 * });
 * ```
 */
export function toOwner<const TKind extends string>(owner: TKind | KindNamed<TKind>): OwnersOf<TKind> {
  if (typeof owner !== 'string' && !isKind(owner))
    throw new DefinitionError('toOwner', [{ path: 'owner', message: "is not a kind; give a kind, or its name: toOwner('Memcached')" }]);
  const named: string | KindInfo = owner;
  const note: OwnerNote = { owner: typeof named === 'string' ? { kind: named } : { kind: named.kind, group: named.group } };
  return Object.freeze(Object.assign(({ metadata }: KubernetesObject) => ownersOf(metadata, named), note));
}

/** An owner of another kind is never found: nothing would ever run, without a word. */
export function ownerProblems(enqueue: unknown, primary: KindInfo, path: string): Problem[] {
  const note = typeof enqueue === 'function' ? (enqueue as Partial<OwnerNote>).owner : undefined;
  if (note === undefined || (note.kind === primary.kind && (note.group ?? primary.group) === primary.group)) return [];
  const given = note.group === undefined || note.group === '' ? note.kind : `${note.kind} of ${note.group}`;
  const message = `follows the changed object to its owner among ${given}, but the controller is for ${primary.kind}${primary.group === '' ? '' : ` of ${primary.group}`}; write toOwner(${primary.kind}), or a function that returns the keys`;
  return [{ path, message }];
}

function ownersOf({ ownerReferences, namespace }: KubernetesObject['metadata'], owner: KindInfo | string): ObjectKey[] {
  return (ownerReferences ?? [])
    .filter((reference) => reference.controller === true && refersTo(reference, owner))
    .map(({ name }): ObjectKey => {
      // An owner stands in its child's namespace, or is cluster-scoped; then the runtime drops the namespace.
      const clusterScoped = typeof owner !== 'string' && owner.scope === 'Cluster';
      return clusterScoped || namespace === undefined ? { name } : { name, namespace };
    });
}

function refersTo(reference: { readonly apiVersion: string; readonly kind: string }, owner: KindInfo | string): boolean {
  if (typeof owner === 'string') return reference.kind === owner;
  // Any version of the group: the reference carries the version of the day it was written.
  const { group } = groupVersionOf(reference.apiVersion);
  return reference.kind === owner.kind && group === owner.group;
}

import { groupVersionOf, type KindInfo, type KubernetesObject, type ObjectKey } from '../../kubernetes/index.js';
import { DefinitionError } from '../errors.js';
import { isKind } from '../option-shape.js';
import type { Enqueue } from './watch.js';

/**
 * Reconciles the controller owner of the changed object.
 *
 * Give the kind to tell owners of one kind name in two groups apart; the plain name serves where the kind is declared further down. A change of an object that
 * has no such owner reconciles nothing.
 */
export function toOwner(owner: Pick<KindInfo, 'group' | 'kind' | 'scope'> | string): Enqueue<KubernetesObject> {
  if (typeof owner !== 'string' && !isKind(owner))
    throw new DefinitionError('toOwner', [{ path: 'owner', message: "is no kind; give a kind, or its name: toOwner('Memcached')" }]);
  return ({ metadata }) =>
    (metadata.ownerReferences ?? [])
      .filter((reference) => reference.controller === true && isOwner(reference, owner))
      .map(({ name }): ObjectKey => {
        // An owner stands in its child's namespace, or is cluster-scoped; then the runtime drops the namespace.
        const clusterScoped = typeof owner !== 'string' && owner.scope === 'Cluster';
        return clusterScoped || metadata.namespace === undefined ? { name } : { name, namespace: metadata.namespace };
      });
}

function isOwner(
  reference: { readonly apiVersion: string; readonly kind: string },
  owner: Pick<KindInfo, 'group' | 'kind'> | string,
): boolean {
  if (typeof owner === 'string') return reference.kind === owner;
  // Any version of the group: the reference carries the version of the day it was written.
  const { group } = groupVersionOf(reference.apiVersion);
  return reference.kind === owner.kind && group === owner.group;
}

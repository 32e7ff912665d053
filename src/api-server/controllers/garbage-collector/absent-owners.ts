import { groupVersionOf, type OwnerReference } from '@keelson/kubernetes/apimachinery';
import type { JsonObject } from '../../contract/index.js';
import { metaOf } from '../metadata.js';

/** How many are remembered, as upstream. */
const MAX_OWNERS = 500;

/**
 * Owners whose deletion the collector has seen. Their dependents go even if the kind of the owner is served no longer: a definition that is deleted takes
 * its objects along, and what those owned must not stay because the kind was gone before the collector looked.
 *
 * Source: `absentOwnerCache` in kubernetes `pkg/controller/garbagecollector`, which remembers 500, too.
 */
export class AbsentOwners {
  readonly #keys = new Set<string>();

  add(owner: JsonObject): void {
    const { name, namespace = '', uid } = metaOf(owner);
    const key = keyOf({ apiVersion: String(owner['apiVersion']), kind: String(owner['kind']), name, uid }, namespace);
    this.#keys.delete(key);
    this.#keys.add(key);
    const [oldest] = this.#keys;
    if (this.#keys.size > MAX_OWNERS && oldest !== undefined) this.#keys.delete(oldest);
  }

  /** Whether this owner of an object in `namespace` is known to be gone. One in another namespace does not count. */
  has(reference: OwnerReference, namespace: string): boolean {
    return this.#keys.has(keyOf(reference, '')) || this.#keys.has(keyOf(reference, namespace));
  }
}

function keyOf({ apiVersion, kind, name, uid }: Omit<OwnerReference, 'controller' | 'blockOwnerDeletion'>, namespace: string): string {
  return [groupVersionOf(apiVersion).group, kind, namespace, name, uid].join('\n');
}

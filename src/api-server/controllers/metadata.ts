import type { ObjectMeta, OwnerReference } from '@keelson/kubernetes/apimachinery';
import type { JsonObject } from '../contract/index.js';

/** Metadata of a stored object: it has a name and a uid. */
export type StoredMeta = Omit<ObjectMeta, 'name' | 'uid'> & { readonly name: string; readonly uid: string };

export function metaOf(object: JsonObject): StoredMeta {
  return object['metadata'] as unknown as StoredMeta;
}

export function ownersOf(object: JsonObject): readonly OwnerReference[] {
  return metaOf(object).ownerReferences ?? [];
}

export function hasFinalizer(object: JsonObject, finalizer: string): boolean {
  return metaOf(object).finalizers?.includes(finalizer) === true;
}

export function isBeingDeleted(object: JsonObject): boolean {
  return metaOf(object).deletionTimestamp !== undefined;
}

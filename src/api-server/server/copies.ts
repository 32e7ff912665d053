import { randomUUID } from 'node:crypto';
import type { KubernetesObject } from '@keelson/kubernetes/apimachinery';
import type { JsonObject, Resource } from '../contract/index.js';
import type { Core } from './core.js';

/** An object of another server, and its resource here. */
export interface ObjectCopy {
  readonly resource: Resource;
  readonly object: KubernetesObject;
}

/** Default of `kubectl` for an object that names no namespace. */
const DEFAULT_NAMESPACE = 'default';
/** The creation of an object that does not say when it was created. */
const TIME = '2000-01-01T00:00:00Z';

/**
 * Puts objects into the store as they are, all before this returns: no admission, no defaults, no validation, so that what an older schema allowed stays possible. Uids stay, and with them
 * owner references; status and managed fields stay too. Resource versions are those of this store. An object whose name is taken is left out.
 */
export function keepCopies({ store }: Pick<Core, 'store'>, copies: readonly ObjectCopy[]): void {
  for (const { resource, object } of copies) {
    const { name = '' } = object.metadata;
    const namespace = namespaceIn(resource, object);
    const own = { uid: randomUUID(), creationTimestamp: TIME, generation: 1 };
    const stored = { ...object, metadata: { ...own, ...object.metadata, ...(namespace && { namespace }), resourceVersion: '' } };
    store.create({ resource: resource.storageKey, namespace, name }, stored as unknown as JsonObject);
  }
}

/** The namespace in which an object is stored; `''` for cluster-scoped ones. */
export function namespaceIn({ scope }: Resource, { metadata }: KubernetesObject): string {
  return scope === 'Cluster' ? '' : (metadata.namespace ?? DEFAULT_NAMESPACE);
}

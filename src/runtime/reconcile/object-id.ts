import type { ObjectKey } from '@keelson/kubernetes/apimachinery';
import type { StoredObject } from '../cache/index.js';

export function keyOf({ metadata: { name, namespace } }: StoredObject): ObjectKey {
  return namespace === undefined ? { name } : { name, namespace };
}

/** `namespace/name`, or the name of a cluster-scoped object: its identity in tables, logs and the journal. */
export function idOf({ namespace, name }: ObjectKey): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

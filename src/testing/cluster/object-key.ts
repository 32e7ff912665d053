import type { KindInfo, ObjectKey } from '@keelson/kubernetes/apimachinery';
import type { KeyOf } from '@keelson/runtime/internal/client';
import { TestClusterError } from './errors.js';

/** The key of an object: `namespace/name`, `name`, or a key. A namespaced object without one is in that of the cluster ({@link ClusterClient.namespace}). */
export type KeyOrText<TKind extends KindInfo> = KeyOf<TKind> | string;

/** @throws TestClusterError for a text that is not a key of the kind */
export function keyIn<TKind extends KindInfo>(kind: TKind, given: KeyOrText<TKind>, defaultNamespace: string): KeyOf<TKind> {
  const key = typeof given === 'string' ? parsed(kind, given) : (given as ObjectKey);
  if (kind.scope === 'Cluster') return { name: key.name } as KeyOf<TKind>;
  return { namespace: key.namespace ?? defaultNamespace, name: key.name } as KeyOf<TKind>;
}

function parsed(kind: KindInfo, text: string): ObjectKey {
  const parts = text.split('/');
  const isKey = parts.every((part) => part !== '') && parts.length <= (kind.scope === 'Cluster' ? 1 : 2);
  if (!isKey) {
    const form = kind.scope === 'Cluster' ? 'name (it is cluster-scoped)' : 'namespace/name';
    throw new TestClusterError(`${JSON.stringify(text)} is not a key of a ${kind.kind}: write ${form}`);
  }
  const [first = '', second] = parts;
  return second === undefined ? { name: first } : { namespace: first, name: second };
}

/** `default/a`, or `a`. */
export function keyText({ namespace, name }: ObjectKey): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

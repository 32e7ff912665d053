import { DNS_1123_LABEL, type KindInfo, obeys } from '@keelson/kubernetes/apimachinery';
import type { Problem } from './errors.js';

/** Problems of namespaces that a declaration names: rights are granted there and nowhere else. */
export function namedNamespaceProblems(namespaces: readonly string[] | undefined, kind: KindInfo | undefined, path: string): Problem[] {
  if (namespaces === undefined) return [];
  if (kind?.scope === 'Cluster') return [{ path, message: `is set, but ${kind.kind} is cluster-scoped; leave it out` }];
  if (namespaces.length === 0) return [{ path, message: 'is empty; name a namespace, or leave it out for all that the operator serves' }];
  return namespaces.flatMap((namespace, index) =>
    obeys(DNS_1123_LABEL, namespace) ? [] : [{ path: `${path}[${index}]`, message: `'${namespace}' must be ${DNS_1123_LABEL.says}` }],
  );
}

/** The namespace that a plain name means in a handle: the only one that is named, else that of the reconciled object or the request. */
export function namespaceMeant(named: readonly string[] | undefined, own: string | undefined): string | undefined {
  return named?.length === 1 ? named[0] : own;
}

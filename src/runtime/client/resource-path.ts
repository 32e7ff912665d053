import { apiVersionOf, groupVersionPath, type KindInfo, type ObjectKey, pathSegmentProblems } from '@keelson/kubernetes/apimachinery';
import { RequestError } from './errors.js';

/**
 * URL path of a collection; without a namespace, that of all namespaces.
 *
 * @throws RequestError for a namespace where the kind has none
 */
export function collectionPath(kind: KindInfo, namespace: string | undefined): string {
  const root = groupVersionPath(apiVersionOf(kind));
  if (namespace === undefined) return `${root}/${kind.plural}`;
  if (kind.scope === 'Cluster')
    throw new RequestError(`${kind.kind} is cluster-scoped: leave out the namespace ${JSON.stringify(namespace)}`);
  return `${root}/namespaces/${segment(kind, 'namespace', namespace)}/${kind.plural}`;
}

/** URL path of an object. @throws RequestError for a key that is not one of this kind */
export function objectPath(kind: KindInfo, { namespace, name }: ObjectKey): string {
  if (kind.scope === 'Namespaced' && namespace === undefined)
    throw new RequestError(`${kind.kind} ${JSON.stringify(name)}: the key has no namespace; ${kind.plural} are namespaced`);
  return `${collectionPath(kind, namespace)}/${segment(kind, 'name', name)}`;
}

/** An empty or dotted segment would name something else: the collection, or what lies above it. */
function segment({ kind }: KindInfo, what: string, text: string): string {
  const problems = text === '' ? ['is empty'] : pathSegmentProblems(text);
  if (problems.length > 0) throw new RequestError(`${kind}: the ${what} ${JSON.stringify(text)} ${problems.join(' and ')}`);
  return encodeURIComponent(text);
}

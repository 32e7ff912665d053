import type { ApiServer } from '@keelson/api-server';
import { groupVersionOf, type KubernetesObject } from '@keelson/kubernetes/apimachinery';

/** All objects of a server by their keys, as they are stored. */
export type World = ReadonlyMap<string, KubernetesObject>;

/** Kinds that record what happened or who is alive, not what is wanted. */
const NO_STATE: ReadonlySet<string> = new Set(['Event', 'Lease', 'EndpointSlice', 'Endpoints']);
/** Objects that a control plane puts into every namespace. */
const IN_EVERY_NAMESPACE: ReadonlySet<string> = new Set(['ConfigMap kube-root-ca.crt', 'ServiceAccount default']);

export function worldOf({ core: { catalog, cluster } }: ApiServer): World {
  const objects = catalog.resources.flatMap((resource) => cluster.list(resource) as unknown as readonly KubernetesObject[]);
  return new Map(
    objects
      .filter(({ kind, metadata: { name } }) => !NO_STATE.has(kind) && !IN_EVERY_NAMESPACE.has(`${kind} ${name}`))
      .map((object) => [keyOf(object), object]),
  );
}

/** Group, kind, namespace and name: one for all versions of an object. */
export function keyOf({ apiVersion, kind, metadata: { namespace = '', name = '' } }: KubernetesObject): string {
  return [groupVersionOf(apiVersion).group, kind, namespace, name].join('\n');
}

/** `Deployment shop/main`. */
export function keyText({ kind, metadata: { namespace, name = '' } }: KubernetesObject): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}

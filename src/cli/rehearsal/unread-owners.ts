import type { ObjectCopy } from '@keelson/api-server/internal/server';
import { groupVersionOf, type KubernetesObject } from '@keelson/kubernetes/apimachinery';

/** Owners of copies that the copies do not contain, each once. */
export function absentOwners(copies: readonly ObjectCopy[]): readonly KubernetesObject[] {
  const present = new Set(copies.map(({ object }) => object.metadata.uid));
  const owners = copies.flatMap(({ object: { metadata } }) =>
    (metadata.ownerReferences ?? []).map(({ apiVersion, kind, name, uid }) => ({
      apiVersion,
      kind,
      metadata: { name, uid, ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }) },
    })),
  );
  return [...new Map(owners.filter(({ metadata }) => !present.has(metadata.uid)).map((owner) => [owner.metadata.uid, owner])).values()];
}

/** `apps ReplicaSet`. */
export const kindName = ({ apiVersion, kind }: Pick<KubernetesObject, 'apiVersion' | 'kind'>): string =>
  `${groupVersionOf(apiVersion).group} ${kind}`;

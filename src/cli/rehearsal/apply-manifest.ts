import type { KubernetesObject } from '@keelson/kubernetes/apimachinery';
import { isAlreadyExists } from '@keelson/runtime/internal/client';
import type { InProcessCluster } from '@keelson/testing';

const MANAGER = { fieldManager: 'kubectl' };

/**
 * Creates an object, or puts it in the place of what has its name: the status and what the server keeps stay.
 *
 * @returns the object as it is stored
 * @throws ApiError for what the server refuses
 */
export async function applyManifest(cluster: InProcessCluster, manifest: KubernetesObject): Promise<KubernetesObject> {
  const { resourceVersion: _, ...metadata } = manifest.metadata;
  const object = { ...manifest, metadata };
  const { name } = metadata;
  try {
    return (await cluster.create(object as never, MANAGER)) as unknown as KubernetesObject;
  } catch (error) {
    if (!isAlreadyExists(error) || name === undefined) throw error;
  }
  const kind = await cluster.client.discover({ apiVersion: object.apiVersion, kind: object.kind });
  const key = kind.scope === 'Cluster' ? { name } : { namespace: metadata.namespace ?? 'default', name };
  const current = (await cluster.get(kind, key as never)) as unknown as KubernetesObject;
  const { uid, resourceVersion, finalizers, ownerReferences } = current.metadata;
  // Finalizers and owners are those of controllers: a manifest that does not name them leaves them.
  const kept = { finalizers, ownerReferences, ...metadata, uid, resourceVersion };
  return (await cluster.update({ ...object, metadata: kept } as never, MANAGER)) as unknown as KubernetesObject;
}

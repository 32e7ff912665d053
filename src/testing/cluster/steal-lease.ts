import { FaultError, type StolenLease } from '@keelson/api-server';
import type { KindInfo, KubernetesObject } from '@keelson/kubernetes/apimachinery';
import { type ApiClient, isNotFound, mergePatch } from '@keelson/runtime/internal/client';

interface LeaseObject extends KubernetesObject {
  readonly spec?: { readonly leaseTransitions?: number };
}

const LEASE: KindInfo<LeaseObject, 'Namespaced'> = {
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  plural: 'leases',
  scope: 'Namespaced',
  subresources: [],
};

/** Writes the lease as its next holder would. */
export async function stealLease(client: ApiClient, { namespace, name, holder }: StolenLease, now: Date): Promise<void> {
  const key = { namespace, name };
  try {
    const { spec } = await client.get(LEASE, key);
    // `metav1.MicroTime`.
    const time = now.toISOString().replace('Z', '000Z');
    const taken = { holderIdentity: holder, acquireTime: time, renewTime: time, leaseTransitions: (spec?.leaseTransitions ?? 0) + 1 };
    await client.patch(LEASE, key, mergePatch({ spec: taken }));
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw new FaultError(`faults: there is no lease ${namespace}/${name} that could be stolen; wait until it is held`, { cause: error });
  }
}

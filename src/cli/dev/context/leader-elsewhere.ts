import type { KindInfo } from '@keelson/kubernetes/apimachinery';
import { type ApiClient, isNotFound } from '@keelson/runtime/internal/client';

const LEASE: KindInfo<unknown, 'Namespaced'> = {
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  plural: 'leases',
  scope: 'Namespaced',
  subresources: [],
};

export interface ElectionPlace {
  readonly namespace: string;
  /** The name of the Lease. */
  readonly name: string;
  /** How the identities of our own processes begin. */
  readonly own: string;
}

/** A line for the user when another process leads: two operators must not work on the same objects, so ours waits in line. */
export async function leaderElsewhere(client: ApiClient, { namespace, name, own }: ElectionPlace): Promise<readonly string[]> {
  const lease = (await client.get(LEASE, { namespace, name }).catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  })) as { readonly spec?: { holderIdentity?: string; leaseDurationSeconds?: number; renewTime?: string } } | undefined;
  const { holderIdentity = '', leaseDurationSeconds = 0, renewTime = '' } = lease?.spec ?? {};
  const isHeld = holderIdentity !== '' && Date.parse(renewTime) + leaseDurationSeconds * 1_000 > Date.now();
  if (!isHeld || holderIdentity.startsWith(own)) return [];
  return [
    `another process runs this operator: ${holderIdentity} holds the Lease ${namespace}/${name}, and the one here waits until it lets go; scale the other down`,
  ];
}

import type { InProcessCluster } from '@keelson/testing';
import { Pod } from 'keelson/kinds';

/** Addresses that Pods may have, and that of who calls: without DNS, certificates are for addresses. */
export async function podAddresses(cluster: Pick<InProcessCluster, 'create' | 'delete' | 'addressOf'>): Promise<string[]> {
  await cluster.create(Pod, {
    metadata: { name: 'address' },
    spec: { containers: [{ name: 'main', image: 'quay.io/coreos/etcd:v3.6.16', args: ['--data-dir=/var/etcd/data'] }] },
  });
  const network = (await cluster.addressOf(Pod, 'address')).split('.').slice(0, 3).join('.');
  await cluster.delete(Pod, 'address');
  return ['127.0.0.1', ...Array.from({ length: 60 }, (_, index) => `${network}.${index + 1}`)];
}

import { FakeEtcd } from '../client/fake-etcd.js';
import { EtcdBackup } from './etcd-backup.js';

/** Objects and a cluster for the tests. */
export const ENDPOINT = 'http://m0.ring.shop.svc:2379';
export const TARGET = { endpoints: [ENDPOINT] };

/** A fake with a cluster of one. */
export function etcdWithOne(): FakeEtcd {
  const etcd = new FakeEtcd();
  etcd.start(['--name=m0', `--advertise-client-urls=${ENDPOINT}`]);
  return etcd;
}

type Policy = Partial<Parameters<typeof EtcdBackup>[0]['spec']['backupPolicy']>;

export function etcdBackup(policy: Policy = {}, endpoints: readonly string[] = [ENDPOINT]): ReturnType<typeof EtcdBackup> {
  return EtcdBackup({
    metadata: { name: 'ring' },
    spec: { etcdEndpoints: [...endpoints], storageType: 'Directory', directory: { path: 'ring' }, backupPolicy: { ...policy } },
  });
}

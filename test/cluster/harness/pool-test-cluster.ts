import { statSync } from 'node:fs';
import type { KubeApiServerOptions } from '@keelson/testing';
import type { Operator } from 'keelson';
import { ServerCertificates } from '../../../src/api-server/access/index.js';
import { CertificateAuthority, type KeyPair } from '../../../src/kubernetes/certificates/index.js';
import { KubeApiServerCluster } from '../../../src/testing/cluster/kube-apiserver-cluster.js';
import { SharedCluster } from './shared-cluster.js';

type PoolOptions = Omit<KubeApiServerOptions, 'apiServerFlags' | 'binaries' | 'server'>;

/** A `TestCluster` as on a kube-apiserver of its own, but on the control plane that this worker has of the pool: its end deletes what is left. */
export function startOnPool<TExternals>(
  options: PoolOptions & { readonly operator: Operator<TExternals> },
): Promise<KubeApiServerCluster<TExternals>>;
export function startOnPool(options: PoolOptions): Promise<KubeApiServerCluster>;
export async function startOnPool(options: PoolOptions): Promise<KubeApiServerCluster> {
  const cluster = SharedCluster.take(options.mode === 'cluster' ? 'managed' : 'bare');
  const { url, auditFile } = cluster.connection;
  const authority = CertificateAuthority.load(cluster.connection.authority as KeyPair);
  const controlPlane = {
    url,
    auditFile,
    auditOffset: statSync(auditFile).size,
    certificates: new ServerCertificates({ authority }),
    stop: () => cluster.stop(),
  };
  return KubeApiServerCluster['on'](controlPlane, { ...options, server: 'kube-apiserver' });
}

import { createHash } from 'node:crypto';
import type { EtcdCluster } from './etcd-cluster.js';

/** Hash of all that the spec says about Pods but for the version and the size of volumes, which are changed in what is there. */
export function policyHash({ spec: { pod, repository } }: Pick<EtcdCluster, 'spec'>): string {
  const { persistentVolumeClaimSpec: claim, ...others } = pod;
  const persistentVolumeClaimSpec = claim === undefined ? undefined : { ...claim, resources: undefined };
  const text = JSON.stringify({ pod: { ...others, persistentVolumeClaimSpec }, repository }, inOrder);
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** The same object, however a user has ordered its fields, is the same text. */
function inOrder(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

import type { Stored } from 'keelson';
import type { Pod } from 'keelson/kinds';
import type { EtcdCluster } from '../cluster/etcd-cluster.js';
import { seedName } from '../cluster/names.js';
import type { EtcdRestore } from './etcd-restore.js';

/** On a cluster that a restore has made: the restore's uid, and `done` behind it at the end. */
export const RESTORE_ANNOTATION = 'etcd.database.coreos.com/restore';

export type Step =
  /** It cannot succeed as it is. */
  | { readonly do: 'refuse'; readonly reason: string }
  | { readonly do: 'wait'; readonly reason: string }
  | { readonly do: 'verify' }
  /** The cluster is written down in the status, before it is deleted. */
  | { readonly do: 'record'; readonly cluster: Stored<EtcdCluster> }
  | { readonly do: 'delete-cluster'; readonly cluster: Stored<EtcdCluster> }
  | { readonly do: 'create-cluster' }
  | { readonly do: 'create-seed'; readonly cluster: Stored<EtcdCluster> }
  | { readonly do: 'await-seed'; readonly cluster: Stored<EtcdCluster> }
  /** The seed serves: the operator may add members. */
  | { readonly do: 'release'; readonly cluster: Stored<EtcdCluster> }
  | { readonly do: 'nothing' };

// #region step
/**
 * The next step of a restore. It follows from the objects alone: a process that is killed after any step goes on with the next.
 *
 * Nothing is deleted before the backup was read to its end, and before the cluster is written down.
 */
export function stepOf(restore: Stored<EtcdRestore>, cluster: Stored<EtcdCluster> | undefined, pods: readonly Stored<Pod>[]): Step {
  const { metadata, spec, status = {} } = restore;
  const { name } = spec.etcdCluster;
  if (status.succeeded === true) return { do: 'nothing' };
  if (name !== metadata.name)
    return { do: 'refuse', reason: `spec.etcdCluster.name must be the name of the EtcdRestore, '${metadata.name}', got '${name}'` };
  if (status.backup === undefined) return { do: 'verify' };
  const { replaced } = status;
  if (replaced === undefined) {
    if (cluster === undefined)
      return { do: 'wait', reason: `there is no EtcdCluster ${name}: create it, as it should be after the restore` };
    if (cluster.metadata.deletionTimestamp !== undefined) return { do: 'wait', reason: `EtcdCluster ${name} is being deleted` };
    return { do: 'record', cluster };
  }
  if (cluster === undefined) return { do: 'create-cluster' };
  if (cluster.metadata.uid === replaced.uid) return { do: 'delete-cluster', cluster };
  const mark = cluster.metadata.annotations?.[RESTORE_ANNOTATION];
  if (mark === doneMark(restore)) return { do: 'nothing' };
  if (mark !== metadata.uid) return { do: 'wait', reason: `EtcdCluster ${name} was made by another meanwhile: delete it to go on` };
  const seed = pods.find((pod) => pod.metadata.name === seedName(cluster));
  if (seed === undefined) return { do: 'create-seed', cluster };
  const isReady = seed.status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true;
  return isReady ? { do: 'release', cluster } : { do: 'await-seed', cluster };
}
// #endregion

export function doneMark({ metadata }: Stored<EtcdRestore>): string {
  return `${metadata.uid} done`;
}

import type { Stored } from 'keelson';
import { type Container, PersistentVolumeClaim, type PersistentVolumeClaimInput, Pod } from 'keelson/kinds';
import type { EtcdCluster } from '../cluster/etcd-cluster.js';
import { peerUrl, SEED, seedName } from '../cluster/names.js';
import { claimFor, DATA_DIRECTORY, DATA_MOUNT, imageOf, podFor, UNPRIVILEGED } from '../cluster/pods.js';
import { plainVersion } from '../cluster/version.js';

export interface RestoredFrom {
  readonly url: string;
  readonly sha256: string;
}

const FILE = `${DATA_MOUNT.mountPath}/latest.backup`;
/** Beside the data folder, so that half of a restore is never taken for data. */
const RESTORED = `${DATA_MOUNT.mountPath}/restored`;

/** Until the file is the backup: an answer that was cut off is asked for again. */
const FETCH = `until echo "$BACKUP_SHA256  ${FILE}" | sha256sum -c >/dev/null 2>&1; do wget -q -O ${FILE} "$BACKUP_URL" || true; sleep 1; done; rm -rf ${RESTORED}`;
/** A Pod whose containers all start again has data that are newer than the backup. */
const ACTIVATE = `[ -e ${DATA_DIRECTORY} ] || mv ${RESTORED} ${DATA_DIRECTORY}`;

// #region seed
/** The first member of a restored cluster, whose data folder is made from the backup before etcd starts. */
export function seedPod(cluster: Stored<EtcdCluster>, from: RestoredFrom): Pod {
  const name = seedName(cluster);
  const initialCluster = `${name}=${peerUrl(cluster, name)}`;
  const version = plainVersion(cluster.spec.version);
  const pod = podFor(cluster, { name, version, state: 'new', initialCluster, initContainers: restoring(cluster, name, from) });
  return Pod({ ...pod, metadata: { ...pod.metadata, ownerReferences: [ownerOf(cluster)] } });
}

function restoring(cluster: Stored<EtcdCluster>, name: string, { url, sha256 }: RestoredFrom): Container[] {
  const { busyboxImage, resources } = cluster.spec.pod;
  const shared = { volumeMounts: [DATA_MOUNT], securityContext: UNPRIVILEGED, ...(resources === undefined ? {} : { resources }) };
  const env = [
    { name: 'BACKUP_URL', value: url },
    { name: 'BACKUP_SHA256', value: sha256 },
  ];
  return [
    { name: 'fetch-backup', image: busyboxImage, command: ['/bin/sh', '-c', FETCH], env, ...shared },
    {
      name: 'restore-datadir',
      // Images of etcd have no shell.
      image: imageOf(cluster, plainVersion(cluster.spec.version)),
      command: ['/usr/local/bin/etcdutl'],
      args: [
        'snapshot',
        'restore',
        FILE,
        `--name=${name}`,
        `--data-dir=${RESTORED}`,
        `--initial-cluster=${name}=${peerUrl(cluster, name)}`,
        `--initial-advertise-peer-urls=${peerUrl(cluster, name)}`,
        // The id of the new cluster follows from it: members of the old one must not find it.
        `--initial-cluster-token=${cluster.metadata.uid}`,
      ],
      ...shared,
    },
    { name: 'activate-datadir', image: busyboxImage, command: ['/bin/sh', '-c', ACTIVATE], ...shared },
  ];
}
// #endregion

/** The claim of the first member, if the cluster has volumes. */
export function seedClaim(cluster: Stored<EtcdCluster>): PersistentVolumeClaimInput | undefined {
  const claim = claimFor(cluster, seedName(cluster), SEED);
  return claim === undefined
    ? undefined
    : PersistentVolumeClaim({ ...claim, metadata: { ...claim.metadata, ownerReferences: [ownerOf(cluster)] } });
}

function ownerOf({ apiVersion, kind, metadata: { name, uid } }: Stored<EtcdCluster>) {
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}

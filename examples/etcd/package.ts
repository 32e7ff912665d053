import { ManifestObject } from 'keelson/constructs';
import { defineOperatorPackage, definePackage, definePackageSet } from 'keelson/packaging';
import { z } from 'zod';
import { EtcdCluster } from './cluster/etcd-cluster.js';
import { backupOperator } from './etcd-backup-operator.js';
import { operator } from './etcd-operator.js';

const version = '0.1.0';

/** The operator of clusters. */
export const clusterPackage = defineOperatorPackage({
  operator,
  image: 'registry.example.com/etcd-operator:0.1.0',
  version,
  description: 'Clusters of etcd',
});

const volume = z.object({
  claim: z.string().default('').describe('A PersistentVolumeClaim that exists. Default: one is created, and kept on uninstall.'),
  size: z.string().min(1).default('50Gi').describe('Size of the created claim.'),
});

// #region backup
/** The operator of backups and restores. A volume holds backups of the storage type Directory. */
export const backupPackage = defineOperatorPackage({
  operator: backupOperator,
  image: 'registry.example.com/etcd-backup-operator:0.1.0',
  version,
  description: 'Backups and restores of clusters of etcd',
  values: z.object({ volume }),
  // The address follows from the names of the release, unless an administrator gives another.
  defaults: { settings: { url: '' } },
  props: ({ values, release }) => ({
    command: ['node', 'build/backup-operator.mjs'],
    env: values.settings['url'] === '' ? { ETCD_RESTORE_URL: `http://${release.name}-backups.${release.namespace}.svc:19999` } : {},
    volumes: [
      {
        name: 'backups',
        persistentVolumeClaim: { claimName: values.volume.claim === '' ? `${release.name}-backups` : values.volume.claim },
      },
    ],
    volumeMounts: [{ name: 'backups', mountPath: '/var/lib/etcd-backups' }],
  }),
  extras: (chart, { values, release, format }) => {
    if (values.volume.claim !== '') return;
    new ManifestObject(chart, 'backups', {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      scope: 'Namespaced',
      metadata: {
        name: `${release.name}-backups`,
        namespace: release.namespace,
        annotations: format === 'helm' ? { 'helm.sh/resource-policy': 'keep' } : {},
      },
      body: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: values.volume.size } } } },
    });
  },
});
// #endregion

// #region set
/** Both, each with its values under its name: `helm install etcd charts/etcd-operators --set backup.enabled=false`. */
export const etcdPackage = definePackageSet({
  name: 'etcd-operators',
  version,
  description: 'Operators for clusters of etcd, their backups and restores',
  namespace: 'etcd-system',
  packages: { cluster: clusterPackage, backup: backupPackage },
});
// #endregion

/**
 * One cluster, in a release of its own: Helm looks up the kinds of a release before it creates anything. The cluster and its data stay when the release goes,
 * unless `keep` is false.
 */
export const etcdClusterPackage = definePackage({
  name: 'etcd-cluster',
  version,
  description: 'A cluster of etcd',
  namespace: 'default',
  values: z.object({
    size: z.int().min(1).max(7).default(3).describe('Members.'),
    version: z.string().min(1).default('3.6.16').describe('Version of etcd.'),
    repository: z.string().min(1).default('quay.io/coreos/etcd').describe('Image of etcd, without its tag.'),
    storage: z
      .string()
      .default('')
      .describe("Size of each member's volume, for example 8Gi. Default: none, and data is gone with the Pod."),
    pod: z.looseObject({}).default({}).describe('How Pods are made, see spec.pod of the EtcdCluster.'),
    keep: z.boolean().default(true).describe('Keeps the cluster, and its data, when the release is uninstalled or no longer has it.'),
  }),
  build: (chart, { values, release, format }) => {
    const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: values.storage } } };
    const { group, kind, storageVersion } = EtcdCluster.customResource;
    new ManifestObject(chart, 'cluster', {
      apiVersion: `${group}/${storageVersion}`,
      kind,
      scope: 'Namespaced',
      metadata: {
        name: release.name,
        namespace: release.namespace,
        annotations: format === 'helm' && values.keep ? { 'helm.sh/resource-policy': 'keep' } : {},
      },
      body: {
        spec: {
          size: values.size,
          version: values.version,
          repository: values.repository,
          pod: { ...values.pod, ...(values.storage === '' ? {} : { persistentVolumeClaimSpec: claim }) },
        },
      },
    });
  },
});

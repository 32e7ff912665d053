import type { StorageClass } from '@keelson/kubernetes/kinds';
import { PROVISIONER } from './plan-binding.js';

/** The class that claims get that name none: as the clusters that developers use have one. */
export function standardStorageClass(): StorageClass {
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'standard', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
    provisioner: PROVISIONER,
    reclaimPolicy: 'Delete',
    volumeBindingMode: 'Immediate',
    allowVolumeExpansion: true,
  };
}

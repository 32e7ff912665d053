import { compareQuantities, type Quantity } from '@keelson/kubernetes/apimachinery';
import type { PersistentVolumeClaim, StorageClass } from '@keelson/kubernetes/kinds';
import type { ClusterView, JsonObject } from '../../../contract/index.js';
import type { AdmissionPlugin } from '../plugin.js';
import { claimClass, quantityOf } from '../pod-resources/index.js';
import { refused } from '../refusal.js';
import { newestName } from './newest.js';
import { withSpec, writes } from './request-of.js';

const PROTECTED: Readonly<Record<string, string>> = {
  persistentvolumeclaims: 'kubernetes.io/pvc-protection',
  persistentvolumes: 'kubernetes.io/pv-protection',
};

/**
 * StorageObjectInUseProtection: a finalizer on every volume and claim, which a controller takes away when no pod uses them.
 * Source: kubernetes `plugin/pkg/admission/storage/storageobjectinuseprotection`.
 */
export function storageObjectInUseProtection(): AdmissionPlugin {
  return {
    name: 'StorageObjectInUseProtection',
    mutate(request) {
      const { object, served, operation, subresource } = request;
      const finalizer = served.resource.group === '' ? PROTECTED[served.resource.plural] : undefined;
      if (object === undefined || finalizer === undefined || operation !== 'CREATE' || subresource !== '') return object;
      return withFinalizer(object, finalizer);
    },
  };
}

function withFinalizer(object: JsonObject, finalizer: string): JsonObject {
  const metadata = object['metadata'] as { readonly finalizers?: readonly string[] };
  const { finalizers = [] } = metadata;
  return finalizers.includes(finalizer) ? object : { ...object, metadata: { ...metadata, finalizers: [...finalizers, finalizer] } };
}

const STORAGE_CLASSES = { group: 'storage.k8s.io', plural: 'storageclasses' };
const IS_DEFAULT = ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class'];

/** DefaultStorageClass: a claim that names no class gets the cluster's. Source: kubernetes `plugin/pkg/admission/storage/storageclass/setdefault`. */
export function defaultStorageClass(cluster: ClusterView): AdmissionPlugin {
  return {
    name: 'DefaultStorageClass',
    mutate(request) {
      const { object } = request;
      if (object === undefined || request.operation !== 'CREATE' || !writes(request, '', 'persistentvolumeclaims') || hasClass(object))
        return object;
      const name = defaultClassName(cluster);
      return name === undefined ? object : withSpec(object, { storageClassName: name });
    },
  };
}

function hasClass(claim: JsonObject): boolean {
  const { annotations = {} } = claim['metadata'] as { readonly annotations?: Readonly<Record<string, string>> };
  const { storageClassName } = (claim['spec'] ?? {}) as { readonly storageClassName?: string };
  return 'volume.beta.kubernetes.io/storage-class' in annotations || storageClassName !== undefined;
}

function defaultClassName(cluster: ClusterView): string | undefined {
  const classes = cluster.list(STORAGE_CLASSES) as unknown as readonly StorageClass[];
  return newestName(classes.filter(({ metadata }) => IS_DEFAULT.some((annotation) => metadata?.annotations?.[annotation] === 'true')));
}

/**
 * PersistentVolumeClaimResize: a claim grows only where its volume can. Source: kubernetes `plugin/pkg/admission/storage/persistentvolume/resize`.
 */
export function persistentVolumeClaimResize(cluster: ClusterView): AdmissionPlugin {
  return {
    name: 'PersistentVolumeClaimResize',
    validate(request) {
      const { object, oldObject, operation } = request;
      if (object === undefined || oldObject === undefined || operation !== 'UPDATE') return;
      if (!writes(request, '', 'persistentvolumeclaims')) return;
      const [claim, old] = [object, oldObject] as unknown as readonly [PersistentVolumeClaim, PersistentVolumeClaim];
      if (compareQuantities(storageOf(claim), storageOf(old)) <= 0) return;
      if (old.status?.phase !== 'Bound') throw refused(request, 'Only bound persistent volume claims can be expanded');
      if (!mayGrow(claimClass(claim), claimClass(old), cluster)) {
        throw refused(
          request,
          'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
        );
      }
    },
  };
}

function storageOf({ spec }: PersistentVolumeClaim): Quantity {
  return quantityOf(String(spec?.resources?.requests?.['storage'] ?? '0'));
}

function mayGrow(name: string, oldName: string, cluster: ClusterView): boolean {
  if (name === '' || name !== oldName) return false;
  const found = cluster.get(STORAGE_CLASSES, { namespace: '', name }) as unknown as StorageClass | undefined;
  return found?.allowVolumeExpansion === true;
}

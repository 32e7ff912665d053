import type { StorageClass } from '../../../kinds/index.js';
import { compareUtf8 } from '../../../kubernetes/index.js';
import type { ClusterView, JsonObject } from '../../resources/index.js';
import type { AdmissionPlugin } from '../plugin.js';
import { withSpec, writes } from './request-of.js';

const PROTECTED: Readonly<Record<string, string>> = {
  persistentvolumeclaims: 'kubernetes.io/pvc-protection',
  persistentvolumes: 'kubernetes.io/pv-protection',
};

/**
 * StorageObjectInUseProtection: a finalizer on every volume and claim, which a controller takes away when nobody uses them.
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

/** Of several, the newest; of those made in the same second, the first by name. */
function defaultClassName(cluster: ClusterView): string | undefined {
  const classes = cluster.list({ group: 'storage.k8s.io', plural: 'storageclasses' }) as unknown as readonly StorageClass[];
  const defaults = classes.filter(({ metadata }) => IS_DEFAULT.some((annotation) => metadata?.annotations?.[annotation] === 'true'));
  defaults.sort(
    (left, right) =>
      compareUtf8(right.metadata?.creationTimestamp ?? '', left.metadata?.creationTimestamp ?? '') ||
      compareUtf8(left.metadata?.name ?? '', right.metadata?.name ?? ''),
  );
  return defaults[0]?.metadata?.name;
}

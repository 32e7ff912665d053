import type { PersistentVolumeClaim } from '@keelson/kubernetes/kinds';

const ANNOTATION = 'volume.beta.kubernetes.io/storage-class';

/** The StorageClass that a claim names, in an annotation or in the field; `''`: none. Source: component-helpers `storage/volume`. */
export function claimClass({ metadata, spec }: PersistentVolumeClaim): string {
  return metadata?.annotations?.[ANNOTATION] ?? spec?.storageClassName ?? '';
}

import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from '@keelson/kubernetes/kinds';
import { compareAmounts } from '../objects/index.js';

/** The provisioner of volumes here: a name that no real provisioner has. */
export const PROVISIONER = 'keelson.dev/simulated';
const BIND_COMPLETED = 'pv.kubernetes.io/bind-completed';
const BOUND_BY_CONTROLLER = 'pv.kubernetes.io/bound-by-controller';
const PROVISIONED_BY = 'pv.kubernetes.io/provisioned-by';

export interface BindingState {
  readonly claim: PersistentVolumeClaim;
  readonly volumes: readonly PersistentVolume[];
  /** The class of the claim, where it is there. */
  readonly storageClass: StorageClass | undefined;
  /** A Pod wants to use the claim. */
  readonly isUsed: boolean;
}

export type Binding =
  | { readonly do: 'bind'; readonly volume: PersistentVolume }
  | { readonly do: 'provision'; readonly volume: PersistentVolume }
  | { readonly do: 'wait' };

/** Which volume a claim gets: one that is there and fits, else a new one of its class. Source: kubernetes `pkg/controller/volume/persistentvolume`. */
export function bindingOf({ claim, volumes, storageClass, isUsed }: BindingState): Binding {
  const named = claim.spec?.volumeName ?? '';
  if (named !== '') {
    const volume = volumes.find(({ metadata }) => metadata.name === named);
    return volume !== undefined && isFree(volume, claim) ? { do: 'bind', volume } : { do: 'wait' };
  }
  if (storageClass?.volumeBindingMode === 'WaitForFirstConsumer' && !isUsed) return { do: 'wait' };
  const fitting = volumes.filter((volume) => isFree(volume, claim) && fits(volume, claim));
  const [smallest] = fitting.sort((left, right) => compareAmounts(capacityOf(left), capacityOf(right)));
  if (smallest !== undefined) return { do: 'bind', volume: smallest };
  return storageClass === undefined || storageClass.provisioner === 'kubernetes.io/no-provisioner'
    ? { do: 'wait' }
    : { do: 'provision', volume: provisioned(claim, storageClass) };
}

function isFree({ spec, metadata }: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  const { claimRef } = spec;
  if (metadata.deletionTimestamp !== undefined) return false;
  if (claimRef === undefined) return true;
  const isNamed = claimRef.name === claim.metadata.name && claimRef.namespace === claim.metadata.namespace;
  return isNamed && (claimRef.uid === undefined || claimRef.uid === claim.metadata.uid);
}

function fits(volume: PersistentVolume, { spec = {} }: PersistentVolumeClaim): boolean {
  const { accessModes = [], storageClassName = '', volumeMode = 'Filesystem' } = volume.spec;
  const labels = volume.metadata.labels ?? {};
  return (
    storageClassName === (spec.storageClassName ?? '') &&
    volumeMode === (spec.volumeMode ?? 'Filesystem') &&
    (spec.accessModes ?? []).every((mode) => accessModes.includes(mode)) &&
    Object.entries(spec.selector?.matchLabels ?? {}).every(([key, value]) => labels[key] === value) &&
    compareAmounts(capacityOf(volume), String(spec.resources?.requests?.['storage'] ?? '0')) >= 0
  );
}

function capacityOf({ spec }: PersistentVolume): string {
  return String(spec.capacity?.['storage'] ?? '0');
}

function provisioned(claim: PersistentVolumeClaim, { metadata, reclaimPolicy = 'Delete' }: StorageClass): PersistentVolume {
  const { uid = '' } = claim.metadata;
  const name = `pvc-${uid}`;
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name, annotations: { [PROVISIONED_BY]: PROVISIONER } },
    spec: {
      accessModes: claim.spec?.accessModes ?? [],
      capacity: { storage: claim.spec?.resources?.requests?.['storage'] ?? '1Gi' },
      claimRef: referenceTo(claim),
      hostPath: { path: `/var/lib/simulated/${name}`, type: '' },
      persistentVolumeReclaimPolicy: reclaimPolicy,
      storageClassName: metadata.name,
      volumeMode: claim.spec?.volumeMode ?? 'Filesystem',
    },
  };
}

type Reference = NonNullable<NonNullable<PersistentVolume['spec']>['claimRef']>;

function referenceTo({ metadata }: PersistentVolumeClaim): Reference {
  const { name, namespace, uid, resourceVersion } = metadata;
  return { apiVersion: 'v1', kind: 'PersistentVolumeClaim', name, namespace, uid, resourceVersion };
}

/** The volume with the claim that it is bound to. */
export function boundVolume(volume: PersistentVolume, claim: PersistentVolumeClaim): PersistentVolume {
  if (volume.spec.claimRef?.uid === claim.metadata.uid) return volume;
  const wasNamed = volume.spec.claimRef !== undefined;
  const annotations = wasNamed ? volume.metadata.annotations : { ...volume.metadata.annotations, [BOUND_BY_CONTROLLER]: 'yes' };
  return { ...volume, metadata: { ...volume.metadata, annotations }, spec: { ...volume.spec, claimRef: referenceTo(claim) } };
}

export function boundClaim(claim: PersistentVolumeClaim, volume: PersistentVolume): PersistentVolumeClaim {
  const wasNamed = (claim.spec?.volumeName ?? '') !== '';
  const annotations = { ...claim.metadata.annotations, [BIND_COMPLETED]: 'yes', ...(wasNamed ? {} : { [BOUND_BY_CONTROLLER]: 'yes' }) };
  return { ...claim, metadata: { ...claim.metadata, annotations }, spec: { ...claim.spec, volumeName: volume.metadata.name } };
}

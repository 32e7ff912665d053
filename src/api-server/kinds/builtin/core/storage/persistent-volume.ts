import { type FieldError, forbidden, invalid, notSupported, required } from '@keelson/kubernetes/apimachinery';
import type { RequestContext } from '../../../../contract/index.js';
import type { Behaviour } from '../../behaviour.js';
import {
  csiDriverName,
  dnsLabel,
  dnsSubdomain,
  type Errors,
  immutable,
  internalValue,
  noBacksteps,
  oneOf,
  positiveAmount,
  type ResourceList,
  roundResourceList,
  those,
} from '../../checks/index.js';
import type { PersistentVolume, PersistentVolumeSpec, Volume } from '../../drafts.js';
import { keepSpec, keepStatus } from '../../generation.js';
import { semanticEqual } from '../../semantic-equal.js';
import { nodeSelectorErrors, setStorageDefaults } from '../pods/index.js';
import { accessModeErrors, hostPathErrors, storageSourceErrors } from '../volumes/index.js';
import { basicAmountErrors, CLASS_ANNOTATION } from './persistent-volume-claim.js';

/** Source: kubernetes `pkg/registry/core/persistentvolume`, `pkg/apis/core/{v1,validation}`, `pkg/volume/validation`, `pkg/api/persistentvolume`. */
export const persistentVolumes: Behaviour<PersistentVolume> = {
  setDefaults(volume) {
    volume.spec ??= {};
    const { spec } = volume;
    spec.persistentVolumeReclaimPolicy ||= 'Retain';
    spec.volumeMode ??= 'Filesystem';
    roundResourceList(spec.capacity);
    if (spec.hostPath !== undefined) spec.hostPath.type ??= '';
    setStorageDefaults(spec as Pick<Volume, 'azureDisk' | 'iscsi' | 'rbd' | 'scaleIO'>);
    volume.status ??= {};
    volume.status.phase ||= 'Pending';
  },

  prepareForCreate(volume, { now }) {
    volume.status = { phase: 'Pending', lastPhaseTransitionTime: timeText(now()) };
  },
  validate: (volume) => [...specErrors(volume.spec ?? {}), ...mountOptionErrors(volume)],
  warningsOnCreate: volumeWarnings,

  prepareForUpdate: keepStatus,
  // The server checks the spec twice.
  validateUpdate: (volume, old) => [
    ...specErrors(volume.spec ?? {}),
    ...mountOptionErrors(volume),
    ...specErrors(volume.spec ?? {}),
    ...changedVolumeErrors(volume.spec ?? {}, old.spec ?? {}),
  ],
  warningsOnUpdate: volumeWarnings,
  revalidatesMetadata: true,

  prepareForStatusUpdate(volume, old, context) {
    keepSpec(volume, old);
    setTransitionTime(volume, old, context);
  },
};

function timeText(now: Date): PersistentVolume['metadata']['creationTimestamp'] & string {
  return `${now.toISOString().slice(0, 19)}Z` as PersistentVolume['metadata']['creationTimestamp'] & string;
}

function setTransitionTime(volume: PersistentVolume, old: PersistentVolume, { now }: RequestContext): void {
  volume.status ??= {};
  const { status } = volume;
  const { phase, lastPhaseTransitionTime: time } = old.status ?? {};
  if (status.phase === phase) {
    if (status.lastPhaseTransitionTime === undefined && time !== undefined) status.lastPhaseTransitionTime = time;
  } else if (status.lastPhaseTransitionTime === undefined || status.lastPhaseTransitionTime === time) {
    status.lastPhaseTransitionTime = timeText(now());
  }
}

/** In the order in which the server looks at them. */
const SOURCES = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'flocker',
  'nfs',
  'rbd',
  'quobyte',
  'cephfs',
  'iscsi',
  'cinder',
  'fc',
  'flexVolume',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'scaleIO',
  'local',
  'storageos',
  'csi',
] as const;
const CALLED: Readonly<Record<string, string>> = { cephfs: 'cephFS' };

function specErrors(spec: PersistentVolumeSpec): Errors {
  const { accessModes, persistentVolumeReclaimPolicy: policy, nodeAffinity, hostPath, volumeMode } = spec;
  const isWholeDisk = hostPath !== undefined && /^\/+$/.test(hostPath.path) && policy === 'Recycle';
  const affinityErrors =
    nodeAffinity?.required === undefined
      ? [required('spec.nodeAffinity.required', 'must specify required node constraints')]
      : nodeSelectorErrors(nodeAffinity.required, 'spec.nodeAffinity.required');
  return those(
    (accessModes ?? []).length === 0 && required('spec.accessModes'),
    accessModeErrors(accessModes ?? [], 'spec.accessModes'),
    capacityErrors(spec.capacity ?? {}, 'spec.capacity'),
    oneOf(['Delete', 'Recycle', 'Retain'])(policy, 'spec.persistentVolumeReclaimPolicy'),
    nodeAffinity !== undefined && affinityErrors,
    sourceErrors(spec),
    isWholeDisk && forbidden('spec.persistentVolumeReclaimPolicy', "may not be 'recycle' for a hostPath mount of '/'"),
    spec.storageClassName && dnsSubdomain(spec.storageClassName, 'spec.storageClassName'),
    oneOf(['Block', 'Filesystem'])(volumeMode, 'spec.volumeMode'),
    attributesErrors(spec, 'spec.volumeAttributesClassName'),
  );
}

function capacityErrors(capacity: ResourceList, path: string): Errors {
  const names = Object.keys(capacity);
  const isStorage = names.length === 1 && names[0] === 'storage';
  const printed = names.length === 0 ? null : capacity;
  return those(
    names.length === 0 && required(path),
    !isStorage && notSupported(path, printed, ['storage']),
    Object.entries(capacity).flatMap(([name, amount]) => {
      const field = `${path}[${name}]`;
      return [...basicAmountErrors(amount, field), ...positiveAmount(amount, field)];
    }),
  );
}

function sourceErrors(spec: PersistentVolumeSpec): Errors {
  const [first, ...others] = SOURCES.filter((source) => spec[source] !== undefined);
  if (first === undefined) return [required('spec', 'must specify a volume type')];
  const tooMany = others.map((source) => forbidden(`spec.${CALLED[source] ?? source}`, 'may not specify more than 1 volume type'));
  return [...firstSourceErrors(spec, first), ...tooMany];
}

function firstSourceErrors(spec: PersistentVolumeSpec, source: (typeof SOURCES)[number]): Errors {
  const { hostPath, local, csi, nodeAffinity } = spec;
  if (source === 'hostPath' && hostPath !== undefined) return hostPathErrors(hostPath, 'spec.hostPath');
  if (source === 'csi' && csi !== undefined) return csiErrors(csi, 'spec.csi');
  if (source === 'local' && local !== undefined) {
    return those(
      local.path === '' ? [required('spec.local.path')] : noBacksteps(local.path, 'spec.local.path'),
      nodeAffinity === undefined && required('spec.nodeAffinity', 'Local volume requires node affinity'),
    );
  }
  return storageSourceErrors({ name: '', [source]: spec[source] } as unknown as Volume, source as Exclude<keyof Volume, 'name'>, 'spec');
}

type Csi = NonNullable<PersistentVolumeSpec['csi']>;

const SECRETS = ['controllerPublishSecretRef', 'controllerExpandSecretRef', 'nodePublishSecretRef', 'nodeExpandSecretRef'] as const;

function csiErrors(csi: Csi, path: string): Errors {
  const secretErrors = SECRETS.flatMap((field): Errors => {
    const secret = csi[field];
    if (secret === undefined) return [];
    const { name = '', namespace = '' } = secret;
    return those(
      name === '' ? [required(`${path}.${field}.name`)] : dnsSubdomain(name, `${path}.${field}.name`),
      namespace === '' ? [required(`${path}.${field}.namespace`)] : dnsLabel(namespace, `${path}.${field}.namespace`),
    );
  });
  return those(csiDriverName(csi.driver, `${path}.driver`), csi.volumeHandle === '' && required(`${path}.volumeHandle`), secretErrors);
}

function attributesErrors({ volumeAttributesClassName: name, csi }: PersistentVolumeSpec, path: string): Errors {
  if (name === undefined) return [];
  return those(
    name === '' ? [required(path, 'an empty string is disallowed')] : dnsSubdomain(name, path),
    csi === undefined && required('spec.csi', 'has to be specified when using volumeAttributesClassName'),
  );
}

const MOUNT_OPTIONS = 'volume.beta.kubernetes.io/mount-options';
const WITHOUT_MOUNT_OPTIONS = [
  'csi',
  'fc',
  'flexVolume',
  'flocker',
  'hostPath',
  'local',
  'portworxVolume',
  'scaleIO',
  'storageos',
] as const;

function mountOptionErrors({ metadata, spec = {} }: PersistentVolume): Errors {
  if (metadata.annotations?.[MOUNT_OPTIONS] === undefined) return [];
  const used = SOURCES.filter((source) => spec[source] !== undefined);
  const hasOptions = used.some((source) => !(WITHOUT_MOUNT_OPTIONS as readonly string[]).includes(source));
  return hasOptions ? [] : [forbidden(`metadata.annotations.${MOUNT_OPTIONS}`, 'may not specify mount options for this volume type')];
}

function changedVolumeErrors(spec: PersistentVolumeSpec, old: PersistentVolumeSpec): Errors {
  const errors: FieldError[] = [];
  const [source, before] = [sourceOf(spec), sourceOf(old)];
  // A secret for growing may be added.
  if (before.csi !== undefined && source.csi !== undefined && before.csi.controllerExpandSecretRef === undefined) {
    delete source.csi.controllerExpandSecretRef;
  }
  if (!semanticEqual(source, before))
    errors.push(forbidden('spec.persistentvolumesource', 'spec.persistentvolumesource is immutable after creation'));
  errors.push(...immutable(spec.volumeMode, old.volumeMode, 'volumeMode'));
  if (old.nodeAffinity !== undefined && !semanticEqual(spec.nodeAffinity, old.nodeAffinity)) {
    const printed = internalValue('core/v1.VolumeNodeAffinity', spec.nodeAffinity);
    errors.push(invalid('nodeAffinity', printed, 'field is immutable, except for updating from beta label to GA'));
  }
  if (old.volumeAttributesClassName !== undefined && spec.volumeAttributesClassName === undefined) {
    errors.push(forbidden('spec.volumeAttributesClassName', 'update from non-nil value to nil is forbidden'));
  }
  return errors;
}

function sourceOf(spec: PersistentVolumeSpec): PersistentVolumeSpec {
  return structuredClone(Object.fromEntries(SOURCES.flatMap((source) => (spec[source] === undefined ? [] : [[source, spec[source]]]))));
}

const DROPPED: Readonly<Record<string, string>> = {
  cephfs: 'cephfs: deprecated in v1.28, non-functional in v1.31+',
  photonPersistentDisk: 'photonPersistentDisk: deprecated in v1.11, non-functional in v1.16+',
  scaleIO: 'scaleIO: deprecated in v1.16, non-functional in v1.22+',
  storageos: 'storageOS: deprecated in v1.22, non-functional in v1.25+',
  glusterfs: 'glusterfs: deprecated in v1.25, non-functional in v1.26+',
  rbd: 'rbd: deprecated in v1.28, non-functional in v1.31+',
};

function volumeWarnings({ metadata, spec = {} }: PersistentVolume): readonly string[] {
  const old = (key: string, text: string): readonly string[] =>
    metadata.annotations?.[key] === undefined ? [] : [`metadata.annotations[${key}]: ${text}`];
  const recycles = spec.persistentVolumeReclaimPolicy === 'Recycle';
  const text = 'The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.';
  return [
    ...old(CLASS_ANNOTATION, 'deprecated since v1.8; use "storageClassName" attribute instead'),
    ...old(MOUNT_OPTIONS, 'deprecated since v1.31; use "mountOptions" attribute instead'),
    ...(recycles ? [`spec.persistentVolumeReclaimPolicy: ${text}`] : []),
    ...SOURCES.flatMap((source) => (spec[source] !== undefined && DROPPED[source] !== undefined ? [`spec.${DROPPED[source]}`] : [])),
  ];
}

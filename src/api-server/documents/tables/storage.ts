import type {
  CSIDriver,
  CSINode,
  PersistentVolume,
  PersistentVolumeClaim,
  StorageClass,
  StorageVersionMigration,
  VolumeAttachment,
  VolumeAttributesClass,
} from '@keelson/kubernetes/kinds';
import type { TableConvertor } from '../../contract/index.js';
import { type Named, table } from './table.js';
import { orNone, UNSET } from './texts.js';

const ACCESS_MODES: readonly (readonly [mode: string, short: string])[] = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
];

function accessModesText(modes: readonly string[] = []): string {
  return ACCESS_MODES.filter(([mode]) => modes.includes(mode))
    .map(([, short]) => short)
    .join(',');
}

function phaseOf({ metadata }: Named, phase: string | undefined): string {
  return metadata.deletionTimestamp === undefined ? (phase ?? '') : 'Terminating';
}

/** An annotation from before the field counts more than it. */
function storageClassOf({ metadata }: Named, name: string | undefined): string {
  return metadata.annotations?.['volume.beta.kubernetes.io/storage-class'] ?? name ?? '';
}

export const persistentVolumes: TableConvertor = table<PersistentVolume>(
  [
    ...['Name', 'Capacity', 'Access Modes', 'Reclaim Policy', 'Status', 'Claim', 'StorageClass', 'VolumeAttributesClass', 'Reason', 'Age'],
    'VolumeMode*',
  ],
  (volume, moment) => {
    const { metadata, spec, status } = volume;
    const claim = spec?.claimRef;
    return [
      metadata.name,
      String(spec?.capacity?.['storage'] ?? 0),
      accessModesText(spec?.accessModes),
      spec?.persistentVolumeReclaimPolicy ?? '',
      phaseOf(volume, status?.phase),
      claim === undefined ? '' : `${claim.namespace ?? ''}/${claim.name ?? ''}`,
      storageClassOf(volume, spec?.storageClassName),
      spec?.volumeAttributesClassName ?? UNSET,
      status?.reason ?? '',
      moment.age(volume),
      spec?.volumeMode ?? UNSET,
    ];
  },
);

export const persistentVolumeClaims: TableConvertor = table<PersistentVolumeClaim>(
  ['Name', 'Status', 'Volume', 'Capacity', 'Access Modes', 'StorageClass', 'VolumeAttributesClass', 'Age', 'VolumeMode*'],
  (claim, moment) => {
    const { metadata, spec, status } = claim;
    const volume = spec?.volumeName ?? '';
    return [
      metadata.name,
      phaseOf(claim, status?.phase),
      volume,
      volume === '' ? '' : String(status?.capacity?.['storage'] ?? 0),
      volume === '' ? '' : accessModesText(status?.accessModes),
      storageClassOf(claim, spec?.storageClassName),
      spec?.volumeAttributesClassName ?? UNSET,
      moment.age(claim),
      spec?.volumeMode ?? UNSET,
    ];
  },
);

const DEFAULT_CLASS = ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class'];

export const storageClasses: TableConvertor = table<StorageClass>(
  ['Name', 'Provisioner', 'ReclaimPolicy', 'VolumeBindingMode', 'AllowVolumeExpansion', 'Age'],
  (storageClass, moment) => {
    const { metadata, provisioner, reclaimPolicy, volumeBindingMode, allowVolumeExpansion } = storageClass;
    const isDefault = DEFAULT_CLASS.some((annotation) => metadata.annotations?.[annotation] === 'true');
    return [
      isDefault ? `${metadata.name} (default)` : metadata.name,
      provisioner,
      reclaimPolicy ?? 'Delete',
      volumeBindingMode ?? 'Immediate',
      allowVolumeExpansion ?? false,
      moment.age(storageClass),
    ];
  },
);

export const volumeAttributesClasses: TableConvertor = table<VolumeAttributesClass>(['Name', 'DriverName', 'Age'], (object, moment) => [
  object.metadata.name,
  object.driverName,
  moment.age(object),
]);

export const volumeAttachments: TableConvertor = table<VolumeAttachment>(
  ['Name', 'Attacher', 'PV', 'Node', 'Attached:boolean', 'Age'],
  ({ metadata, spec, status }, moment) => [
    metadata.name,
    spec.attacher,
    spec.source.persistentVolumeName ?? '',
    spec.nodeName,
    status?.attached ?? false,
    moment.age({ metadata }),
  ],
);

export const csiNodes: TableConvertor = table<CSINode>(['Name', 'Drivers:integer', 'Age'], ({ metadata, spec }, moment) => [
  metadata.name,
  // The object of a node without drivers has null.
  (spec.drivers as CSINode['spec']['drivers'] | null)?.length ?? 0,
  moment.age({ metadata }),
]);

export const csiDrivers: TableConvertor = table<CSIDriver>(
  [
    ...['Name', 'AttachRequired:boolean', 'PodInfoOnMount:boolean', 'StorageCapacity:boolean', 'TokenRequests'],
    ...['RequiresRepublish:boolean', 'Modes', 'Age'],
  ],
  ({ metadata, spec }, moment) => [
    metadata.name,
    spec.attachRequired ?? true,
    spec.podInfoOnMount ?? false,
    spec.storageCapacity ?? false,
    spec.tokenRequests?.map(({ audience }) => audience).join(',') ?? UNSET,
    spec.requiresRepublish ?? false,
    orNone(spec.volumeLifecycleModes?.join(',')),
    moment.age({ metadata }),
  ],
);

const MIGRATION_STATES = ['Running', 'Succeeded', 'Failed'];

/** Their name column has no format. */
export const storageVersionMigrations: TableConvertor = withPlainName(
  table<StorageVersionMigration>(['Name', 'Resource', 'Status'], ({ metadata, spec, status }) => {
    const states = (status?.conditions ?? []).filter(
      (condition) => condition.status === 'True' && MIGRATION_STATES.includes(condition.type),
    );
    const { group, resource } = spec.resource;
    return [metadata.name, group ? `${resource}.${group}` : resource, states.at(-1)?.type ?? 'Unknown'];
  }),
);

function withPlainName(convertor: TableConvertor): TableConvertor {
  return { ...convertor, columns: convertor.columns.map((column) => ({ ...column, format: '' })) };
}

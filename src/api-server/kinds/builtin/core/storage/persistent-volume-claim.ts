import {
  forbidden,
  goQuote,
  invalid,
  notSupported,
  qualifiedNameProblems,
  quantityAmount,
  required,
} from '@keelson/kubernetes/apimachinery';
import type { Behaviour } from '../../behaviour.js';
import {
  compareAmounts,
  type Errors,
  immutable,
  invalidEach,
  isNativeResource,
  isNegativeAmount,
  quantityOf,
  type ResourceList,
  roundResourceList,
  those,
} from '../../checks/index.js';
import type { PersistentVolumeClaim, PersistentVolumeClaimSpec, PersistentVolumeClaimStatus } from '../../drafts.js';
import { keepSpec, keepStatus } from '../../generation.js';
import { semanticEqual } from '../../semantic-equal.js';
import { setClaimSpecDefaults } from '../pods/index.js';
import { claimSpecErrors } from '../volumes/index.js';

export const CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class';
const SIZE = 'spec.resources.requests.storage';
const ATTRIBUTES = 'spec.volumeAttributesClassName';

/** Source: kubernetes `pkg/registry/core/persistentvolumeclaim`, `pkg/apis/core/{v1,validation}`, `pkg/api/persistentvolumeclaim`. */
export const persistentVolumeClaims: Behaviour<PersistentVolumeClaim> = {
  setDefaults(claim) {
    claim.spec ??= {};
    setClaimSpecDefaults(claim.spec);
    claim.status ??= {};
    claim.status.phase ||= 'Pending';
    roundResourceList(claim.status.capacity);
    roundResourceList(claim.status.allocatedResources);
  },

  prepareForCreate(claim) {
    claim.status = { phase: 'Pending' };
    agreeOnSource(claim.spec ?? {}, undefined);
  },
  validate: ({ spec }) => claimSpecErrors(spec ?? {}, 'spec'),
  warningsOnCreate: claimWarnings,

  prepareForUpdate(claim, old) {
    keepStatus(claim, old);
    agreeOnSource(claim.spec ?? {}, old.spec);
  },
  validateUpdate: (claim, old) => [...claimSpecErrors(claim.spec ?? {}, 'spec'), ...changedClaimErrors(claim, old)],
  warningsOnUpdate: claimWarnings,
  revalidatesMetadata: true,

  prepareForStatusUpdate: keepSpec,
  validateStatusUpdate: ({ spec, status }) =>
    those((spec?.accessModes ?? []).length === 0 && required('Spec.accessModes'), statusErrors(status ?? {})),
};

/** A source of another namespace needs a feature that is switched off; the older of the two fields knows only claims and snapshots. */
function agreeOnSource(spec: PersistentVolumeClaimSpec, old: PersistentVolumeClaimSpec | undefined): void {
  if ((spec.dataSourceRef?.namespace ?? '') !== '' && old?.dataSourceRef === undefined) delete spec.dataSourceRef;
  const hadSource = old?.dataSource !== undefined || old?.dataSourceRef !== undefined;
  if (!hadSource && spec.dataSourceRef === undefined && !isKnownSource(spec.dataSource)) delete spec.dataSource;
  const { dataSource, dataSourceRef } = spec;
  if (dataSource !== undefined && dataSourceRef === undefined) spec.dataSourceRef = { ...dataSource };
  if (dataSource === undefined && dataSourceRef !== undefined && (dataSourceRef.namespace ?? '') === '') {
    const { namespace: _namespace, ...source } = dataSourceRef;
    spec.dataSource = source;
  }
}

function isKnownSource(source: PersistentVolumeClaimSpec['dataSource']): boolean {
  // A missing value is null.
  const group = source?.apiGroup ?? '';
  const kind = source?.kind;
  return (kind === 'PersistentVolumeClaim' && group === '') || (kind === 'VolumeSnapshot' && group === 'snapshot.storage.k8s.io');
}

/** A claim is as it was made: but a volume is found for it, a class may be named late, and what is bound may grow. */
function changedClaimErrors(
  { metadata, spec = {}, status }: PersistentVolumeClaim,
  { metadata: oldMetadata, spec: old = {} }: PersistentVolumeClaim,
): Errors {
  const isBound = status?.phase === 'Bound';
  const annotation = metadata.annotations?.[CLASS_ANNOTATION];
  const oldAnnotation = oldMetadata.annotations?.[CLASS_ANNOTATION];
  const isNamedLate = old.storageClassName === undefined && spec.storageClassName !== undefined;
  const isFromAnnotation =
    isNamedLate &&
    oldAnnotation !== undefined &&
    spec.storageClassName === oldAnnotation &&
    (annotation ?? oldAnnotation) === oldAnnotation;
  const isFromNothing = isNamedLate && (oldAnnotation === undefined || spec.storageClassName === oldAnnotation);
  const wished = structuredClone(spec);
  const before = structuredClone(old);
  if ((old.volumeName ?? '') === '' && spec.volumeName !== undefined) before.volumeName = spec.volumeName;
  if (isFromAnnotation || isFromNothing) delete wished.storageClassName;
  const size = old.resources?.requests?.['storage'];
  if (isBound && wished.resources?.requests !== undefined && size !== undefined) wished.resources.requests['storage'] = size;
  if (isBound) copyAttributesClass(wished, old);
  return those(
    !isFromAnnotation &&
      annotation !== oldAnnotation &&
      invalid(`metadata.annotations.${CLASS_ANNOTATION}`, annotation ?? '', 'field is immutable'),
    !semanticEqual(wished, before) && forbidden('spec', CHANGED_SPEC),
    sizeErrors(spec, old, status),
    immutable(spec.volumeMode, old.volumeMode, 'volumeMode'),
    attributesErrors(spec, old, status),
  );
}

function copyAttributesClass(spec: PersistentVolumeClaimSpec, old: PersistentVolumeClaimSpec): void {
  if (old.volumeAttributesClassName === undefined) delete spec.volumeAttributesClassName;
  else spec.volumeAttributesClassName = old.volumeAttributesClassName;
}

const CHANGED_SPEC = 'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';

/** Down to what there is, so that growth that has failed can be taken back. */
function sizeErrors(
  spec: PersistentVolumeClaimSpec,
  old: PersistentVolumeClaimSpec,
  status: PersistentVolumeClaimStatus | undefined,
): Errors {
  const sizeOf = (list: ResourceList | undefined): number | string => list?.['storage'] ?? '0';
  const size = sizeOf(spec.resources?.requests);
  if (compareAmounts(size, sizeOf(old.resources?.requests)) >= 0 || compareAmounts(size, sizeOf(status?.capacity)) > 0) return [];
  return [forbidden(SIZE, 'field can not be less than status.capacity')];
}

function attributesErrors(
  { volumeAttributesClassName: name }: PersistentVolumeClaimSpec,
  { volumeAttributesClassName: old }: PersistentVolumeClaimSpec,
  status: PersistentVolumeClaimStatus | undefined,
): Errors {
  if (name === old || status?.currentVolumeAttributesClassName === undefined || (name ?? '') !== '') return [];
  const what = name === undefined ? 'nil' : 'empty string';
  return [forbidden(ATTRIBUTES, `update to ${what} is forbidden when status.currentVolumeAttributesClassName is not nil`)];
}

const RESIZE_STATES = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
  'NodeResizePending',
].sort();

function statusErrors({
  capacity = {},
  allocatedResourceStatuses: states = {},
  allocatedResources = {},
}: PersistentVolumeClaimStatus): Errors {
  const path = 'status.allocatedResourceStatuses';
  return those(
    Object.entries(capacity).flatMap(([name, amount]) => basicAmountErrors(amount, `status.capacity[${name}]`)),
    Object.entries(states as Record<string, string>).flatMap(([name, state]) =>
      those(resourceKeyErrors(name, path), !RESIZE_STATES.includes(state) && notSupported(path, name, RESIZE_STATES)),
    ),
    Object.entries(allocatedResources).flatMap(([name, amount]) => {
      const errors = resourceKeyErrors(name, 'status.allocatedResources');
      return errors.length > 0 ? errors : basicAmountErrors(amount, `status.allocatedResources[${name}]`);
    }),
  );
}

function resourceKeyErrors(name: string, path: string): Errors {
  const problems = qualifiedNameProblems(name);
  if (problems.length > 0) return invalidEach(path, name, problems);
  return isNativeResource(name) && name !== 'storage' ? [notSupported(path, name, ['storage'])] : [];
}

/** Also of PersistentVolumes. */
export function basicAmountErrors(amount: number | string, path: string): Errors {
  if (!isNegativeAmount(amount)) return [];
  return [invalid(path, Number(quantityAmount(quantityOf(amount))), 'must be a valid resource quantity')];
}

function claimWarnings({ metadata, spec }: PersistentVolumeClaim): readonly string[] {
  const lists = Object.entries({ requests: spec?.resources?.requests, limits: spec?.resources?.limits });
  return [
    ...(metadata.annotations?.[CLASS_ANNOTATION] === undefined
      ? []
      : [`metadata.annotations[${CLASS_ANNOTATION}]: deprecated since v1.8; use "storageClassName" attribute instead`]),
    ...lists.flatMap(([field, list]) => {
      const amount = list?.['storage'];
      if (amount === undefined || quantityAmount(quantityOf(amount), -3) % 1_000n === 0n) return [];
      return [`spec.resources.${field}[storage]: fractional byte value ${goQuote(String(amount))} is invalid, must be an integer`];
    }),
  ];
}

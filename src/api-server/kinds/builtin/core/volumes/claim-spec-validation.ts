import { type FieldError, forbidden, invalid, notSupported, required } from '@keelson/kubernetes/apimachinery';
import {
  dnsLabel,
  dnsSubdomain,
  type Errors,
  labelSelectorErrors,
  needed,
  neededThen,
  oneOf,
  positiveAmount,
  those,
} from '../../checks/index.js';
import type { PersistentVolumeClaimSpec } from '../../drafts.js';

/** Source: kubernetes `pkg/apis/core/validation` (`ValidatePersistentVolumeClaimSpec`). */
export function claimSpecErrors(spec: PersistentVolumeClaimSpec, path: string): Errors {
  const { accessModes, selector, resources, storageClassName = '', volumeMode, volumeAttributesClassName = '' } = spec;
  const modes = accessModes ?? [];
  return those(
    modes.length === 0 && required(`${path}.accessModes`, 'at least 1 access mode is required'),
    labelSelectorErrors(selector, `${path}.selector`),
    accessModeErrors(modes, `${path}.accessModes`),
    neededThen(positiveAmount)(resources?.requests?.['storage'], `${path}.resources[storage]`),
    storageClassName !== '' && dnsSubdomain(storageClassName, `${path}.storageClassName`),
    oneOf(['Block', 'Filesystem'])(volumeMode, `${path}.volumeMode`),
    dataSourceErrors(spec, path),
    volumeAttributesClassName !== '' && dnsSubdomain(volumeAttributesClassName, `${path}.volumeAttributesClassName`),
  );
}

const ACCESS_MODES: readonly string[] = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

/** Also of PersistentVolumes. */
export function accessModeErrors(modes: readonly string[], path: string): Errors {
  const errors: FieldError[] = modes.filter((mode) => !ACCESS_MODES.includes(mode)).map((mode) => notSupported(path, mode, ACCESS_MODES));
  const isShared = modes.some((mode) => mode !== 'ReadWriteOncePod' && ACCESS_MODES.includes(mode));
  if (isShared && modes.includes('ReadWriteOncePod')) errors.push(forbidden(path, 'may not use ReadWriteOncePod with other access modes'));
  return errors;
}

function dataSourceErrors({ dataSource, dataSourceRef }: PersistentVolumeClaimSpec, path: string): Errors {
  const errors: FieldError[] = [];
  if (dataSource !== undefined) errors.push(...referenceErrors(dataSource, `${path}.dataSource`));
  if (dataSourceRef === undefined) return errors;
  errors.push(...referenceErrors(dataSourceRef, `${path}.dataSourceRef`));
  const { namespace = '' } = dataSourceRef;
  if (namespace !== '') errors.push(...dnsLabel(namespace, `${path}.dataSourceRef.namespace`));
  if (dataSource === undefined) return errors;
  // A path is a struct without fields that JSON shows.
  const printed = {};
  if (namespace !== '') return [...errors, invalid(path, printed, 'may not be specified when dataSourceRef.namespace is specified')];
  const { apiGroup, kind, name } = dataSourceRef;
  const isSame = dataSource.apiGroup === apiGroup && dataSource.kind === kind && dataSource.name === name;
  return isSame ? errors : [...errors, invalid(path, printed, 'must match dataSourceRef')];
}

function referenceErrors(
  { name, kind, apiGroup: group }: { name: string; kind: string; apiGroup?: string | null | undefined },
  path: string,
): Errors {
  // A missing value is null.
  const apiGroup = group ?? '';
  const isForeign = apiGroup === '' && kind !== 'PersistentVolumeClaim';
  return those(
    needed()(name, `${path}.name`),
    needed()(kind, `${path}.kind`),
    isForeign && invalid(path, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup"),
    apiGroup !== '' && dnsSubdomain(apiGroup, `${path}.apiGroup`),
  );
}

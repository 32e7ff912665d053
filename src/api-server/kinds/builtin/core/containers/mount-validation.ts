import { type FieldError, forbidden, invalid, notSupported, required } from '@keelson/kubernetes/apimachinery';
import { descendingPath, type Errors, needed, noBacksteps, oneOf, those } from '../../checks/index.js';
import type { Container, Volume, VolumeMount } from '../../drafts.js';

type Volumes = ReadonlyMap<string, Volume>;

/** Source: kubernetes `pkg/apis/core/validation` (`ValidateVolumeMounts`, `ValidateVolumeDevices`). */
export function mountErrors(container: Container, volumes: Volumes, path: string): Errors {
  return [
    ...volumeMountErrors(container, volumes, `${path}.volumeMounts`),
    ...volumeDeviceErrors(container, volumes, `${path}.volumeDevices`),
  ];
}

function volumeMountErrors(container: Container, volumes: Volumes, path: string): Errors {
  const devices = new Map((container.volumeDevices ?? []).map(({ name, devicePath }) => [name, devicePath]));
  const taken = new Set<string>();
  return (container.volumeMounts ?? []).flatMap((mount, index) => {
    const field = `${path}[${index}]`;
    const { name, mountPath } = mount;
    const errors: FieldError[] = [...needed()(name, `${field}.name`)];
    if (!volumes.has(name)) errors.push(notFound(`${field}.name`, name));
    errors.push(...needed()(mountPath, `${field}.mountPath`));
    if (taken.has(mountPath)) errors.push(invalid(`${field}.mountPath`, mountPath, 'must be unique'));
    taken.add(mountPath);
    if (devices.has(name)) errors.push(invalid(`${field}.name`, name, 'must not already exist in volumeDevices'));
    if ([...devices.values()].includes(mountPath)) {
      errors.push(invalid(`${field}.mountPath`, mountPath, 'must not already exist as a path in volumeDevices'));
    }
    return [...errors, ...subPathErrors(mount, { path, field }), ...propagationErrors(mount, container, path)];
  });
}

export function notFound(field: string, name: string): FieldError {
  return {
    ...invalid(field, name, ''),
    reason: 'FieldValueNotFound',
    message: invalid(field, name, '').message.replace('Invalid value', 'Not found'),
  };
}

/** The server names the list where it should name the mount. */
function subPathErrors({ subPath = '', subPathExpr = '' }: VolumeMount, { path, field }: { path: string; field: string }): Errors {
  const both = 'subPathExpr and subPath are mutually exclusive';
  return those(
    subPath !== '' && descendingPath(subPath, `${path}.subPath`),
    !(subPath === '' || subPathExpr === '') && invalid(`${field}.subPathExpr`, subPathExpr, both),
    subPathExpr !== '' && descendingPath(subPathExpr, `${path}.subPathExpr`),
  );
}

function propagationErrors(
  { mountPropagation: mode, recursiveReadOnly, readOnly }: VolumeMount,
  container: Container,
  path: string,
): Errors {
  const errors: FieldError[] = [...oneOf(['Bidirectional', 'HostToContainer', 'None'])(mode, `${path}.mountPropagation`)];
  if (mode === 'Bidirectional' && container.securityContext?.privileged !== true) {
    errors.push(forbidden(`${path}.mountPropagation`, 'Bidirectional mount propagation is available only to privileged containers'));
  }
  const field = `${path}.recursiveReadOnly`;
  if (recursiveReadOnly === undefined || recursiveReadOnly === 'Disabled') return errors;
  if (recursiveReadOnly !== 'Enabled' && recursiveReadOnly !== 'IfPossible') {
    return [...errors, notSupported(field, recursiveReadOnly, ['Disabled', 'Enabled', 'IfPossible'])];
  }
  if (readOnly !== true) errors.push(forbidden(field, 'may only be specified when readOnly is true'));
  if (mode !== undefined && mode !== 'None')
    errors.push(forbidden(field, 'may only be specified when mountPropagation is None or not specified'));
  return errors;
}

function volumeDeviceErrors({ volumeDevices = [], volumeMounts = [] }: Container, volumes: Volumes, path: string): Errors {
  const mounts = new Map(volumeMounts.map(({ name, mountPath }) => [name, mountPath]));
  const [names, paths] = [new Set<string>(), new Set<string>()];
  return volumeDevices.flatMap(({ name, devicePath }, index) => {
    const [nameField, pathField] = [`${path}[${index}].name`, `${path}[${index}].devicePath`];
    const volume = volumes.get(name);
    const isClaim = volume?.persistentVolumeClaim !== undefined || volume?.ephemeral !== undefined;
    const errors: FieldError[] = [...needed()(name, nameField)];
    if (names.has(name)) errors.push(invalid(nameField, name, 'must be unique'));
    if (volume !== undefined && !isClaim) {
      errors.push(invalid(nameField, name, 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode'));
    }
    if (volume === undefined) errors.push(notFound(nameField, name));
    if (devicePath === '') errors.push(required(pathField));
    if (paths.has(devicePath)) errors.push(invalid(pathField, devicePath, 'must be unique'));
    if (noBacksteps(devicePath, pathField).length > 0) errors.push(invalid(pathField, devicePath, "can not contain backsteps ('..')"));
    else paths.add(devicePath);
    if (mounts.has(name)) errors.push(invalid(nameField, name, 'must not already exist in volumeMounts'));
    if ([...mounts.values()].includes(devicePath))
      errors.push(invalid(pathField, devicePath, 'must not already exist as a path in volumeMounts'));
    if (name !== '') names.add(name);
    return errors;
  });
}

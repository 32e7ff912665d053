import type {
  ConfigMapVolumeSource,
  DownwardAPIVolumeFile,
  KeyToPath,
  ObjectMeta,
  ProjectedVolumeSource,
  Volume,
  VolumeProjection,
} from '../../../../../kinds/index.js';
import {
  dns1123SubdomainProblems,
  duplicate,
  type FieldError,
  forbidden,
  goQuote,
  invalid,
  required,
  validateAnnotations,
  validateLabels,
} from '../../../../../kubernetes/index.js';
import {
  dnsLabel,
  dnsSubdomain,
  type Errors,
  fileMode,
  isNegativeAmount,
  needed,
  noBacksteps,
  nonReservedPath,
  oneOf,
  those,
} from '../../checks/index.js';
import { fieldRefErrors, resourceFieldErrors } from '../containers/index.js';
import { claimSpecErrors } from './claim-spec-validation.js';
import { storageSourceErrors } from './storage-volumes.js';

/** Source: kubernetes 1.34 `pkg/apis/core/validation` (`ValidateVolumes`). */
export interface CheckedVolumes {
  /** The valid ones: what mounts may name. */
  readonly volumes: ReadonlyMap<string, Volume>;
  readonly errors: Errors;
}

/** @param podName undefined: of a template */
export function checkVolumes(volumes: readonly Volume[], path: string, podName: string | undefined): CheckedVolumes {
  const errors: FieldError[] = [];
  const valid = new Map<string, Volume>();
  const madeClaims = new Set(
    podName ? volumes.filter(({ ephemeral }) => ephemeral !== undefined).map(({ name }) => `${podName}-${name}`) : [],
  );
  for (const [index, volume] of volumes.entries()) {
    const field = `${path}[${index}]`;
    const own = [...sourceErrors(volume, field, podName), ...nameErrors(volume.name, `${field}.name`)];
    if (valid.has(volume.name)) own.push(duplicate(`${field}.name`, volume.name));
    if (own.length === 0) valid.set(volume.name, volume);
    errors.push(...own);
    const claim = volume.persistentVolumeClaim?.claimName;
    if (claim !== undefined && madeClaims.has(claim)) {
      errors.push(
        invalid(`${field}.persistentVolumeClaim.claimName`, claim, 'must not reference a PVC that gets created for an ephemeral volume'),
      );
    }
  }
  return { volumes: valid, errors };
}

function nameErrors(name: string, path: string): Errors {
  return name === '' ? [required(path)] : dnsLabel(name, path);
}

type Source = Exclude<keyof Volume, 'name'>;

/** In the order in which the server looks. */
const SOURCES: readonly Source[] = [
  'emptyDir',
  'hostPath',
  'gitRepo',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'secret',
  'nfs',
  'iscsi',
  'glusterfs',
  'flocker',
  'persistentVolumeClaim',
  'rbd',
  'cinder',
  'cephfs',
  'quobyte',
  'downwardAPI',
  'fc',
  'flexVolume',
  'configMap',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'storageos',
  'projected',
  'scaleIO',
  'csi',
  'ephemeral',
  'image',
];
/** What the server calls them in this one message. */
const CALLED: Partial<Record<Source, string>> = { cephfs: 'cephFS', downwardAPI: 'downwarAPI' };

/** One source, no more; only the first that is there is looked at. */
function sourceErrors(volume: Volume, path: string, podName: string | undefined): Errors {
  const [first, ...others] = SOURCES.filter((source) => volume[source] !== undefined);
  if (first === undefined) return [required(path, 'must specify a volume type')];
  return those(
    first === 'ephemeral' ? ephemeralErrors(volume, path, podName) : firstSourceErrors(volume, first, path),
    others.map((source) => forbidden(`${path}.${CALLED[source] ?? source}`, 'may not specify more than 1 volume type')),
  );
}

function firstSourceErrors(volume: Volume, source: Source, path: string): Errors {
  const { emptyDir, hostPath, secret, persistentVolumeClaim: claim, downwardAPI, configMap, projected, csi } = volume;
  const field = `${path}.${source}`;
  if (emptyDir !== undefined) return emptyDirErrors(emptyDir.sizeLimit, `${field}.sizeLimit`);
  if (hostPath !== undefined) return hostPathErrors(hostPath, field);
  if (source === 'secret' && secret !== undefined)
    return [...needed()(secret.secretName, `${field}.secretName`), ...itemsErrors(secret, field)];
  if (source === 'persistentVolumeClaim') return needed()(claim?.claimName, `${field}.claimName`);
  if (source === 'downwardAPI' && downwardAPI !== undefined) return downwardErrors(downwardAPI, field);
  if (source === 'configMap' && configMap !== undefined)
    return [...needed()(configMap.name, `${field}.name`), ...itemsErrors(configMap, field)];
  if (source === 'projected' && projected !== undefined) return projectedErrors(projected, field);
  if (source === 'csi' && csi !== undefined) return csiErrors(csi, field);
  return storageSourceErrors(volume, source, path);
}

function emptyDirErrors(sizeLimit: number | string | undefined, path: string): Errors {
  return sizeLimit !== undefined && isNegativeAmount(sizeLimit)
    ? [forbidden(path, 'SizeLimit field must be a valid resource quantity')]
    : [];
}

const HOST_PATH_TYPES = ['', 'BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket'];

/** Also of PersistentVolumes. */
export function hostPathErrors({ path: target, type }: { path: string; type?: string | undefined }, path: string): Errors {
  if (target === '') return [required(`${path}.path`)];
  return [...noBacksteps(target, `${path}.path`), ...oneOf(HOST_PATH_TYPES)(type, `${path}.type`)];
}

function itemsErrors({ defaultMode, items }: Pick<ConfigMapVolumeSource, 'defaultMode' | 'items'>, path: string): Errors {
  return those(
    fileMode(defaultMode, `${path}.defaultMode`),
    (items ?? []).flatMap((item, index) => itemErrors(item, `${path}.items[${index}]`)),
  );
}

function itemErrors({ key, path: target, mode }: KeyToPath, path: string): Errors {
  return [
    ...needed()(key, `${path}.key`),
    ...needed()(target, `${path}.path`),
    ...nonReservedPath(target, `${path}.path`),
    ...fileMode(mode, `${path}.mode`),
  ];
}

const FILE_FIELDS = ['metadata.annotations', 'metadata.labels', 'metadata.name', 'metadata.namespace', 'metadata.uid'];

function downwardErrors({ defaultMode, items }: NonNullable<Volume['downwardAPI']>, path: string): Errors {
  // The server names no item.
  return [...fileMode(defaultMode, `${path}.defaultMode`), ...(items ?? []).flatMap((file) => fileErrors(file, path))];
}

function fileErrors({ path: target, fieldRef, resourceFieldRef, mode }: DownwardAPIVolumeFile, path: string): Errors {
  const errors: FieldError[] = [...needed()(target, `${path}.path`), ...nonReservedPath(target, `${path}.path`)];
  if (fieldRef !== undefined) {
    errors.push(...fieldRefErrors(fieldRef, FILE_FIELDS, `${path}.fieldRef`));
    if (resourceFieldRef !== undefined)
      errors.push(invalid(path, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously'));
  } else if (resourceFieldRef !== undefined) {
    errors.push(...resourceFieldErrors(resourceFieldRef, `${path}.resourceFieldRef`, { isVolume: true }));
  } else {
    errors.push(required(path, 'one of fieldRef and resourceFieldRef is required'));
  }
  return [...errors, ...fileMode(mode, `${path}.mode`)];
}

function projectedErrors({ defaultMode, sources }: ProjectedVolumeSource, path: string): Errors {
  const taken = new Set<string>();
  return those(
    fileMode(defaultMode, `${path}.defaultMode`),
    (sources ?? []).flatMap((source, index) => projectionErrors(source, { path, index, taken })),
  );
}

function projectionErrors(source: VolumeProjection, { path, index, taken }: { path: string; index: number; taken: Set<string> }): Errors {
  const field = `${path}.sources[${index}]`;
  const { secret, configMap, downwardAPI, serviceAccountToken: token } = source;
  const errors: FieldError[] = [];
  const take = (target: string, printed: string): void => {
    if (target === '') return;
    if (taken.has(target)) errors.push(invalid(path, printed, 'conflicting duplicate paths'));
    taken.add(target);
  };
  for (const [name, keys] of Object.entries({ secret, configMap })) {
    if (keys === undefined) continue;
    errors.push(...needed()(keys.name, `${field}.${name}.name`));
    for (const [position, item] of (keys.items ?? []).entries()) {
      errors.push(...itemErrors(item, `${field}.${name}.items[${position}]`));
      take(item.path, keys.name ?? '');
    }
  }
  for (const file of downwardAPI?.items ?? []) {
    errors.push(...fileErrors(file, `${field}.downwardAPI`));
    take(file.path, file.path);
  }
  if (token !== undefined) errors.push(...tokenErrors(token, `${field}.serviceAccountToken`, path));
  const count = [secret, configMap, downwardAPI, token].filter((present) => present !== undefined).length;
  return count > 1 ? [...errors, forbidden(field, 'may not specify more than 1 volume type per source')] : errors;
}

function tokenErrors(
  { expirationSeconds = 0, path: target }: NonNullable<VolumeProjection['serviceAccountToken']>,
  path: string,
  projected: string,
): Errors {
  const field = `${path}.expirationSeconds`;
  return those(
    expirationSeconds < 600 && invalid(field, expirationSeconds, 'may not specify a duration less than 10 minutes'),
    expirationSeconds > 2 ** 32 && invalid(field, expirationSeconds, 'may not specify a duration larger than 2^32 seconds'),
    target === '' ? [required(`${projected}.path`)] : nonReservedPath(target, `${projected}.path`),
  );
}

/** Also of the drivers of PersistentVolumes. */
export function csiDriverErrors(driver: string, path: string): Errors {
  return those(
    needed()(driver, path),
    driver.length > 63 && { reason: 'FieldValueTooLong' as const, field: path, message: 'Too long: may not be more than 63 bytes' },
    dns1123SubdomainProblems(driver.toLowerCase()).map((text) => invalid(path, driver, text)),
  );
}

function csiErrors({ driver, nodePublishSecretRef: secret }: NonNullable<Volume['csi']>, path: string): Errors {
  const { name = '' } = secret ?? {};
  const secretErrors = name === '' ? [required(`${path}.nodePublishSecretRef.name`)] : dnsSubdomain(name, `${path}.name`);
  return [...csiDriverErrors(driver, `${path}.driver`), ...(secret === undefined ? [] : secretErrors)];
}

function ephemeralErrors({ name, ephemeral }: Volume, path: string, podName: string | undefined): Errors {
  const field = `${path}.ephemeral.volumeClaimTemplate`;
  const template = ephemeral?.volumeClaimTemplate;
  const claim = `${podName}-${name}`;
  const names =
    podName && name !== ''
      ? dns1123SubdomainProblems(claim).map((text) => invalid(`${path}.name`, name, `PVC name ${goQuote(claim)}: ${text}`))
      : [];
  if (template === undefined) return [required(field), ...names];
  return [
    ...templateMetadataErrors(template.metadata ?? {}, `${field}.metadata`),
    ...claimSpecErrors(template.spec, `${field}.spec`),
    ...names,
  ];
}

/** What is made of a template gets its name and the rest of its metadata otherwise. */
function templateMetadataErrors(metadata: ObjectMeta, path: string): Errors {
  const others = Object.keys(metadata).filter((key) => key !== 'annotations' && key !== 'labels');
  return [
    ...validateAnnotations(metadata.annotations ?? {}, `${path}.annotations`),
    ...validateLabels(metadata.labels ?? {}, `${path}.labels`),
    ...others.map((key) => forbidden(`${path}.${key}`, 'cannot be set')),
  ];
}

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
} from '@keelson/kubernetes/apimachinery';
import {
  all,
  csiDriverName,
  dnsLabel,
  dnsSubdomain,
  type Errors,
  each,
  fileMode,
  isNegativeAmount,
  needed,
  neededThen,
  noBacksteps,
  nonReservedPath,
  oneOf,
  type Rule,
  shape,
  those,
  tokenSeconds,
} from '../../checks/index.js';
import type {
  ConfigMapVolumeSource,
  DownwardAPIVolumeFile,
  KeyToPath,
  ObjectMeta,
  ProjectedVolumeSource,
  Volume,
  VolumeProjection,
} from '../../drafts.js';
import { fieldRefErrors, resourceFieldErrors } from '../containers/index.js';
import { claimSpecErrors } from './claim-spec-validation.js';
import { storageSourceErrors } from './storage-volumes.js';

/** Source: kubernetes `pkg/apis/core/validation` (`ValidateVolumes`). */
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
const SOURCES = (
  'emptyDir hostPath gitRepo gcePersistentDisk awsElasticBlockStore secret nfs iscsi glusterfs flocker persistentVolumeClaim rbd cinder cephfs ' +
  'quobyte downwardAPI fc flexVolume configMap azureFile vsphereVolume photonPersistentDisk portworxVolume azureDisk storageos projected scaleIO csi ephemeral image'
).split(' ') as readonly Source[];
/** The server's names for them in this one message. */
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
  if (source === 'image') return imageRules(volume.image, field);
  return storageSourceErrors(volume, source, path);
}

const imageRules = shape<NonNullable<Volume['image']>>({
  reference: needed(),
  pullPolicy: oneOf(['Always', 'IfNotPresent', 'Never']),
});

const emptyDirErrors: Rule<number | string> = (limit, path) =>
  those(limit !== undefined && isNegativeAmount(limit) && forbidden(path, 'SizeLimit field must be a valid resource quantity'));

const HOST_PATH_TYPES = ['', 'BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket'];

/** Also of PersistentVolumes. */
export function hostPathErrors({ path: target, type }: { path: string; type?: string | undefined }, path: string): Errors {
  if (target === '') return [required(`${path}.path`)];
  return [...noBacksteps(target, `${path}.path`), ...oneOf(HOST_PATH_TYPES)(type, `${path}.type`)];
}

const itemErrors = shape<KeyToPath>({ key: needed(), path: all(needed(), nonReservedPath), mode: fileMode });

const itemsErrors = shape<Pick<ConfigMapVolumeSource, 'defaultMode' | 'items'>>({ defaultMode: fileMode, items: each(itemErrors) });

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
  return [...tokenSeconds(expirationSeconds, `${path}.expirationSeconds`), ...neededThen(nonReservedPath)(target, `${projected}.path`)];
}

function csiErrors({ driver, nodePublishSecretRef: secret }: NonNullable<Volume['csi']>, path: string): Errors {
  const { name = '' } = secret ?? {};
  const secretErrors = name === '' ? [required(`${path}.nodePublishSecretRef.name`)] : dnsSubdomain(name, `${path}.name`);
  return [...csiDriverName(driver, `${path}.driver`), ...(secret === undefined ? [] : secretErrors)];
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

/** An object that is made of a template gets its name and the rest of its metadata otherwise. */
function templateMetadataErrors(metadata: ObjectMeta, path: string): Errors {
  const others = Object.keys(metadata).filter((key) => key !== 'annotations' && key !== 'labels');
  return [
    ...validateAnnotations(metadata.annotations ?? {}, `${path}.annotations`),
    ...validateLabels(metadata.labels ?? {}, `${path}.labels`),
    ...others.map((key) => forbidden(`${path}.${key}`, 'cannot be set')),
  ];
}

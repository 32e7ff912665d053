import { type FieldError, invalid, required } from '@keelson/kubernetes/apimachinery';
import type { Errors } from '../../checks/index.js';
import type { Volume } from '../../drafts.js';

/**
 * The required fields of volumes of storage systems. For systems that Kubernetes has dropped only these are checked, not how their addresses are spelled.
 *
 * Source: kubernetes `pkg/apis/core/validation`.
 */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  gitRepo: ['repository'],
  gcePersistentDisk: ['pdName'],
  awsElasticBlockStore: ['volumeID'],
  nfs: ['server', 'path'],
  iscsi: ['targetPortal', 'iqn'],
  glusterfs: ['endpoints', 'path'],
  rbd: ['monitors', 'image'],
  cinder: ['volumeID'],
  cephfs: ['monitors'],
  quobyte: ['registry', 'volume'],
  flexVolume: ['driver'],
  azureFile: ['secretName', 'shareName'],
  vsphereVolume: ['volumePath'],
  photonPersistentDisk: ['pdID'],
  portworxVolume: ['volumeID'],
  azureDisk: ['diskName', 'diskURI'],
  storageos: ['volumeName'],
  scaleIO: ['gateway', 'system', 'volumeName'],
};
/** The server's names for them. */
const CALLED: Readonly<Record<string, string>> = { gcePersistentDisk: 'persistentDisk' };

export function storageSourceErrors(volume: Volume, source: Exclude<keyof Volume, 'name'>, path: string): Errors {
  const fields = (volume[source] ?? {}) as Readonly<Record<string, unknown>>;
  const field = `${path}.${CALLED[source] ?? source}`;
  const errors: FieldError[] = (REQUIRED[source] ?? [])
    .filter((name) => isEmpty(fields[name]))
    .map((name) => required(`${field}.${name}`, source === 'quobyte' && name === 'registry' ? HOST_PORT_PAIRS : ''));
  const target = fields['path'];
  if (source === 'nfs' && typeof target === 'string' && !target.startsWith('/')) {
    errors.push(invalid(`${field}.path`, target, 'must be an absolute path'));
  }
  return errors;
}

const HOST_PORT_PAIRS = 'must be a host:port pair or multiple pairs separated by commas';

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

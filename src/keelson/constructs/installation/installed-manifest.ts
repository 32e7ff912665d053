import type { ApiObjectMetadata } from 'cdk8s';
import type { Construct } from 'constructs';
import type { InstalledObject } from '../../definition/index.js';
import { ManifestObject } from '../object/index.js';

/** Writes an object of the installation. `metadata` replaces its own, where a user may add to it. */
export function installedManifest(
  scope: Construct,
  id: string,
  { metadata: own, ...object }: InstalledObject,
  metadata: ApiObjectMetadata = own,
): ManifestObject {
  const { apiVersion, kind, ...body } = object;
  return new ManifestObject(scope, id, { apiVersion, kind, scope: own.namespace === undefined ? 'Cluster' : 'Namespaced', metadata, body });
}

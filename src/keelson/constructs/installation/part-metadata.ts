import type { ApiObjectMetadata } from 'cdk8s';
import type { Construct } from 'constructs';
import { ConstructError } from '../object/index.js';
import type { Installation } from './installation.js';

interface PartName {
  readonly name: string;
  /** The user's metadata; labels and annotations are joined with ours. */
  readonly given?: ApiObjectMetadata | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

/**
 * Metadata of a namespaced part.
 *
 * @throws ConstructError when the user's metadata renames or moves the part: the other parts find it by name and namespace
 */
export function partMetadata(scope: Construct, installation: Installation, { name, given, annotations }: PartName): ApiObjectMetadata {
  if (given?.name !== undefined && given.name !== name) {
    throw new ConstructError(
      scope,
      `metadata.name is '${given.name}', but the other parts call it '${name}'; set name of the installation instead`,
    );
  }
  if (given?.namespace !== undefined && given.namespace !== installation.namespace) {
    throw new ConstructError(
      scope,
      `metadata.namespace is '${given.namespace}', but the operator's namespace is '${installation.namespace}'; set namespace of the installation instead`,
    );
  }
  const joined = { ...annotations, ...given?.annotations };
  return {
    ...given,
    name,
    namespace: installation.namespace,
    labels: { ...installation.labels, ...given?.labels },
    ...(Object.keys(joined).length === 0 ? {} : { annotations: joined }),
  };
}

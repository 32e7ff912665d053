import type { ApiObjectMetadata } from 'cdk8s';
import type { Construct } from 'constructs';
import { ConstructError } from './construct-error.js';
import type { ResolvedOperator } from './resolved-operator.js';

interface PartName {
  readonly name: string;
  /** What the user passed; labels and annotations are joined with ours. */
  readonly given?: ApiObjectMetadata | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

/**
 * Metadata of a namespaced part.
 *
 * @throws ConstructError when the user's metadata renames or moves the part: the other parts find it by name and namespace
 */
export function partMetadata(scope: Construct, resolved: ResolvedOperator, { name, given, annotations }: PartName): ApiObjectMetadata {
  if (given?.name !== undefined && given.name !== name) {
    throw new ConstructError(
      scope,
      `metadata.name is '${given.name}', but the other parts call it '${name}'; set name of the installation instead`,
    );
  }
  if (given?.namespace !== undefined && given.namespace !== resolved.namespace) {
    throw new ConstructError(
      scope,
      `metadata.namespace is '${given.namespace}', but the operator's namespace is '${resolved.namespace}'; set namespace of the installation instead`,
    );
  }
  const joined = { ...annotations, ...given?.annotations };
  return {
    ...given,
    name,
    namespace: resolved.namespace,
    labels: { ...resolved.labels, ...given?.labels },
    ...(Object.keys(joined).length === 0 ? {} : { annotations: joined }),
  };
}

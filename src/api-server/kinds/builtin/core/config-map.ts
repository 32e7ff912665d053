import { forbidden, invalid, tooLong } from '@keelson/kubernetes/apimachinery';
import type { Behaviour } from '../behaviour.js';
import { configMapKeyProblems, type Errors, invalidEach, those } from '../checks/index.js';
import type { ConfigMap } from '../drafts.js';
import { semanticEqual } from '../semantic-equal.js';

/** Also of Secrets: more than that would be too much for the store of a real cluster. */
export const MAX_DATA_BYTES = 1_048_576;

/** Source: kubernetes `pkg/registry/core/configmap`, `pkg/apis/core/validation`. */
export const configMaps: Behaviour<ConfigMap> = {
  validate: configMapErrors,
  validateUpdate: (configMap, old) => [...frozenDataErrors(configMap, old, ['data', 'binaryData']), ...configMapErrors(configMap)],
  revalidatesMetadata: true,
};

function configMapErrors({ data = {}, binaryData = {} }: ConfigMap): Errors {
  const sizes = [...Object.values(data).map((value) => Buffer.byteLength(value)), ...Object.values(binaryData).map(bytesOf)];
  return those(
    Object.keys(data).flatMap((key) =>
      those(
        keyErrors(key, 'data'),
        Object.hasOwn(binaryData, key) && invalid(`data[${key}]`, key, 'duplicate of key present in binaryData'),
      ),
    ),
    Object.keys(binaryData).flatMap((key) => keyErrors(key, 'binaryData')),
    // The whole object is meant: a path of a step without a name.
    sumOf(sizes) > MAX_DATA_BYTES && tooLong('[]', MAX_DATA_BYTES),
  );
}

export function keyErrors(key: string, path: string): Errors {
  return invalidEach(`${path}[${key}]`, key, configMapKeyProblems(key));
}

/** The length in bytes of a text in base64. */
export function bytesOf(value: string): number {
  return Buffer.byteLength(value, 'base64');
}

export function sumOf(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + size, 0);
}

type DataField = 'binaryData' | 'data';

/** Once `immutable` is set, it stays, and the data too. */
export function frozenDataErrors<T extends { immutable?: boolean | undefined }>(
  object: T,
  old: T,
  fields: readonly (DataField & keyof T)[],
): Errors {
  if (old.immutable !== true) return [];
  const text = 'field is immutable when `immutable` is set';
  return those(
    object.immutable !== true && forbidden('immutable', text),
    fields.filter((field) => !semanticEqual(object[field], old[field])).map((field) => forbidden(field, text)),
  );
}

import { type FieldLabels, isObject, type JsonObject } from '../../contract/index.js';

/**
 * Field labels by the paths of their fields. Source: kubernetes `pkg/apis/<group>/<version>/conversion.go`.
 *
 * @param others labels whose value is not simply that of the field
 */
export function fieldLabels(paths: readonly string[], others: Readonly<Record<string, (object: JsonObject) => string>> = {}): FieldLabels {
  const plain = paths.map((path): [string, (object: JsonObject) => string] => [path, (object) => textAt(object, path)]);
  return { fields: new Map([...plain, ...Object.entries(others)]), unsupported: (field) => `field label not supported: ${field}` };
}

export function textAt(object: JsonObject, path: string): string {
  let value: unknown = object;
  for (const step of path.split('.')) value = isObject(value as JsonObject) ? (value as JsonObject)[step] : undefined;
  return value === undefined || value === null ? '' : String(value as boolean | number | string);
}

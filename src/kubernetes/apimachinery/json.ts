import type { Json } from './structural-schema.js';

/** A JSON object that is only read. */
export type JsonObject = { readonly [key: string]: Json };

/** Whether a JSON value is an object: neither a list nor null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return isRecord(value);
}

/** Whether a value that is not known to be JSON has fields: neither a list nor null. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A field that the object itself has: never one that it inherits (`constructor`, `__proto__`). */
export function fieldOf<T>(object: { readonly [key: string]: T }, name: string): T | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/**
 * Deep equality of JSON values; the order of fields does not count. A field that is `undefined` counts as absent: objects that a program builds have such
 * fields, JSON has none. `semanticEqual` of the API server's kinds has Go's other rule (an empty list equals an absent one).
 */
export function equalJson(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left))
    return Array.isArray(right) && left.length === right.length && left.every((item, index) => equalJson(item, right[index]));
  return isRecord(left) && isRecord(right) && hasEqualFields(left, right);
}

function hasEqualFields(left: Readonly<Record<string, unknown>>, right: Readonly<Record<string, unknown>>): boolean {
  let fields = 0;
  for (const key of Object.keys(left)) {
    if (left[key] === undefined) continue;
    if (!equalJson(left[key], fieldOf(right, key))) return false;
    fields += 1;
  }
  for (const key of Object.keys(right)) if (right[key] !== undefined) fields -= 1;
  return fields === 0;
}

/** The object with each field changed; a field that becomes `undefined` is left out. The same object if nothing changed. */
export function mapFields(object: JsonObject, change: (key: string, item: Json) => Json | undefined): JsonObject {
  let copy: Record<string, Json> | undefined;
  for (const key of Object.keys(object)) {
    const item = object[key] as Json;
    const after = change(key, item);
    if (after === item) continue;
    // Spread before writing: `__proto__` is a key like any other.
    copy ??= { ...object };
    if (after === undefined) delete copy[key];
    else copy[key] = after;
  }
  return copy ?? object;
}

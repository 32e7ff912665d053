import { isRecord, type Json, type JsonObject } from '@keelson/kubernetes/apimachinery';

export type { JsonObject };

/** JSON that may be changed. */
export type MutableJson = null | boolean | number | string | MutableJson[] | { [key: string]: MutableJson };

/**
 * An object in the hands of one request: a fresh copy that no other code holds, changed in place by decoding, defaulting and the strategy.
 *
 * Stored objects are frozen; to change one, take {@link draftOf}.
 */
export type Draft = { [field: string]: MutableJson };

/** A deep copy. */
export function draftOf(object: JsonObject): Draft {
  return copyOf(object) as Draft;
}

function copyOf(value: Json): MutableJson {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return (value as readonly Json[]).map(copyOf);
  // Spread before writing: `__proto__` is a key like any other.
  const copy = { ...(value as JsonObject) } as Record<string, MutableJson>;
  for (const key of Object.keys(copy)) copy[key] = copyOf(copy[key] as Json);
  return copy;
}

export function isObject(value: Json | MutableJson | undefined): value is Draft {
  return isRecord(value);
}

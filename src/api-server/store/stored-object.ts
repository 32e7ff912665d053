import { isJsonObject, type Json, type JsonObject } from '@keelson/kubernetes/apimachinery';

/**
 * An object as JSON. An object that the store hands out is frozen through and through and shared with every other reader; it stays the same object as long as
 * it is stored, so that a reader may remember what it made of it (its text, its row of a table) in a `WeakMap`.
 */
export type StoredObject = { readonly [field: string]: Json };

/** The object with `metadata.resourceVersion`; all else is shared. */
export function stamped(object: StoredObject, revision: number): StoredObject {
  const { metadata } = object;
  const fields = isJsonObject(metadata) ? metadata : {};
  return { ...object, metadata: { ...fields, resourceVersion: String(revision) } };
}

export function resourceVersionOf(object: StoredObject): number {
  const { metadata } = object;
  return isJsonObject(metadata) ? Number(metadata['resourceVersion']) : Number.NaN;
}

/** Bytes of the object's JSON. */
export function sizeOf(object: StoredObject): number {
  return Buffer.byteLength(JSON.stringify(object));
}

/**
 * `next` with every part that equals its counterpart in `previous` replaced by that: history then costs what changed. It is `previous` itself if nothing
 * did; the order of an object's keys does not count (the real server compares encodings, which have one order).
 */
export function shareUnchanged<T extends Json>(previous: Json | undefined, next: T): T {
  if (previous === next || typeof next !== 'object' || next === null || typeof previous !== 'object' || previous === null) return next;
  if (Array.isArray(next)) return Array.isArray(previous) ? (shareList(previous, next) as Json as T) : next;
  if (Array.isArray(previous)) return next;
  return shareMap(previous as JsonObject, next as JsonObject) as T;
}

function shareList(previous: readonly Json[], next: readonly Json[]): readonly Json[] {
  const shared = next.map((item, index) => shareUnchanged(previous[index], item));
  return shared.length === previous.length && shared.every((item, index) => item === previous[index]) ? previous : shared;
}

function shareMap(previous: JsonObject, next: JsonObject): JsonObject {
  const keys = Object.keys(next);
  let isSame = keys.length === Object.keys(previous).length;
  // Most parts are as they were, and need no copy.
  let shared: Record<string, Json> | undefined;
  for (const key of keys) {
    const before = Object.hasOwn(previous, key) ? previous[key] : undefined;
    const item = shareUnchanged(before, next[key] as Json);
    if (item !== next[key]) {
      // The copy has each key as its own before it is written to: `__proto__` is a name like any other.
      shared ??= { ...next };
      shared[key] = item;
    }
    if (item !== before) isSame = false;
  }
  return isSame ? previous : (shared ?? next);
}

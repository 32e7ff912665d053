import type { Json, JsonObject } from '@keelson/kubernetes/apimachinery';

/** Deeper values have been refused when they came in; a handler's own are left to `JSON.stringify`, which names a cycle. */
const MAX_DEPTH = 1_000;

/**
 * A copy of a JSON value; texts are shared.
 *
 * Not `structuredClone`: it takes 12 KB for `{"1023":1}`, a thousand times its text, and three times as long as this.
 */
export function copyJson<T extends Json>(value: T): T;
export function copyJson(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: Json) => copyJson(item));
  const object = value as JsonObject;
  const [first] = Object.keys(object);
  // Names that are numbers come first. A spread would make a list up to the number; the parser does not.
  if (first !== undefined && /^\d/.test(first)) return JSON.parse(JSON.stringify(object)) as Json;
  const copy: Record<string, Json> = { ...object };
  for (const name of Object.keys(copy)) {
    const field = copy[name] as Json;
    // The field is there already: writing `__proto__` sets it, as any other.
    if (typeof field === 'object' && field !== null) copy[name] = copyJson(field);
  }
  return copy;
}

/** A handler's value as it is in JSON: without fields that are `undefined`, with dates as texts. The value itself if nothing is to be changed. */
export function asJson(value: object): JsonObject {
  return (isPlainJson(value, 0) ? value : JSON.parse(JSON.stringify(value))) as JsonObject;
}

function isPlainJson(value: unknown, depth: number): boolean {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || depth > MAX_DEPTH) return false;
  if (Array.isArray(value)) {
    // An empty place of a list is skipped by `every`, and `null` in JSON.
    for (let index = 0; index < value.length; index += 1) if (!isPlainJson(value[index], depth + 1)) return false;
    return true;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if ((prototype !== Object.prototype && prototype !== null) || typeof (value as { toJSON?: unknown }).toJSON === 'function') return false;
  for (const name of Object.keys(value)) if (!isPlainJson((value as Readonly<Record<string, unknown>>)[name], depth + 1)) return false;
  return true;
}

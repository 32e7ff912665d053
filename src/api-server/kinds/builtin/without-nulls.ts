import { isObject, type JsonObject } from '../../contract/index.js';

/**
 * The object without fields that are null: Go writes lists and pointers so that must be there and are not. What validation reads has its fields or has them not.
 *
 * @returns the object itself where there is nothing to take away
 */
export function withoutNulls<T extends JsonObject>(object: T): T {
  // Few objects have any: a look is cheaper than a copy that is thrown away.
  return holdsNull(object) ? (cleaned(object) as T) : object;
}

function holdsNull(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsNull);
  if (!isObject(value as JsonObject)) return false;
  return Object.values(value as JsonObject).some((item) => item === null || holdsNull(item));
}

function cleaned(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(cleaned);
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (!isObject(value as JsonObject)) return value;
  const entries = Object.entries(value as JsonObject);
  const kept = entries.flatMap(([key, item]) => (item === null ? [] : [[key, cleaned(item)] as const]));
  const isSame = kept.length === entries.length && kept.every(([, item], index) => item === entries[index]?.[1]);
  return isSame ? value : Object.fromEntries(kept);
}

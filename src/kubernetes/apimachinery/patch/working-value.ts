import type { Json } from '../structural-schema.js';
import { serverPanic } from './errors.js';
import { checkDepth, isList } from './json-tree.js';

/**
 * Nulls of the API server's library. It distinguishes a null that was read with its surroundings (`null`, which is also what an absent field gives) from one that an
 * operation brought as its value, and both from the copy of the latter. They differ in what may follow in the same patch, and become plain nulls at the end.
 */
export const GIVEN_NULL: unique symbol = Symbol('null given as the value of an operation');
export const COPIED_NULL: unique symbol = Symbol('copy of a given null');

export type WorkingMap = Map<string, WorkingValue>;
/** A value while a patch is applied to it: objects are Maps, so that no key means anything to JavaScript. */
export type WorkingValue = null | boolean | number | string | typeof GIVEN_NULL | typeof COPIED_NULL | WorkingValue[] | WorkingMap;

export function toWorking(value: Json, depth = 0): WorkingValue {
  if (typeof value !== 'object' || value === null) return value;
  checkDepth(depth);
  if (isList(value)) return value.map((item) => toWorking(item, depth + 1));
  return new Map(Object.entries(value).map(([key, item]) => [key, toWorking(item, depth + 1)]));
}

/** `Object.fromEntries` makes even `__proto__` an ordinary field. */
export function fromWorking(value: WorkingValue, depth = 0): Json {
  if (typeof value === 'symbol') return null;
  if (typeof value !== 'object' || value === null) return value;
  checkDepth(depth);
  if (Array.isArray(value)) return value.map((item) => fromWorking(item, depth + 1));
  return Object.fromEntries([...value].map(([key, item]) => [key, fromWorking(item, depth + 1)]));
}

/** The copy that the operation `copy` makes: through JSON. */
export function copyWorking(value: WorkingValue): { copy: WorkingValue; json: Json } {
  const json = fromWorking(value);
  return { copy: typeof value === 'symbol' ? COPIED_NULL : toWorking(json), json };
}

/**
 * The value that `test` compares.
 *
 * @param given value of the operation: nulls inside it are plain.
 * @throws PatchRefused (500) where the server's library meets a null in a list.
 */
export function equalWorking(value: WorkingValue, given: WorkingValue): boolean {
  // Nothing but an empty object is equal to the copy of a null.
  if (value === COPIED_NULL) return given instanceof Map && given.size === 0;
  if (value instanceof Map) return given instanceof Map && equalMaps(value, given);
  if (Array.isArray(value)) return Array.isArray(given) && equalLists(value, given);
  return value === given;
}

function equalMaps(left: WorkingMap, right: WorkingMap): boolean {
  if (left.size !== right.size) return false;
  for (const [key, value] of left) {
    const other = right.get(key);
    if (other === undefined || (value === null) !== (other === null)) return false;
    if (value !== null && !equalWorking(value, other)) return false;
  }
  return true;
}

function equalLists(left: WorkingValue[], right: WorkingValue[]): boolean {
  if (left.length !== right.length) return false;
  return left.every((item, index) => {
    const other = right[index] ?? null;
    if (item === null || other === null) throw serverPanic('a null in a list cannot be tested');
    return equalWorking(item, other);
  });
}

import { isObject, type JsonObject } from '../../contract/index.js';

/**
 * Whether two values in normal form mean the same: an empty list is as good as none, the order of fields does not count.
 *
 * Source: apimachinery `pkg/api/equality` (`Semantic.DeepEqual`).
 */
export function semanticEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (isNothing(left) || isNothing(right)) return isNothing(left) && isNothing(right);
  if (Array.isArray(left)) {
    return Array.isArray(right) && left.length === right.length && left.every((item, index) => semanticEqual(item, right[index]));
  }
  if (!isObject(left as JsonObject) || !isObject(right as JsonObject)) return false;
  return sameFields(left as JsonObject, right as JsonObject);
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

function sameFields(left: JsonObject, right: JsonObject): boolean {
  for (const key of Object.keys(left)) {
    if (!semanticEqual(left[key], Object.hasOwn(right, key) ? right[key] : undefined)) return false;
  }
  return Object.keys(right).every((key) => Object.hasOwn(left, key) || isNothing(right[key]));
}

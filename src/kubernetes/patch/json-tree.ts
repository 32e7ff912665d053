import type { Json } from '../structural-schema.js';
import { badPatch } from './errors.js';

/** A JSON object that is only read. */
export type JsonObject = { readonly [key: string]: Json };

/** Deepest nesting of a document or patch. Go's decoder stops at 10,000; recursion on JavaScript's stack has to stop earlier. */
const MAX_DEPTH = 1000;

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** A field that the object itself has: never one that it inherits (`constructor`, `__proto__`). */
export function fieldOf(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** The fields with a value: `undefined` is how JavaScript says that a field is not there. */
export function fieldsOf(object: JsonObject): [string, Json][] {
  return Object.entries(object).filter(([, value]) => value !== undefined);
}

/** @throws PatchRefused (400) when the depth is beyond {@link MAX_DEPTH}. */
export function checkDepth(depth: number): void {
  if (depth > MAX_DEPTH) throw badPatch('exceeded max depth');
}

/** @throws PatchRefused (400) for a value that is nested too deeply. Called before a recursion that does not count. */
export function checkNesting(value: Json, depth = 0): void {
  if (typeof value !== 'object' || value === null) return;
  checkDepth(depth);
  for (const item of isList(value) ? value : Object.values(value)) checkNesting(item, depth + 1);
}

/** Equality of values; the order of an object's fields does not count. Both have passed {@link checkNesting}. */
export function equalJson(left: Json | undefined, right: Json | undefined): boolean {
  if (left === right) return true;
  if (isList(left)) return isList(right) && left.length === right.length && left.every((item, index) => equalJson(item, right[index]));
  if (!isObject(left) || !isObject(right)) return false;
  const fields = fieldsOf(left);
  return fields.length === fieldsOf(right).length && fields.every(([name, value]) => equalJson(value, fieldOf(right, name)));
}

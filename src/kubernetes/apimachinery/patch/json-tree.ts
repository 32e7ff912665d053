import type { JsonObject } from '../json.js';
import type { Json } from '../structural-schema.js';
import { badPatch } from './errors.js';

/** Deepest nesting of a document or patch. Go's decoder stops at 10,000; recursion on JavaScript's stack has to stop earlier. */
const MAX_DEPTH = 1000;

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
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

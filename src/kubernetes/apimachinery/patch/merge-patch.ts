import { equalJson, fieldOf, isJsonObject, type JsonObject } from '../json.js';
import type { Json } from '../structural-schema.js';
import { badPatch, PatchNotPossible } from './errors.js';
import { type FieldValidation, jsonKind } from './json-patch-document.js';
import { escapeSegment } from './json-pointer.js';
import { checkNesting, fieldsOf, isList } from './json-tree.js';

export interface MergePatchOptions {
  /**
   * How the request wants its fields to be read. With `Ignore` the server takes a list as a patch, which then replaces the document.
   * @defaultValue 'Warn', the server's default
   */
  readonly fieldValidation?: FieldValidation;
}

/**
 * Applies a JSON Merge Patch as the API server does (evanphx/json-patch v4): RFC 7386, but objects inside a list that takes the place of anything other
 * than an object lose their nulls too.
 *
 * @param patch the decoded document: whatever a client has sent.
 * @returns the new document; it shares unchanged parts with `target`.
 * @throws PatchRefused (400) for what is not a merge patch.
 */
export function applyMergePatch(target: Json, patch: Json, { fieldValidation = 'Warn' }: MergePatchOptions = {}): Json {
  checkNesting(target);
  checkNesting(patch);
  if (patch !== null && !isJsonObject(patch) && fieldValidation !== 'Ignore') {
    throw badPatch(`error decoding patch: json: cannot unmarshal ${jsonKind(patch)} into Go value of type map[string]interface {}`);
  }
  if (typeof patch !== 'object' || patch === null) throw badPatch('Invalid JSON Patch');
  return isJsonObject(target) && isJsonObject(patch) ? mergeObjects(target, patch) : withoutNulls(patch);
}

function mergeObjects(target: JsonObject, patch: JsonObject): JsonObject {
  const merged = new Map(Object.entries(target));
  for (const [name, value] of fieldsOf(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergeField(merged.get(name) ?? null, value));
  }
  return Object.fromEntries(merged);
}

function mergeField(current: Json, patch: Json): Json {
  if (!isJsonObject(current)) return withoutNulls(patch);
  return isJsonObject(patch) ? mergeObjects(current, patch) : patch;
}

/** Fields that are null go, at any depth; items that are null stay. */
function withoutNulls(value: Json): Json {
  if (isList(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const kept = fieldsOf(value).filter(([, item]) => item !== null);
  return Object.fromEntries(kept.map(([name, item]) => [name, withoutNulls(item)]));
}

/**
 * The smallest merge patch that makes `after` of `before`; `{}` if they are equal. Lists are replaced as a whole.
 *
 * Beware (H43): a list that others write to (finalizers) is set back to what `before` had of theirs. Use a JSON Patch with `test` there.
 *
 * @throws PatchNotPossible if a field has to become null, which to a merge patch means to remove it.
 */
export function createMergePatch(before: JsonObject, after: JsonObject): JsonObject {
  checkNesting(before);
  checkNesting(after);
  return differences(before, after, '');
}

function differences(before: JsonObject, after: JsonObject, path: string): JsonObject {
  const removed = fieldsOf(before).filter(([name]) => fieldOf(after, name) === undefined);
  const patch = new Map<string, Json>(removed.map(([name]) => [name, null]));
  for (const [name, value] of fieldsOf(after)) {
    const old = fieldOf(before, name);
    if (equalJson(old, value)) continue;
    const here = `${path}/${escapeSegment(name)}`;
    if (isJsonObject(old) && isJsonObject(value)) patch.set(name, differences(old, value, here));
    else patch.set(name, expressible(value, here));
  }
  return Object.fromEntries(patch);
}

function expressible(value: Json, path: string): Json {
  if (value === null) {
    throw new PatchNotPossible(`${path} is to become null: a merge patch cannot say so (null removes the field); use a JSON Patch`);
  }
  if (isList(value)) {
    for (const [index, item] of value.entries()) if (item !== null) expressible(item, `${path}/${index}`);
  } else if (isJsonObject(value)) {
    for (const [name, item] of fieldsOf(value)) expressible(item, `${path}/${escapeSegment(name)}`);
  }
  return value;
}

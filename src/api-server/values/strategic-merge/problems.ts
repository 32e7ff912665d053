import {
  doesNotApply,
  goType,
  goValue,
  isJsonObject,
  type Json,
  type JsonObject,
  PatchRefused,
  serverPanic,
} from '@keelson/kubernetes/apimachinery';
import { goTextVerb, goTypeVerb, isList } from './go-text.js';

/** A fault for which the server has no class: 500 without a reason. */
export function plainProblem(message: string): PatchRefused {
  return new PatchRefused({ status: 500, message });
}

function wrongType(expected: Json, actual: Json): PatchRefused {
  return plainProblem(`expected a ${goType(expected)}, but received a ${goTypeVerb(actual)}`);
}

export function noMergeKey(item: JsonObject, mergeKey: string): PatchRefused {
  return plainProblem(`map: ${goValue(item)} does not contain declared merge key: ${mergeKey}`);
}

export function unknownDirective(directive: Json, patch: JsonObject): PatchRefused {
  return plainProblem(`unknown patch type: ${goTextVerb(directive)} in map: ${goValue(patch)}`);
}

export function expectList(value: Json): readonly Json[] {
  if (!isList(value)) throw wrongType([], value);
  return value;
}

export function expectObject(value: Json): JsonObject {
  if (!isJsonObject(value)) throw wrongType({}, value);
  return value;
}

/** Go's `==`: values of one kind that cannot be compared are a panic. */
export function isSame(left: Json | undefined, right: Json | undefined): boolean {
  if (left === right && !isList(left) && !isJsonObject(left)) return true;
  if ((isList(left) && isList(right)) || (isJsonObject(left) && isJsonObject(right))) {
    throw serverPanic(`comparing uncomparable type ${goType(left)}`);
  }
  return false;
}

/**
 * The one kind that all items of some lists have.
 *
 * @throws PatchRefused for lists of lists, of several kinds, and for empty ones.
 */
export function itemType(...lists: readonly (readonly Json[])[]): string {
  let type: string | undefined;
  for (const item of lists.flat(1)) {
    if (type !== undefined && goType(item) !== type) throw plainProblem(`list element types are not identical: ${goValue(lists)}`);
    if (item === null) throw serverPanic('a list of nulls has no type');
    if (isList(item)) throw doesNotApply('lists of lists are not supported');
    type = goType(item);
  }
  if (type === undefined) throw plainProblem('no elements in any of the given slices');
  return type;
}

import { badPatch, goValue, isJsonObject, type Json, type JsonObject, type PatchRefused } from '@keelson/kubernetes/apimachinery';
import { keyOf } from './element-order.js';
import { isList } from './go-text.js';
import { expectObject, isSame, plainProblem } from './problems.js';

export const PATCH = '$patch';
export const DELETE_FROM = '$deleteFromPrimitiveList';
export const SET_ORDER = '$setElementOrder';
const RETAIN_KEYS = '$retainKeys';

export function directiveOf(object: JsonObject): Json | undefined {
  return Object.hasOwn(object, PATCH) ? object[PATCH] : undefined;
}

/** `$setElementOrder/containers` → `containers`. */
export function fieldOfDirective(key: string, directive: typeof DELETE_FROM | typeof SET_ORDER): string {
  if (key.startsWith(`${directive}/`)) return key.slice(directive.length + 1);
  throw badPatch(`invalid patch format of ${directive === DELETE_FROM ? 'primitive' : 'setElementOrder'} list`);
}

/**
 * Takes `$retainKeys` out of the patch, and out of the original all that it does not name.
 *
 * @throws PatchRefused (400) if the patch sets what the list does not name.
 */
export function retainKeys(original: Map<string, Json>, patch: Map<string, Json>): void {
  const directive = patch.get(RETAIN_KEYS);
  if (directive === undefined) return;
  patch.delete(RETAIN_KEYS);
  if (!isList(directive)) throw badPatch('invalid patch format of retainKeys');
  // Finds the lists and objects that Go cannot put into a set.
  for (const key of directive) isSame(key, key);
  const retained = new Set(directive);
  for (const [name, value] of patch) {
    if (value === null || name.startsWith(DELETE_FROM) || name.startsWith(SET_ORDER) || retained.has(name)) continue;
    throw badPatch('invalid patch format of retainKeys');
  }
  for (const name of original.keys()) if (!retained.has(name)) original.delete(name);
}

/** @throws PatchRefused if the patch has items that the order does not name, or in another order. */
export function checkOrder(patch: readonly Json[], order: readonly Json[], mergeKey: string): void {
  if (order.length === 0 || patch.length === 0) return;
  const kept = mergeKey === '' ? patch : withoutDeletions(patch);
  let place = 0;
  for (const item of order) {
    while (place < kept.length && hasDirective(kept[place])) place += 1;
    const candidate = kept[place];
    if (candidate === undefined) return;
    const isAtItem = mergeKey === '' ? isSame(candidate, item) : isSame(keyOf(candidate, mergeKey), keyOf(item, mergeKey));
    if (isAtItem) place += 1;
  }
  if (place < kept.length) throw outOfOrder(patch, order);
}

function hasDirective(item: Json | undefined): boolean {
  return isJsonObject(item) && directiveOf(item) !== undefined;
}

function withoutDeletions(items: readonly Json[]): Json[] {
  return items.filter((item) => directiveOf(expectObject(item)) !== 'delete');
}

function outOfOrder(patch: readonly Json[], order: readonly Json[]): PatchRefused {
  return plainProblem(`The order in patch list:\n${goValue(patch)}\n doesn't match ${SET_ORDER} list:\n${goValue(order)}\n`);
}

/** The part of a patch's value that can be stored: undefined for a directive. Only objects with `$patch` go; other directives stay, as they do on the server. */
export function withoutDirectives(value: Json): Json | undefined {
  if (isList(value)) return value.map(withoutDirectives).filter((item) => item !== undefined);
  if (!isJsonObject(value)) return value;
  if (directiveOf(value) !== undefined) return undefined;
  const kept = Object.entries(value).map(([name, item]): [string, Json | undefined] => [name, withoutDirectives(item)]);
  return Object.fromEntries(kept.filter((entry): entry is [string, Json] => entry[1] !== undefined));
}

/** Without the fields that are null, at any depth. Items that are null stay. */
export function withoutNulls(value: Json): Json {
  if (isList(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).filter(([, item]) => item !== null);
  return Object.fromEntries(kept.map(([name, item]) => [name, withoutNulls(item)]));
}

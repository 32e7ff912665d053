import { badPatch, checkNesting, goType, isJsonObject, type Json, type JsonObject } from '@keelson/kubernetes/apimachinery';
import {
  checkOrder,
  DELETE_FROM,
  directiveOf,
  fieldOfDirective,
  PATCH,
  retainKeys,
  SET_ORDER,
  withoutDirectives,
  withoutNulls,
} from './directives.js';
import { orderItems, partition } from './element-order.js';
import { isList } from './go-text.js';
import { deleteFromList, type Lists, mergeLists, orderAfterMerge } from './merge-lists.js';
import type { PatchRule, PatchType } from './patch-type.js';
import { expectList, itemType, unknownDirective } from './problems.js';

/**
 * Applies a strategic merge patch to an object of a built-in kind.
 *
 * 1. `$patch: replace` and `$patch: delete` decide about a whole object.
 * 2. `$retainKeys` takes away what it does not name.
 * 3. `$setElementOrder/<list>` merges and orders a list; what of the order is not in the list is passed over.
 * 4. `$deleteFromPrimitiveList/<list>`, then all other fields: null removes, objects are merged, lists as their strategy says.
 *
 * The server walks Go maps: where a patch deletes from a list and merges it too, without an order, the server's result depends on chance. Here it is the
 * order of this list.
 *
 * @param patch the decoded document: whatever a client has sent.
 * @returns the new object, not yet defaulted; it shares unchanged parts with `original` and `patch`.
 * @throws PatchRefused 400 for directives of a wrong form, 422 for lists of lists, 500 (without a reason) for what the server has no class for.
 */
export function applyStrategicMergePatch(original: JsonObject, patch: Json, type: PatchType): JsonObject {
  checkNesting(original);
  checkNesting(patch);
  if (patch === null) return original;
  if (!isJsonObject(patch)) throw badPatch(`json: cannot unmarshal ${jsonKind(patch)} into Go value of type map[string]interface {}`);
  return mergeObjects(original, patch, type);
}

function jsonKind(value: Json): string {
  if (isList(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

function mergeObjects(original: JsonObject, patch: JsonObject, type: PatchType): JsonObject {
  const directive = directiveOf(patch);
  if (directive === 'delete') return {};
  if (directive === 'replace') return Object.fromEntries(Object.entries(patch).filter(([name]) => name !== PATCH));
  if (directive !== undefined) throw unknownDirective(directive, patch);
  const merge = new ObjectMerge(original, patch, type);
  merge.run();
  return Object.fromEntries(merge.fields);
}

class ObjectMerge {
  readonly fields: Map<string, Json>;
  readonly #patch: Map<string, Json>;
  readonly #type: PatchType;

  constructor(original: JsonObject, patch: JsonObject, type: PatchType) {
    this.fields = new Map(Object.entries(original));
    this.#patch = new Map(Object.entries(patch));
    this.#type = type;
  }

  run(): void {
    retainKeys(this.fields, this.#patch);
    for (const [name, value] of [...this.#patch]) if (name.startsWith(SET_ORDER)) this.#setOrder(name, value);
    for (const [name, value] of this.#patch) if (name.startsWith(DELETE_FROM)) this.#deleteFrom(name, value);
    for (const [name, value] of this.#patch) if (!name.startsWith(DELETE_FROM)) this.#mergeField(name, value);
  }

  #setOrder(directive: string, value: Json): void {
    this.#patch.delete(directive);
    const order = expectList(value);
    const name = fieldOfDirective(directive, SET_ORDER);
    const [liveValue, patchValue] = [this.fields.get(name), this.#patch.get(name)];
    const original = liveValue === undefined ? undefined : expectList(liveValue);
    const patch = patchValue === undefined ? undefined : expectList(patchValue);
    const rule = this.#type.listRule(name);
    checkOrder(patch ?? [], order, rule.mergeKey);
    const merged = mergedList({ original, patch }, rule);
    if (merged === undefined) return;
    const { listed, others } = partition(merged, order, rule.mergeKey);
    const areObjects = itemType(original ?? [], patch ?? []) === goType({});
    const identity = { mergeKey: rule.mergeKey, areObjects };
    const isMerged = areObjects && rule.strategy === 'merge' && original !== undefined && patch !== undefined;
    const liveOrder = isMerged ? orderAfterMerge({ original, patch }, rule.mergeKey) : (original ?? []);
    this.fields.set(name, orderItems({ items: listed, order }, { items: others, order: liveOrder }, identity));
    this.#patch.delete(name);
  }

  #deleteFrom(directive: string, value: Json): void {
    // A directive that names no field stands for one of its own name.
    const name = fieldOfDirective(directive, DELETE_FROM) || directive;
    const current = this.fields.get(name);
    if (value === null) this.fields.delete(name);
    else if (current !== undefined && goType(current) === goType(value)) this.#mergeValue(name, { current, value, isDeletion: true });
  }

  #mergeField(name: string, value: Json): void {
    const current = this.fields.get(name);
    if (value === null) this.fields.delete(name);
    else if (current !== undefined && goType(current) === goType(value)) this.#mergeValue(name, { current, value, isDeletion: false });
    else this.#take(name, withoutNulls(value));
  }

  #mergeValue(name: string, { current, value, isDeletion }: { current: Json; value: Json; isDeletion: boolean }): void {
    if (isJsonObject(current) && isJsonObject(value)) {
      const rule = this.#type.rule(name);
      this.fields.set(name, rule.strategy === 'replace' ? value : mergeObjects(current, value, rule.type));
    } else if (isList(current) && isList(value)) {
      const rule = this.#type.listRule(name);
      const lists = { original: current, patch: value };
      this.fields.set(name, isDeletion ? deleteFromList(lists, listMergeOf(rule)) : listOf(lists, rule));
    } else this.#take(name, value);
  }

  #take(name: string, value: Json): void {
    const taken = withoutDirectives(value);
    if (taken === undefined) this.fields.delete(name);
    else this.fields.set(name, taken);
  }
}

function mergedList(
  { original, patch }: { original: readonly Json[] | undefined; patch: readonly Json[] | undefined },
  rule: PatchRule,
): readonly Json[] | undefined {
  if (patch === undefined) return original;
  if (original === undefined) return expectList(withoutDirectives(patch) ?? []);
  return listOf({ original, patch }, rule);
}

function listOf(lists: Lists, rule: PatchRule): readonly Json[] {
  return rule.strategy === 'merge' ? mergeLists(lists, listMergeOf(rule)) : lists.patch;
}

function listMergeOf({ mergeKey, type }: PatchRule): Parameters<typeof mergeLists>[1] {
  return { mergeKey, kind: type.kind, mergeItem: (original, patch) => mergeObjects(original, patch, type) };
}

import { goType, isJsonObject, type Json, type JsonObject } from '@keelson/kubernetes/apimachinery';
import { directiveOf } from './directives.js';
import { findItem, keyOf, orderItems, partition } from './element-order.js';
import { expectObject, isSame, itemType, noMergeKey, plainProblem, unknownDirective } from './problems.js';

const OBJECT = goType({});

/** A list of the live object, and one of the patch. */
export interface Lists {
  readonly original: readonly Json[];
  readonly patch: readonly Json[];
}

export interface ListMerge {
  /** Empty: the items are scalars. */
  readonly mergeKey: string;
  /** Kind of the items' type, as a message has it. */
  readonly kind: string;
  readonly mergeItem: (original: JsonObject, patch: JsonObject) => Json;
}

/** Merges a list whose strategy is `merge`. The patch's items come in the patch's order, the others where they were. */
export function mergeLists({ original, patch }: Lists, merge: ListMerge): readonly Json[] {
  if (original.length === 0 && patch.length === 0) return original;
  const { mergeKey } = merge;
  const areObjects = itemType(original, patch) === OBJECT;
  if (areObjects && mergeKey === '') throw plainProblem(`cannot merge lists without merge key for ${merge.kind}`);
  const lists = areObjects ? obeyDirectives({ original, patch }, mergeKey) : { original, patch };
  const merged = areObjects ? mergeItems(lists, merge) : withoutDuplicates([...original, ...patch]);
  const { listed, others } = partition(merged, lists.patch, mergeKey);
  return orderItems({ items: listed, order: lists.patch }, { items: others, order: lists.original }, { mergeKey, areObjects });
}

/** The items of a list of scalars that the directive `$deleteFromPrimitiveList` leaves. */
export function deleteFromList({ original, patch }: Lists, merge: ListMerge): readonly Json[] {
  if (original.length === 0 && patch.length === 0) return original;
  if (itemType(original, patch) === OBJECT) return mergeLists({ original, patch }, merge);
  return original.filter((item) => !patch.some((deleted) => isSame(item, deleted)));
}

/**
 * The live list as `$setElementOrder` gets to see it: the server has deleted from it in place, and put new items where there was room. A new item may therefore
 * come to stand behind those that were before a deleted one.
 */
export function orderAfterMerge({ original, patch }: Lists, mergeKey: string): readonly Json[] {
  const memory = [...original];
  let length = memory.length;
  for (const item of patch) {
    if (!isJsonObject(item) || directiveOf(item) !== 'delete') continue;
    for (let at = findItem(memory.slice(0, length), mergeKey, keyOf(item, mergeKey)); at >= 0; ) {
      memory.copyWithin(at, at + 1, length);
      length -= 1;
      at = findItem(memory.slice(0, length), mergeKey, keyOf(item, mergeKey));
    }
  }
  const { original: kept, patch: plain } = obeyDirectives({ original, patch }, mergeKey);
  const added = plain.filter((item) => findItem(kept, mergeKey, keyOf(item, mergeKey)) < 0);
  for (const item of added) {
    if (length >= memory.length) break;
    memory[length] = item;
    length += 1;
  }
  return memory;
}

/** Items of the patch that say what is to be done instead of what is to be there. */
function obeyDirectives({ original, patch }: Lists, mergeKey: string): Lists {
  let kept = original;
  let isReplaced = false;
  const plain: Json[] = [];
  for (const item of patch) {
    const object = expectObject(item);
    const directive = directiveOf(object);
    if (directive === undefined) plain.push(item);
    else if (directive === 'replace') isReplaced = true;
    else if (directive === 'delete') kept = withoutKey(kept, { mergeKey, object });
    else if (directive === 'merge') throw plainProblem('merging lists cannot yet be specified in the patch');
    else throw unknownDirective(directive, object);
  }
  return isReplaced ? { original: plain, patch: [] } : { original: kept, patch: plain };
}

function withoutKey(list: readonly Json[], { mergeKey, object }: { mergeKey: string; object: JsonObject }): readonly Json[] {
  if (!Object.hasOwn(object, mergeKey)) throw noMergeKey(object, mergeKey);
  const key = keyOf(object, mergeKey);
  return list.filter((item) => {
    const { [mergeKey]: other } = expectObject(item);
    return !(Object.hasOwn(expectObject(item), mergeKey) && isSame(other, key));
  });
}

/** An item that is new is taken as it is, nulls and directives included: so the server does. */
function mergeItems({ original, patch }: Lists, { mergeKey, mergeItem }: ListMerge): Json[] {
  const merged = [...original];
  for (const item of patch) {
    const at = findItem(merged, mergeKey, keyOf(item, mergeKey));
    const found = merged[at];
    if (found === undefined) merged.push(item);
    else merged[at] = mergeItem(expectObject(found), expectObject(item));
  }
  return merged;
}

/** The last item takes the place of a duplicate: which place that is decides on the order of items that the patch does not name. */
function withoutDuplicates(items: readonly Json[]): Json[] {
  const kept = [...items];
  for (let index = 0; index < kept.length; index += 1) {
    for (let other = index + 1; other < kept.length; other += 1) {
      if (!isSame(kept[index], kept[other])) continue;
      const last = kept.pop();
      if (other < kept.length && last !== undefined) kept[other] = last;
      other -= 1;
    }
  }
  return kept;
}

import { isJsonObject, type Json } from '@keelson/kubernetes/apimachinery';
import { expectObject, isSame, noMergeKey, plainProblem } from './problems.js';

/** The identity of the items of a list: a field of theirs, or, where it is empty, they themselves. */
export interface ItemIdentity {
  readonly mergeKey: string;
  readonly areObjects: boolean;
}

/** Order that a list shall have: items in question, and the list that gives their order. */
interface Ordered {
  readonly items: readonly Json[];
  readonly order: readonly Json[];
}

/**
 * Merges the items that the patch speaks of with those that only the server knows. Each group is brought into its order; the server's items stand where the
 * live list has them, as far as the patch's order permits.
 */
export function orderItems(patch: Ordered, server: Ordered, identity: ItemIdentity): Json[] {
  const right = sorted(patch, identity);
  return interleave(sorted(server, identity), right, { order: server.order, identity });
}

/** Items that are in the list, and the others. */
export function partition(items: readonly Json[], list: readonly Json[], mergeKey: string): { listed: Json[]; others: Json[] } {
  const listed: Json[] = [];
  const others: Json[] = [];
  for (const item of items) (isListed(item, list, mergeKey) ? listed : others).push(item);
  return { listed, others };
}

function isListed(item: Json, list: readonly Json[], mergeKey: string): boolean {
  if (mergeKey === '') return list.some((other) => isSame(item, other));
  return findItem(list, mergeKey, keyOf(item, mergeKey)) >= 0;
}

/** @throws PatchRefused for an item that is not an object or lacks the merge key. */
export function keyOf(item: Json, mergeKey: string): Json {
  const object = expectObject(item);
  const key = Object.hasOwn(object, mergeKey) ? object[mergeKey] : undefined;
  if (key === undefined) throw noMergeKey(object, mergeKey);
  return key;
}

/** Place of the first item with the key, or -1. */
export function findItem(list: readonly Json[], mergeKey: string, key: Json): number {
  return list.findIndex((item, index) => {
    if (!isJsonObject(item)) throw plainProblem(`value for key ${index} is not a map`);
    return Object.hasOwn(item, mergeKey) && isSame(item[mergeKey], key);
  });
}

function placeIn(list: readonly Json[], item: Json, { mergeKey, areObjects }: ItemIdentity): number {
  const identityOf = (value: Json): Json => {
    if (!areObjects) return value;
    return isJsonObject(value) && Object.hasOwn(value, mergeKey) ? (value[mergeKey] ?? null) : null;
  };
  const wanted = identityOf(item);
  return list.findIndex((other) => isSame(wanted, identityOf(other)));
}

/**
 * Go's insertion sort with the server's comparison, which is not an order: an item that `order` does not have is less than any other. Items that are not in it
 * therefore come out reversed. (From 21 items on, Go sorts by blocks; there only such lists can differ from it.)
 */
function sorted({ items, order }: Ordered, identity: ItemIdentity): Json[] {
  if (identity.areObjects) for (const item of [...items, ...order]) keyOf(item, identity.mergeKey);
  const isDeletion = (item: Json): boolean => isJsonObject(item) && item['$patch'] === 'delete';
  const kept = identity.areObjects ? items.filter((item) => !isDeletion(item)) : items;
  const result: { item: Json; place: number }[] = [];
  for (const item of kept) {
    const place = placeIn(order, item, identity);
    let at = result.length;
    while (at > 0 && isLess(place, result[at - 1]?.place ?? -1)) at -= 1;
    result.splice(at, 0, { item, place });
  }
  return [...result.map(({ item }) => item), ...(identity.areObjects ? items.filter(isDeletion) : [])];
}

function isLess(left: number, right: number): boolean {
  return left < 0 || right < 0 || left < right;
}

/** Both keep their own order; an item of the left goes before the first of the right that stands behind it in `order`. */
function interleave(
  left: readonly Json[],
  right: readonly Json[],
  { order, identity }: { order: readonly Json[]; identity: ItemIdentity },
): Json[] {
  const merged: Json[] = [];
  let next = 0;
  for (const item of right) {
    const place = placeIn(order, item, identity);
    for (let candidate = left[next]; candidate !== undefined; candidate = left[next]) {
      const other = placeIn(order, candidate, identity);
      if (other < 0 || place < 0 || other >= place) break;
      merged.push(candidate);
      next += 1;
    }
    merged.push(item);
  }
  return [...merged, ...left.slice(next)];
}

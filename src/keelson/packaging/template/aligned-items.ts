import { mergedOrder } from './merged-order.js';

/** An item of a list, and the keys by which the same item is found in another list. */
export interface KeyedItem<T> {
  readonly item: T;
  /** Name of the item. */
  readonly name: string;
  /** Its name and its content. */
  readonly content: string;
}

/** The items of several lists, side by side. */
export interface AlignedItems<T> {
  /** Keys of all items, in an order that each list agrees with. */
  readonly order: readonly string[];
  /** The items of each list by their keys. */
  readonly tables: readonly ReadonlyMap<string, T>[];
}

/**
 * Finds the same items in several lists.
 *
 * Items are the same if they have one name. A name that stands in different places of two lists, between items whose order is the same, is taken for several
 * items, one for each content: an environment variable is then written at one place if a setting gives it, and at another if `env` does.
 *
 * @returns `undefined` if no order agrees with all lists, or a list has an item twice
 */
export function alignedItems<T>(lists: readonly (readonly KeyedItem<T>[])[]): AlignedItems<T> | undefined {
  const byName = ordered(lists, () => false);
  if (byName !== undefined) return byName;
  const names = [...contentsByName(lists)].filter(([, contents]) => contents.size > 1).map(([name]) => name);
  for (const name of names) {
    const found = ordered(lists, (other) => other === name);
    if (found !== undefined) return found;
  }
  return ordered(lists, (name) => names.includes(name));
}

function contentsByName<T>(lists: readonly (readonly KeyedItem<T>[])[]): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const { name, content } of lists.flat()) {
    const contents = found.get(name) ?? new Set();
    found.set(name, contents.add(content));
  }
  return found;
}

function ordered<T>(lists: readonly (readonly KeyedItem<T>[])[], isByContent: (name: string) => boolean): AlignedItems<T> | undefined {
  const keyed = lists.map((items) => items.map(({ item, name, content }) => [isByContent(name) ? content : name, item] as const));
  // Most lists have the same keys: each series is looked at once.
  const series = new Map(keyed.map((items) => items.map(([key]) => key)).map((keys) => [JSON.stringify(keys), keys]));
  const order = mergedOrder([...series.values()]);
  return order === undefined ? undefined : { order, tables: keyed.map((items) => new Map(items)) };
}

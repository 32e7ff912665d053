/**
 * One order of all keys that agrees with the order of each list.
 *
 * @returns undefined if two lists contradict each other, or one has a key twice
 */
export function mergedOrder(lists: readonly (readonly string[])[]): readonly string[] | undefined {
  const after = new Map<string, Set<string>>();
  for (const list of lists) {
    if (new Set(list).size < list.length) return undefined;
    for (const [index, key] of list.entries()) {
      const followers = after.get(key) ?? new Set();
      after.set(key, followers);
      const next = list[index + 1];
      if (next !== undefined) followers.add(next);
    }
  }
  const order: string[] = [];
  while (after.size > 0) {
    const waiting = new Set([...after.values()].flatMap((followers) => [...followers]));
    const next = [...after.keys()].find((key) => !waiting.has(key));
    if (next === undefined) return undefined;
    order.push(next);
    after.delete(next);
  }
  return order;
}

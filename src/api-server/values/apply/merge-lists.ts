import type { Json } from '@keelson/kubernetes/apimachinery';
import { elementOf } from './list-elements.js';
import type { ListType } from './type-ref.js';

interface Lists {
  readonly left: readonly Json[];
  readonly right: readonly Json[];
}

interface Item {
  readonly left: Json | undefined;
  readonly right: Json | undefined;
}

/**
 * Merges two associative lists. Items that only the left has stay where they are; items that both have come in the right's order; items that only
 * the right has follow the item they follow there.
 *
 * Two cursors walk along both lists; `nextShared` is the next item that both have, in the right's order: a shared item that the left cursor meets
 * before its turn is skipped, it will be written when the right cursor comes to it.
 */
export function mergeLists(type: ListType, lists: Lists, mergeItem: (item: Item) => Json | undefined): Json[] {
  const left = indexed(type, lists.left);
  const right = indexed(type, lists.right);
  const shared = right.ids.filter((id) => left.items.has(id));
  let nextShared = shared.shift();
  const done = new Set<string>();
  const out: Json[] = [];
  const write = (item: Item): void => {
    const merged = mergeItem(item);
    if (merged !== undefined) out.push(merged);
  };
  const writeRight = (id: string): void => {
    done.add(id);
    write({ left: left.items.get(id), right: right.items.get(id) });
  };
  let [at, its] = [0, 0];
  while (at < left.ids.length || its < right.ids.length) {
    const mine = left.ids[at];
    const other = right.ids[its];
    if (mine !== undefined && other !== undefined) {
      if (mine === other) {
        writeRight(mine);
        at += 1;
        its += 1;
        nextShared = shared.shift();
        continue;
      }
      if (right.items.has(mine) && nextShared !== undefined && nextShared !== mine) {
        at += 1;
        continue;
      }
    }
    if (mine !== undefined) {
      if (!right.items.has(mine)) {
        write({ left: lists.left[at], right: undefined });
        at += 1;
        continue;
      }
      if (done.has(mine)) at += 1;
    }
    if (other !== undefined) {
      writeRight(other);
      its += 1;
      if (nextShared === other) nextShared = shared.shift();
    }
  }
  return out;
}

interface Indexed {
  readonly ids: readonly string[];
  /** Null for items that the list holds twice: none of them is merged with the other side's. */
  readonly items: ReadonlyMap<string, Json>;
}

function indexed(type: ListType, list: readonly Json[]): Indexed {
  const items = new Map<string, Json>();
  const ids = list.map((item) => {
    const { id } = elementOf(type, item);
    items.set(id, items.has(id) ? null : item);
    return id;
  });
  return { ids, items };
}

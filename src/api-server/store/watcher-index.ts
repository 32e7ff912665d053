import type { Selection, StoreKey } from './store-key.js';
import type { Watcher } from './watcher.js';

/** The watchers of one resource, found by what they watch: a write does not look at those of other namespaces and names. */
export class WatcherIndex {
  readonly #bySelection = new Map<string, Set<Watcher>>();

  add(watcher: Watcher): void {
    const slot = slotOf(watcher.selection);
    const watchers = this.#bySelection.get(slot) ?? new Set();
    this.#bySelection.set(slot, watchers.add(watcher));
  }

  remove(watcher: Watcher): void {
    const slot = slotOf(watcher.selection);
    const watchers = this.#bySelection.get(slot);
    watchers?.delete(watcher);
    if (watchers?.size === 0) this.#bySelection.delete(slot);
  }

  /** Those that watch this key, in no order that means anything. */
  of({ namespace, name }: StoreKey): readonly Watcher[] {
    if (this.#bySelection.size === 0) return [];
    const slots = [slot(undefined, undefined), slot(undefined, name), slot(namespace, undefined), slot(namespace, name)];
    return slots.flatMap((found) => [...(this.#bySelection.get(found) ?? [])]);
  }
}

function slotOf({ namespace, name }: Selection): string {
  return slot(namespace, name);
}

// A namespace or name cannot hold `/`, and `*` alone is not one.
function slot(namespace = '*', name = '*'): string {
  return `${namespace}/${name}`;
}

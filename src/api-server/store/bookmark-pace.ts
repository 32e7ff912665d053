import type { StoreClock } from './clock.js';
import type { Watcher } from './watcher.js';

/** Sends bookmarks at a fixed pace, by one timer for all watchers, which runs only while there are any. */
export class BookmarkPace {
  readonly #clock: StoreClock;
  readonly #intervalMs: number;
  readonly #watchers = new Set<Watcher>();
  #cancel: (() => void) | undefined;

  constructor(clock: StoreClock, intervalMs: number) {
    this.#clock = clock;
    this.#intervalMs = intervalMs;
  }

  add(watcher: Watcher): void {
    this.#watchers.add(watcher);
    if (this.#cancel === undefined) this.#schedule();
  }

  remove(watcher: Watcher): void {
    if (!this.#watchers.delete(watcher) || this.#watchers.size > 0) return;
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #schedule(): void {
    this.#cancel = this.#clock.schedule(this.#intervalMs, () => {
      this.#schedule();
      // A copy: a listener may end its watch, or begin another, which is not due yet.
      for (const watcher of [...this.#watchers]) watcher.bookmark();
    });
  }
}

import { turn } from '../clock/index.js';
import type { CacheChange, ChangeListener } from './informer.js';

/** Changes that are dispatched before other work gets its turn on the event loop. */
const SLICE = 200;

interface Listener {
  readonly tell: ChangeListener;
}

/** The listeners of changes. An error of one is reported and stops nothing (H23). */
export class Listeners {
  readonly #listeners = new Set<Listener>();
  readonly #failed: (error: unknown, change: CacheChange) => void;

  constructor(failed: (error: unknown, change: CacheChange) => void) {
    this.#failed = failed;
  }

  /** @param present dispatched first, as initial objects */
  add(tell: ChangeListener, present: Iterable<CacheChange>): () => void {
    const listener: Listener = { tell };
    // Registered before the dispatch: a listener that ends itself at its first change gets no more.
    this.#listeners.add(listener);
    for (const change of [...present]) this.#tell(listener, change);
    return () => void this.#listeners.delete(listener);
  }

  /** A listener added during a dispatch already got these changes as initial objects. */
  tell(changes: readonly CacheChange[]): Promise<void> | undefined {
    if (this.#listeners.size === 0) return undefined;
    const listeners = [...this.#listeners];
    if (changes.length > SLICE) return this.#tellMany(changes, listeners);
    for (const change of changes) for (const listener of listeners) this.#tell(listener, change);
    return undefined;
  }

  async #tellMany(changes: readonly CacheChange[], listeners: readonly Listener[]): Promise<void> {
    for (const [index, change] of changes.entries()) {
      for (const listener of listeners) this.#tell(listener, change);
      if (index % SLICE === SLICE - 1) await turn();
    }
  }

  #tell(listener: Listener, change: CacheChange): void {
    if (!this.#listeners.has(listener)) return;
    try {
      listener.tell(change);
    } catch (error) {
      this.#failed(error, change);
    }
  }
}

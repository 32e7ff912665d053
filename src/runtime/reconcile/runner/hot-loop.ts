interface Window {
  readonly sinceMs: number;
  writes: number;
  hasWarned: boolean;
}

const WINDOW_MS = 60_000;

/**
 * Notices an object whose children are written again and again: one with a time in it, one that another client keeps changing (H38).
 *
 * Only runs that wrote children are counted, by key: a status that follows what happens in the cluster is written as often as that happens; an object without
 * writes is forgotten with the next window. Nothing is given up: it goes on, more slowly.
 */
export class HotLoopDetector {
  readonly #windows = new Map<string, Window>();
  readonly #limit: number;

  /** @param limit runs with writes per minute that are still taken for work */
  constructor(limit = 30) {
    this.#limit = limit;
  }

  /** @returns whether it is too much, and whether to say so: once per key and window */
  wrote(key: string, nowMs: number): { readonly isHot: boolean; readonly isNews: boolean } {
    const window = this.#windowOf(key, nowMs);
    window.writes += 1;
    const isHot = window.writes > this.#limit;
    const isNews = isHot && !window.hasWarned;
    window.hasWarned ||= isNews;
    return { isHot, isNews };
  }

  forget(key: string): void {
    this.#windows.delete(key);
  }

  #windowOf(key: string, nowMs: number): Window {
    const current = this.#windows.get(key);
    if (current !== undefined && nowMs - current.sinceMs < WINDOW_MS) return current;
    const fresh = { sinceMs: nowMs, writes: 0, hasWarned: false };
    this.#windows.set(key, fresh);
    return fresh;
  }
}

import type { Clock } from '../../../src/runtime/clock/index.js';

interface Timer {
  readonly dueMs: number;
  readonly delayMs: number;
  readonly callback: () => void;
}

/** A clock that a test moves by hand. */
export class FakeClock implements Clock {
  readonly #timers = new Set<Timer>();
  readonly #set = new Map<number, number>();
  readonly #watchers = new Set<{ wanted: (delayMs: number) => boolean; found: () => void }>();
  #nowMs = 0;

  monotonicMs(): number {
    return this.#nowMs;
  }

  wallMs(): number {
    return Date.UTC(2030, 0, 1) + this.#nowMs;
  }

  schedule(delayMs: number, callback: () => void): () => void {
    const timer = { dueMs: this.#nowMs + delayMs, delayMs, callback };
    this.#timers.add(timer);
    this.#set.set(delayMs, (this.#set.get(delayMs) ?? 0) + 1);
    for (const watcher of [...this.#watchers]) {
      if (!watcher.wanted(delayMs)) continue;
      this.#watchers.delete(watcher);
      watcher.found();
    }
    return () => this.#timers.delete(timer);
  }

  /** Time passes while nothing can run: no timer fires. */
  block(ms: number): void {
    this.#nowMs += ms;
  }

  get pending(): number {
    return this.#timers.size;
  }

  /** How often a timer of this delay has been set, running or not: one that is set anew for each part of a body counts the parts. */
  timesSet(delayMs: number): number {
    return this.#set.get(delayMs) ?? 0;
  }

  /** Resolves when a timer of such a delay runs, or at once when one does. */
  timer(wanted: (delayMs: number) => boolean): Promise<void> {
    if ([...this.#timers].some(({ delayMs }) => wanted(delayMs))) return Promise.resolve();
    return new Promise((found) => this.#watchers.add({ wanted, found }));
  }

  advance(ms: number): void {
    const endMs = this.#nowMs + ms;
    for (;;) {
      const [next] = [...this.#timers].filter(({ dueMs }) => dueMs <= endMs).sort((a, b) => a.dueMs - b.dueMs);
      if (next === undefined) break;
      this.#timers.delete(next);
      this.#nowMs = Math.max(this.#nowMs, next.dueMs);
      next.callback();
    }
    this.#nowMs = endMs;
  }
}

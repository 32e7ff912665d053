import type { StoreClock } from '../../../src/api-server/store/index.js';

/** Time that moves when a test says so. */
export class HandClock implements StoreClock {
  #now = 0;
  readonly #timers = new Set<{ readonly due: number; readonly callback: () => void }>();

  get timers(): number {
    return this.#timers.size;
  }

  schedule(delayMs: number, callback: () => void): () => void {
    const timer = { due: this.#now + delayMs, callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  advance(ms: number): void {
    const end = this.#now + ms;
    for (let next = this.#nextDue(end); next !== undefined; next = this.#nextDue(end)) {
      this.#now = next.due;
      this.#timers.delete(next);
      next.callback();
    }
    this.#now = end;
  }

  #nextDue(end: number) {
    const [first] = [...this.#timers].filter(({ due }) => due <= end).sort((a, b) => a.due - b.due);
    return first;
  }
}

import type { Clock as ServerClock } from '@keelson/api-server';
import type { Clock } from '@keelson/runtime/internal/clock';

interface Timer {
  readonly dueMs: number;
  readonly callback: () => void;
}

/** Time of a server and of the operators on it: it stands still while anything goes on, and jumps to the next timer when nothing does. */
export class VirtualClock implements Clock, ServerClock {
  readonly #timers = new Set<Timer>();
  #nowMs = Date.UTC(2030, 0, 1);

  now(): Date {
    return new Date(this.#nowMs);
  }

  wallMs(): number {
    return this.#nowMs;
  }

  monotonicMs(): number {
    return this.#nowMs;
  }

  schedule(delayMs: number, callback: () => void): () => void {
    const timer = { dueMs: this.#nowMs + Math.max(0, delayMs), callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Fires the next timer that is due until then. @returns whether there was one; else it is `untilMs` now */
  step(untilMs: number = Number.POSITIVE_INFINITY): boolean {
    let next: Timer | undefined;
    for (const timer of this.#timers) if (next === undefined || timer.dueMs < next.dueMs) next = timer;
    if (next === undefined || next.dueMs > untilMs) {
      if (Number.isFinite(untilMs)) this.#nowMs = Math.max(this.#nowMs, untilMs);
      return false;
    }
    this.#timers.delete(next);
    this.#nowMs = Math.max(this.#nowMs, next.dueMs);
    next.callback();
    return true;
  }
}

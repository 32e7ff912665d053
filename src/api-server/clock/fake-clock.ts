import { type Duration, OperatorError, spanMs } from '@keelson/kubernetes/apimachinery';
import type { Clock } from './clock.js';

/** A text or number that is not a span of time. */
export class DurationError extends OperatorError {
  readonly actor = 'author';
  readonly code = 'KEELSON_TESTING_DURATION';
}

interface Timer {
  readonly dueMs: number;
  /** Timers of the same time fire in the order in which they were set. */
  readonly order: number;
  readonly callback: () => void;
}

/**
 * A clock that stands still until a test moves it.
 *
 * @example
 * ```ts
 * const clock = new FakeClock('2030-01-01T00:00:00Z');
 * const cluster = await TestCluster.start({ operator, clock });
 * clock.advance('10m');
 * ```
 */
export class FakeClock implements Clock {
  #nowMs: number;
  #order = 0;
  readonly #timers = new Set<Timer>();

  /** @param start default 2030-01-01T00:00:00Z: a time that no real clock shows */
  constructor(start: Date | string = '2030-01-01T00:00:00Z') {
    this.#nowMs = new Date(start).getTime();
    if (Number.isNaN(this.#nowMs)) throw new DurationError(`${String(start)} is not a time: write it as 2030-01-01T00:00:00Z`);
  }

  now(): Date {
    return new Date(this.#nowMs);
  }

  /** As a runtime sees it that runs on this clock: its spans of time are the server's. */
  monotonicMs(): number {
    return this.#nowMs;
  }

  wallMs(): number {
    return this.#nowMs;
  }

  /** Timers that wait. */
  get pending(): number {
    return this.#timers.size;
  }

  schedule(delayMs: number, callback: () => void): () => void {
    const timer = { dueMs: this.#nowMs + Math.max(0, delayMs), order: this.#order++, callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /**
   * Moves the time on, and fires what falls due on the way, each at its own time; what that sets in turn fires too if it falls due.
   *
   * @param span `10m`, `1.5s`, or milliseconds
   * @throws DurationError for a text that is not a span
   */
  advance(span: Duration | number): void {
    const end = this.#nowMs + spanOf(span);
    for (let next = this.#next(end); next !== undefined; next = this.#next(end)) {
      this.#timers.delete(next);
      this.#nowMs = next.dueMs;
      next.callback();
    }
    this.#nowMs = end;
  }

  #next(endMs: number): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.dueMs > endMs) continue;
      if (first === undefined || timer.dueMs < first.dueMs || (timer.dueMs === first.dueMs && timer.order < first.order)) first = timer;
    }
    return first;
  }
}

function spanOf(span: Duration | number): number {
  const milliseconds = spanMs(span);
  if (milliseconds !== undefined) return milliseconds;
  throw new DurationError(
    `${JSON.stringify(span)} is not a span of time: write it as 500ms, 30s, 10m or 1.5h, or as a number of milliseconds`,
  );
}

import type { Duration } from '../../kubernetes/index.js';
import { OperatorError } from '../../kubernetes/index.js';
import type { Clock } from './clock.js';

/** A span of time that is none. */
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

/** A clock that stands still until a test moves it. */
export class FakeClock implements Clock {
  #nowMs: number;
  #order = 0;
  readonly #timers = new Set<Timer>();

  /** @param start default 2030-01-01T00:00:00Z: a time that no real clock shows */
  constructor(start: Date | string = '2030-01-01T00:00:00Z') {
    this.#nowMs = new Date(start).getTime();
    if (Number.isNaN(this.#nowMs)) throw new DurationError(`${String(start)} is no time: write it as 2030-01-01T00:00:00Z`);
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
   * @throws DurationError for what is no span
   */
  advance(span: Duration | number): void {
    const end = this.#nowMs + millisecondsOf(span);
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

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

function millisecondsOf(span: Duration | number): number {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(String(span)) ?? [];
  const milliseconds = typeof span === 'number' ? span : Number(amount) * (UNIT_MS[unit] ?? Number.NaN);
  if (!(milliseconds >= 0 && Number.isFinite(milliseconds))) {
    throw new DurationError(
      `${JSON.stringify(span)} is no span of time: write it as 500ms, 30s, 10m or 1.5h, or as a number of milliseconds`,
    );
  }
  return milliseconds;
}

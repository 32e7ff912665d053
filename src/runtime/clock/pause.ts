import type { Clock } from './clock.js';

/** Resolves when the time is over, or at once on abort; it leaves no timer and no listener behind. */
export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const over = (): void => {
      cancel();
      signal.removeEventListener('abort', over);
      resolve();
    };
    const cancel = clock.schedule(ms, over);
    signal.addEventListener('abort', over, { once: true });
  });
}

/**
 * Keeps work that never has to wait from being one long task: probes, webhooks and the lease share the event loop with it.
 *
 * To be awaited between two pieces of work by all that do the same: together they take no longer than one would.
 */
export class Breather {
  readonly #clock: Clock;
  readonly #everyMs: number;
  #lastMs = 0;
  #turn: Promise<void> | undefined;

  constructor(clock: Clock, everyMs: number) {
    this.#clock = clock;
    this.#everyMs = everyMs;
  }

  /** Gives way to the event loop when it has been too long since the last time. */
  breathe(): Promise<void> | undefined {
    if (this.#turn === undefined && this.#clock.monotonicMs() - this.#lastMs < this.#everyMs) return undefined;
    this.#turn ??= turn().then(() => {
      this.#turn = undefined;
      this.#lastMs = this.#clock.monotonicMs();
    });
    return this.#turn;
  }
}

/** Lets everybody else who is waiting for the event loop go first. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

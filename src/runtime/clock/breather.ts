import type { Clock } from './clock.js';
import { turn } from './pause.js';

/** Small beside what a probe, a webhook or the lease may be kept waiting, large beside what a turn of the event loop costs. */
const EVERY_MS = 10;

/**
 * Keeps work that never has to wait from being one long task: probes, webhooks and the lease share the event loop with it.
 *
 * To be awaited between two pieces of work. All that share one take no longer together than one of them would.
 */
export class Breather {
  readonly #clock: Clock;
  #lastMs = 0;
  #turn: Promise<void> | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Gives way to the event loop when that had no turn for ten milliseconds. */
  breathe(): Promise<void> | undefined {
    if (this.#clock.monotonicMs() - this.#lastMs < EVERY_MS) return undefined;
    this.#turn ??= turn().then(() => {
      this.#turn = undefined;
      this.#lastMs = this.#clock.monotonicMs();
    });
    return this.#turn;
  }
}

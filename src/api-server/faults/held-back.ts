import type { Clock } from '../clock/index.js';

/** Requests and events that wait for the server's clock because of a fault: they are let go at once when the fault is taken back. */
export class HeldBack implements Pick<Clock, 'schedule'> {
  readonly #clock: Clock;
  readonly #held = new Set<() => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  schedule(delayMs: number, callback: () => void): () => void {
    const cancel = (): void => {
      this.#held.delete(release);
      cancelTimer();
    };
    const release = (): void => {
      cancel();
      callback();
    };
    const cancelTimer = this.#clock.schedule(delayMs, release);
    this.#held.add(release);
    return cancel;
  }

  releaseAll(): void {
    for (const release of [...this.#held]) release();
  }
}

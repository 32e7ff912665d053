import { type Clock, pause } from '../../clock/index.js';

const MINUTE_MS = 60_000;

/** At most so many runs of a controller begin within any minute, whichever objects they are for. */
export class RunRate {
  readonly #clock: Clock;
  readonly #perMinute: number;
  /** When the runs of the last minute began. */
  #begunMs: number[] = [];

  constructor(clock: Clock, perMinute: number) {
    this.#clock = clock;
    this.#perMinute = perMinute;
  }

  /** Resolves when a run may begin, which counts as begun then, or when the signal is aborted. @returns whether it may */
  async turn(signal: AbortSignal): Promise<boolean> {
    while (!signal.aborted) {
      const nowMs = this.#clock.monotonicMs();
      this.#begunMs = this.#begunMs.filter((begunMs) => nowMs - begunMs < MINUTE_MS);
      const [oldestMs] = this.#begunMs;
      if (oldestMs === undefined || this.#begunMs.length < this.#perMinute) {
        this.#begunMs.push(nowMs);
        return true;
      }
      await pause(this.#clock, oldestMs + MINUTE_MS - nowMs, signal);
    }
    return false;
  }
}

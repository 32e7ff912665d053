import type { Clock } from '../clock/index.js';

/** Remembers values for a time, and not more than so many: the one set longest ago is forgotten first. */
export class ExpiringMap<TValue> {
  readonly #clock: Clock;
  readonly #max: number;
  readonly #entries = new Map<string, { readonly value: TValue; readonly untilMs: number }>();

  constructor(clock: Clock, max: number) {
    this.#clock = clock;
    this.#max = max;
  }

  get(key: string): TValue | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (this.#clock.monotonicMs() < entry.untilMs) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }

  set(key: string, value: TValue, forMs: number): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, untilMs: this.#clock.monotonicMs() + forMs });
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#max) break;
      this.#entries.delete(oldest);
    }
  }
}

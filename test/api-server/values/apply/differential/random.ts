/** A generator of random choices that always gives the same for one seed (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** In [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  one<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)] as T;
  }

  /** Some of the choices, in any order. */
  some<T>(choices: readonly T[], probability = 0.5): T[] {
    const chosen = choices.filter(() => this.chance(probability));
    return chosen
      .map((choice) => ({ choice, at: this.next() }))
      .sort((left, right) => left.at - right.at)
      .map(({ choice }) => choice);
  }

  /** The field, or nothing. */
  maybe<T>(name: string, value: () => T, probability = 0.5): Record<string, T> {
    return this.chance(probability) ? { [name]: value() } : {};
  }
}

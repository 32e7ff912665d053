export interface HistoryLimits {
  /** Entries of each object: the last ones. */
  readonly entries: number;
  /** Objects with entries: those that had the last ones. */
  readonly objects: number;
}

/** The last entries of each object, those of objects that are gone among them. Bounded, since a session may last for days. */
export class ObjectHistory<T> {
  /** By the name of the object, in the order of their last entries. */
  readonly #entries = new Map<string, readonly T[]>();
  readonly #limits: HistoryLimits;
  #count = 0;

  constructor(limits: HistoryLimits = { entries: 20, objects: 500 }) {
    this.#limits = limits;
  }

  /** Changes with each entry. */
  get count(): number {
    return this.#count;
  }

  add(name: string, entry: T): void {
    this.#count += 1;
    const entries = [...(this.#entries.get(name) ?? []), entry].slice(-this.#limits.entries);
    // Put in anew, it is the last that goes.
    this.#entries.delete(name);
    this.#entries.set(name, entries);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#limits.objects && oldest !== undefined) this.#entries.delete(oldest);
  }

  /** Oldest first. */
  of(name: string): readonly T[] {
    return this.#entries.get(name) ?? [];
  }

  get names(): readonly string[] {
    return [...this.#entries.keys()];
  }
}

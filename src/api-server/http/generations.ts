/**
 * Values made from objects, remembered by the identity of the object.
 *
 * Guarantees: two generations of at most `limit` each; the older one is forgotten when the younger is full, and a value goes with its object.
 */
export class Generations<T> {
  readonly #limit: number;
  readonly #sizeOf: (value: T) => number;
  #young = new WeakMap<object, T>();
  #old = new WeakMap<object, T>();
  #size = 0;

  constructor(limit: number, sizeOf: (value: T) => number) {
    this.#limit = limit;
    this.#sizeOf = sizeOf;
  }

  /** The value of `object`, made if it is not remembered. */
  of(object: object, make: () => T): T {
    const known = this.#young.get(object);
    if (known !== undefined) return known;
    const value = this.#old.get(object) ?? make();
    this.#remember(object, value);
    return value;
  }

  #remember(object: object, value: T): void {
    const size = this.#sizeOf(value);
    this.#size += size;
    if (this.#size > this.#limit) {
      this.#old = this.#young;
      this.#young = new WeakMap();
      this.#size = size;
    }
    this.#young.set(object, value);
  }
}

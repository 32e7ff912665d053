import type { IndexFunction, StoredObject } from './informer.js';

/** Objects by the values that a function finds in them. A function that throws leaves that object out of the index, and is reported. */
export class ObjectIndex {
  readonly #function: IndexFunction;
  readonly #failed: (object: StoredObject, error: unknown) => void;
  readonly #byValue = new Map<string, Set<StoredObject>>();
  /** The values an object was filed under: a function that answers differently the second time must not leave it there for ever. */
  readonly #valuesOf = new Map<StoredObject, readonly string[]>();

  constructor(indexFunction: IndexFunction, failed: (object: StoredObject, error: unknown) => void) {
    this.#function = indexFunction;
    this.#failed = failed;
  }

  valuesOf(object: StoredObject): readonly string[] {
    try {
      return [...this.#function(object)];
    } catch (error) {
      this.#failed(object, error);
      return [];
    }
  }

  add(object: StoredObject): void {
    const values = this.valuesOf(object);
    if (values.length === 0) return;
    this.#valuesOf.set(object, values);
    for (const value of values) {
      const objects = this.#byValue.get(value);
      if (objects === undefined) this.#byValue.set(value, new Set([object]));
      else objects.add(object);
    }
  }

  remove(object: StoredObject): void {
    const values = this.#valuesOf.get(object);
    if (values === undefined) return;
    this.#valuesOf.delete(object);
    for (const value of values) {
      const objects = this.#byValue.get(value);
      objects?.delete(object);
      if (objects?.size === 0) this.#byValue.delete(value);
    }
  }

  with(value: string): ReadonlySet<StoredObject> {
    return this.#byValue.get(value) ?? NONE;
  }
}

const NONE: ReadonlySet<StoredObject> = new Set();

/** How many served slots may lie before the first item until they are given back: moving the rest costs then less than one step per item. */
const SLACK = 1024;

/** First in, first out, with access by position: `Array.shift` moves every item, this moves them once in a while. */
export class Fifo<T> {
  #items: (T | undefined)[] = [];
  #head = 0;

  get length(): number {
    return this.#items.length - this.#head;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  at(index: number): T | undefined {
    return this.#items[this.#head + index];
  }

  last(): T | undefined {
    return this.length === 0 ? undefined : this.#items[this.#items.length - 1];
  }

  /** Puts `item` in the place of the last one. */
  replaceLast(item: T): void {
    this.#items[this.#items.length - 1] = item;
  }

  shift(): T | undefined {
    if (this.length === 0) return undefined;
    const item = this.#items[this.#head];
    // A served item must not be kept alive by its slot.
    this.#items[this.#head] = undefined;
    this.#head += 1;
    if (this.#head >= SLACK && this.#head * 2 >= this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }

  clear(): void {
    this.#items = [];
    this.#head = 0;
  }
}

/** Work of one key is done one after the other, in the order in which it came. */
export class Turns {
  readonly #last = new Map<string, Promise<void>>();

  async take(key: string, work: () => Promise<void>): Promise<void> {
    const mine = (this.#last.get(key) ?? Promise.resolve()).then(work);
    // The next one waits for the end, not for the outcome: that is for the caller.
    const over = mine.then(
      () => undefined,
      () => undefined,
    );
    this.#last.set(key, over);
    try {
      await mine;
    } finally {
      if (this.#last.get(key) === over) this.#last.delete(key);
    }
  }
}

/** Time limits that a test moves by hand. */
export class HandTimer {
  #nowMs = 0;
  readonly #waiting = new Set<{ readonly dueMs: number; readonly callback: () => void }>();

  schedule(delayMs: number, callback: () => void): () => void {
    const entry = { dueMs: this.#nowMs + delayMs, callback };
    this.#waiting.add(entry);
    return () => this.#waiting.delete(entry);
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  advance(ms: number): void {
    this.#nowMs += ms;
    for (const entry of [...this.#waiting]) {
      if (entry.dueMs > this.#nowMs) continue;
      this.#waiting.delete(entry);
      entry.callback();
    }
  }
}

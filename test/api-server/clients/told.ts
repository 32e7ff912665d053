/** What callbacks have told, and waits for what they will tell. */
export class Told {
  readonly #entries: string[] = [];
  readonly #waiting: (() => void)[] = [];

  add(entry: string): void {
    this.#entries.push(entry);
    for (const look of this.#waiting.splice(0)) look();
  }

  /** All that was told until the last of it is there; then it is forgotten. */
  async until(last: string): Promise<readonly string[]> {
    for (let at = this.#entries.indexOf(last); ; at = this.#entries.indexOf(last)) {
      if (at >= 0) return this.#entries.splice(0, at + 1);
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }
}

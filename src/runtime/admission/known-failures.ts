/** More objects than that fail for one reason, which the first of them have shown. */
const MOST = 1_000;

/** Which objects cannot be converted, and why: lists and watches ask for the same ones again and again, and the log needs each once. */
export class KnownFailures {
  readonly #causes = new Map<string, string>();

  /** @returns whether the object has failed for this cause already */
  failed(id: string, cause: string): boolean {
    const isKnown = this.#causes.get(id) === cause;
    // The oldest go first; those that still fail come again.
    this.#causes.delete(id);
    this.#causes.set(id, cause);
    for (const oldest of this.#causes.keys()) {
      if (this.#causes.size <= MOST) break;
      this.#causes.delete(oldest);
    }
    return isKnown;
  }

  /** @returns whether the object had failed before */
  succeeded(id: string): boolean {
    return this.#causes.size > 0 && this.#causes.delete(id);
  }
}

/**
 * A signal that each of several outer signals aborts, with its reason; so does its owner.
 *
 * `AbortSignal.any` leaks under signals that live as long as the process (H64). After {@link release} the outer signals keep no listener of this one.
 */
export class LinkedAbort {
  readonly #own = new AbortController();
  readonly #unlinks: readonly (() => void)[];

  constructor(...outer: readonly AbortSignal[]) {
    this.#unlinks = outer.map((signal) => {
      const end = (): void => this.#own.abort(signal.reason);
      signal.addEventListener('abort', end, { once: true });
      if (signal.aborted) end();
      return () => signal.removeEventListener('abort', end);
    });
  }

  get signal(): AbortSignal {
    return this.#own.signal;
  }

  abort(reason?: unknown): void {
    this.#own.abort(reason);
  }

  /** The outer signals abort it no longer. */
  release(): void {
    for (const unlink of this.#unlinks) unlink();
  }
}

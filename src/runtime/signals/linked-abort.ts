/**
 * A signal that each of several outer signals aborts; so does its owner.
 *
 * `AbortSignal.any` leaks under signals that live as long as the process (H64). After {@link release} the outer signals keep no listener of this one.
 */
export class LinkedAbort {
  readonly #own = new AbortController();
  readonly #unlinks: readonly (() => void)[];

  /** @param reason the reason of an abort by an outer signal. @defaultValue that of the outer signal */
  constructor(outer: readonly AbortSignal[], reason?: Error) {
    this.#unlinks = outer.map((signal) => {
      const end = (): void => this.#own.abort(reason ?? signal.reason);
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

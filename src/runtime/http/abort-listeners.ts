/**
 * Listens to signals for many requests at once, with one listener for each signal.
 *
 * A process-long signal has many requests under it at a time: a listener each would make Node warn of a leak, and `AbortSignal.any` really leaks (H64).
 */
export class AbortListeners {
  readonly #callbacks = new WeakMap<AbortSignal, Set<() => void>>();

  /** Calls back once when the signal aborts; not when it has aborted already. Returns what takes the callback back. */
  add(signal: AbortSignal, callback: () => void): () => void {
    const callbacks = this.#callbacks.get(signal) ?? this.#listen(signal);
    callbacks.add(callback);
    return () => {
      if (callbacks.delete(callback) && callbacks.size === 0) this.#stop(signal);
    };
  }

  #listen(signal: AbortSignal): Set<() => void> {
    const callbacks = new Set<() => void>();
    this.#callbacks.set(signal, callbacks);
    signal.addEventListener('abort', this.#onAbort, { once: true });
    return callbacks;
  }

  #stop(signal: AbortSignal): void {
    this.#callbacks.delete(signal);
    signal.removeEventListener('abort', this.#onAbort);
  }

  readonly #onAbort = (event: Event): void => {
    const signal = event.target as AbortSignal;
    const callbacks = [...(this.#callbacks.get(signal) ?? [])];
    this.#stop(signal);
    for (const callback of callbacks) callback();
  };
}

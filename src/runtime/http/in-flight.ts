/**
 * Bounds how many requests are under way at once; the others wait in order of arrival.
 *
 * Not a rate: the API server's own fairness decides how fast it answers, and an answer makes room for the next request.
 */
export class InFlight {
  readonly #limit: number;
  readonly #waiting = new Set<() => void>();
  #running = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Resolves when there is room; the caller then owes one {@link leave}. `onEnd` is called when waiting has become pointless. */
  enter(onEnd: (callback: (reason: Error) => void) => () => void): Promise<void> {
    if (this.#running < this.#limit) {
      this.#running += 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const proceed = (): void => {
        stopListening();
        resolve();
      };
      this.#waiting.add(proceed);
      const stopListening = onEnd((reason) => {
        if (this.#waiting.delete(proceed)) reject(reason);
      });
    });
  }

  leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#running -= 1;
      return;
    }
    // The place is handed over: a request that comes meanwhile must not overtake.
    this.#waiting.delete(next);
    next();
  }
}

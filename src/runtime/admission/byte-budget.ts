/**
 * How many bytes of requests may be in memory at once.
 *
 * Guarantees: first come, first served; a request that is larger than the whole budget still gets its turn, alone.
 */
export class ByteBudget {
  readonly #total: number;
  readonly #waiting = new Set<{ readonly bytes: number; readonly grant: () => void }>();
  #taken = 0;

  constructor(total: number) {
    this.#total = total;
  }

  /** Resolves when there is room, with what gives it back. @throws the signal's reason */
  take(bytes: number, signal: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason as Error);
      const giveUp = (): void => {
        this.#waiting.delete(waiter);
        reject(signal.reason as Error);
        this.#next();
      };
      const waiter = {
        bytes,
        grant: (): void => {
          signal.removeEventListener('abort', giveUp);
          resolve(this.#release(bytes));
        },
      };
      signal.addEventListener('abort', giveUp, { once: true });
      this.#waiting.add(waiter);
      this.#next();
    });
  }

  #release(bytes: number): () => void {
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#taken -= bytes;
      this.#next();
    };
  }

  #next(): void {
    for (const waiter of this.#waiting) {
      if (this.#taken > 0 && this.#taken + waiter.bytes > this.#total) return;
      this.#waiting.delete(waiter);
      this.#taken += waiter.bytes;
      waiter.grant();
    }
  }
}

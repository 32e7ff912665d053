/** Part of the budget that only small claims may have, and what one of them may be at most. */
const SHARE = { reserved: 1 / 8, small: 1 / 64 } as const;

/** A part of the budget, until it is given back. */
export interface Claim {
  /** Whether there is room for more at once; to wait for more while holding some could stop all for good. */
  grow(bytes: number): boolean;
  /** Gives back all but so many bytes. */
  shrink(toBytes: number): void;
  release(): void;
}

interface Waiter {
  readonly bytes: number;
  readonly grant: () => void;
}

/**
 * How many bytes of reviews may be in memory at once.
 *
 * Guarantees: claims together never exceed the total; small claims do not wait for large ones, which leave a part of it to them; large claims are first come,
 * first served.
 */
export class MemoryBudget {
  readonly #total: number;
  /** Small claims first: a `Set` keeps the order in which they came. */
  readonly #small = new Set<Waiter>();
  readonly #large = new Set<Waiter>();
  #taken = 0;
  #takenByLarge = 0;

  constructor(total: number) {
    this.#total = total;
  }

  /** The most that one claim may be. */
  get largest(): number {
    return this.#total * (1 - SHARE.reserved);
  }

  /**
   * Resolves when there is room.
   *
   * @throws RangeError for a claim beyond {@link largest}; the signal's reason
   */
  take(bytes: number, signal: AbortSignal): Promise<Claim> {
    return new Promise((resolve, reject) => {
      if (bytes > this.largest) return reject(new RangeError(`${bytes} bytes are more than ${this.largest}, all that one claim may have`));
      if (signal.aborted) return reject(signal.reason as Error);
      const queue = this.#isSmall(bytes) ? this.#small : this.#large;
      const giveUp = (): void => {
        queue.delete(waiter);
        reject(signal.reason as Error);
        this.#next();
      };
      const waiter: Waiter = {
        bytes,
        grant: () => {
          signal.removeEventListener('abort', giveUp);
          resolve(this.#taking(bytes));
        },
      };
      signal.addEventListener('abort', giveUp, { once: true });
      queue.add(waiter);
      this.#next();
    });
  }

  #isSmall(bytes: number): boolean {
    return bytes <= this.#total * SHARE.small;
  }

  #taking(bytes: number): Claim {
    let held = bytes;
    const shrink = (toBytes: number): void => {
      if (toBytes >= held) return;
      this.#taken -= held - toBytes;
      this.#takenByLarge -= this.#largePart(held) - this.#largePart(toBytes);
      held = toBytes;
      this.#next();
    };
    return {
      shrink,
      grow: (more) => {
        const [before, after] = [this.#largePart(held), this.#largePart(held + more)];
        if (held + more > this.largest || this.#taken + more > this.#total || this.#takenByLarge - before + after > this.largest)
          return false;
        this.#taken += more;
        this.#takenByLarge += after - before;
        held += more;
        return true;
      },
      release: () => shrink(0),
    };
  }

  #largePart(bytes: number): number {
    return this.#isSmall(bytes) ? 0 : bytes;
  }

  #next(): void {
    for (const queue of [this.#small, this.#large]) {
      for (const waiter of queue) {
        if (this.#taken + waiter.bytes > this.#total) break;
        if (queue === this.#large && this.#takenByLarge + waiter.bytes > this.largest) break;
        queue.delete(waiter);
        this.#taken += waiter.bytes;
        this.#takenByLarge += this.#largePart(waiter.bytes);
        waiter.grant();
      }
    }
  }
}

/** Bytes that arrive of a body before it counts as large, and the part of the room that is for those that have not. */
const SMALL = { bytes: 64 * 1024, share: 1 / 4 } as const;

/**
 * How many bytes of unfinished bodies may be in memory at once: those that have arrived, whatever a head declares.
 *
 * Guarantees: a body of up to 64 KiB never waits for a larger one; of those that wait, the smallest goes on first; the oldest body of each size always goes on,
 * so that bodies which hold all the room together cannot stop each other. That one may exceed the room by its own length.
 */
export class Arrivals {
  readonly #small: Lane;
  readonly #large: Lane;

  constructor(total: number) {
    this.#small = new Lane(total * SMALL.share);
    this.#large = new Lane(total * (1 - SMALL.share));
  }

  /** A body that begins. */
  open(): Arrival {
    return new Arrival(this.#small, this.#large);
  }
}

/** One body on its way in. */
export class Arrival {
  readonly #large: Lane;
  #lane: Lane;
  /** All that has arrived. */
  bytes = 0;

  constructor(small: Lane, large: Lane) {
    this.#lane = small;
    this.#large = large;
  }

  /** Counts what has arrived. `undefined`: it may go on; otherwise it must wait until the promise resolves, or {@link close} it. */
  grow(bytes: number): Promise<void> | undefined {
    this.bytes += bytes;
    if (this.#lane === this.#large || this.bytes <= SMALL.bytes) return this.#lane.take(this, bytes);
    this.#lane.leave(this);
    this.#lane = this.#large;
    return this.#lane.take(this, this.bytes);
  }

  /** It is complete and has been read, or the rest is not awaited. */
  close(): void {
    this.#lane.leave(this);
  }
}

interface Wait {
  readonly bytes: number;
  readonly resume: () => void;
}

class Lane {
  readonly #total: number;
  /** Bytes that each has taken, the oldest first. */
  readonly #taken = new Map<Arrival, number>();
  readonly #waiting = new Map<Arrival, Wait>();
  #sum = 0;

  constructor(total: number) {
    this.#total = total;
  }

  take(arrival: Arrival, bytes: number): Promise<void> | undefined {
    if (!this.#taken.has(arrival)) this.#taken.set(arrival, 0);
    if (this.#fits(arrival, bytes)) {
      this.#grant(arrival, bytes);
      return undefined;
    }
    return new Promise((resume) => void this.#waiting.set(arrival, { bytes, resume }));
  }

  leave(arrival: Arrival): void {
    this.#sum -= this.#taken.get(arrival) ?? 0;
    this.#taken.delete(arrival);
    this.#waiting.delete(arrival);
    for (const next of [...this.#waiting.keys()].sort((a, b) => a.bytes - b.bytes)) {
      const { bytes, resume } = this.#waiting.get(next) as Wait;
      if (!this.#fits(next, bytes)) continue;
      this.#waiting.delete(next);
      this.#grant(next, bytes);
      resume();
    }
  }

  #fits(arrival: Arrival, bytes: number): boolean {
    const [oldest] = this.#taken.keys();
    return this.#sum + bytes <= this.#total || arrival === oldest;
  }

  #grant(arrival: Arrival, bytes: number): void {
    this.#sum += bytes;
    this.#taken.set(arrival, (this.#taken.get(arrival) ?? 0) + bytes);
  }
}

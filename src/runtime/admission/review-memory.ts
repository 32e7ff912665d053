import { Arrivals } from './arrivals.js';
import { NoReview } from './errors.js';
import { type Heap, type HeapMeter, V8Heap } from './heap-meter.js';
import { MemoryBudget } from './memory-budget.js';

/** Shares of V8's heap limit: for values, and for bodies that are coming in (outside of the heap). The rest is the operator's own. */
const SHARE = { values: 1 / 4, bodies: 1 / 32 } as const;
/** Where the heap is large, more would only make the process slow. */
const MOST = { values: 512 * 1024 * 1024, bodies: 64 * 1024 * 1024 } as const;
/**
 * Share of the heap: V8 ends the process when live values fill it. Long before that, what large reviews have left behind is collected: V8 would let it grow until the
 * process takes all of its container's memory, in which buffers and code have to find room as well.
 */
const FILLED = { refuse: 0.9, collect: 0.5 } as const;
/** Smaller reviews leave little behind. */
const LARGE_SHARE = 1 / 64;

/** Memory that one review has. */
export interface ReviewClaim {
  /** @throws NoReview 413 when the review becomes too large, 503 when others have the memory */
  grow(bytes: number): void;
  /** Its values are of no use any more: so many bytes are left of it. */
  shrink(toBytes: number): void;
  release(): void;
}

export interface ReviewMemoryOptions {
  /** For values of all reviews together. @defaultValue a quarter of V8's heap limit, at most 512 MiB */
  readonly bytes?: number | undefined;
  /** @defaultValue V8's */
  readonly heap?: HeapMeter | undefined;
}

/** Memory that reviews may take, at each stage: while they arrive, and from then until they are answered. */
export class ReviewMemory {
  readonly arrivals: Arrivals;
  readonly #values: MemoryBudget;
  readonly #heap: HeapMeter;

  constructor({ bytes, heap = new V8Heap() }: ReviewMemoryOptions = {}) {
    const { limit } = heap.statistics();
    this.#heap = heap;
    this.arrivals = new Arrivals(Math.min(limit * SHARE.bodies, MOST.bodies));
    this.#values = new MemoryBudget(bytes ?? Math.min(limit * SHARE.values, MOST.values));
  }

  /** The most that one review may cost. */
  get largest(): number {
    return this.#values.largest;
  }

  /**
   * Waits until there is room for the values of a review.
   *
   * @throws NoReview 413 for a review beyond {@link largest}, 503 while the heap is nearly full (V8 would abort the process); the signal's reason
   */
  async take(bytes: number, signal: AbortSignal): Promise<ReviewClaim> {
    if (bytes > this.largest) throw this.#tooMuch();
    const claim = await this.#values.take(bytes, signal);
    if (!this.#hasRoom(bytes)) {
      claim.release();
      throw this.#full(bytes);
    }
    let held = bytes;
    return {
      grow: (more) => {
        held += more;
        if (held > this.largest) throw this.#tooMuch();
        if (!claim.grow(more) || !this.#hasRoom(more)) throw this.#full(more);
      },
      shrink: (toBytes) => claim.shrink(toBytes),
      release: () => claim.release(),
    };
  }

  #hasRoom(bytes: number): boolean {
    const fits = (share: number): boolean => {
      const { limit, used }: Heap = this.#heap.statistics();
      return used + bytes <= limit * share;
    };
    if (!fits(bytes > this.largest * LARGE_SHARE ? FILLED.collect : FILLED.refuse)) this.#heap.collect();
    return fits(FILLED.refuse);
  }

  #tooMuch(): NoReview {
    return new NoReview(
      413,
      `reviewing the object takes more than ${mebibytes(this.largest)}, because it holds too many values; send less, or raise the memory limit of the operator's container`,
    );
  }

  #full(bytes: number): NoReview {
    const { limit, used } = this.#heap.statistics();
    return new NoReview(
      503,
      `the operator has no memory left for this request: it takes up to ${mebibytes(bytes)}, and ${mebibytes(used)} of ${mebibytes(limit)} are in use`,
      { 'retry-after': '1' },
    );
  }
}

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 102.4) / 10} MiB`;
}

/**
 * The order of what is ready: fresh changes before what merely has its turn, each first come, first served.
 *
 * Source of the idea: controller-runtime's priority queue, where objects of the initial list and resyncs have a low priority.
 */
export type Lane = 'fresh' | 'slow';

interface Waiting {
  readonly sinceMs: number;
  readonly lane: Lane;
}

/** Identities in two lanes; an identity stands in one of them, once. */
export class Lanes {
  readonly #ageingMs: number;
  readonly #lanes: Readonly<Record<Lane, Map<string, Waiting>>> = { fresh: new Map(), slow: new Map() };
  #lastWasAged = false;

  /** @param ageingMs after so long in the slow lane, every second turn is the slow lane's: nothing starves (H35) */
  constructor(ageingMs: number) {
    this.#ageingMs = ageingMs;
  }

  get size(): number {
    return this.#lanes.fresh.size + this.#lanes.slow.size;
  }

  sizeOf(lane: Lane): number {
    return this.#lanes[lane].size;
  }

  /** Puts it at the end of the lane. A key in the slow lane moves to the fresh one when a fresh change comes, and keeps its time of arrival. */
  put(id: string, lane: Lane, nowMs: number): void {
    const { fresh, slow } = this.#lanes;
    if (fresh.has(id)) return;
    const waiting = slow.get(id);
    if (waiting !== undefined && lane === 'slow') return;
    slow.delete(id);
    this.#lanes[lane].set(id, { sinceMs: waiting?.sinceMs ?? nowMs, lane });
  }

  /** Takes out whose turn it is. */
  next(nowMs: number): { readonly id: string; readonly lane: Lane; readonly waitedMs: number } | undefined {
    const [fresh] = this.#lanes.fresh;
    const [slow] = this.#lanes.slow;
    const isAged = slow !== undefined && nowMs - slow[1].sinceMs >= this.#ageingMs;
    const takesSlow = fresh === undefined || (isAged && !this.#lastWasAged);
    this.#lastWasAged = takesSlow && isAged;
    const found = takesSlow ? slow : fresh;
    if (found === undefined) return undefined;
    const [id, { sinceMs, lane }] = found;
    this.#lanes[lane].delete(id);
    return { id, lane, waitedMs: nowMs - sinceMs };
  }
}

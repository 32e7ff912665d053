import type { Clock } from '../clock/index.js';

interface Delay {
  readonly dueMs: number;
  readonly id: string;
}

/**
 * Identities that wait for their time: one delay each, one timer for all.
 *
 * Time is the clock's monotonic one, and a timer that comes early is set again: a delay beyond what Node's timers take does not fire at once (H40).
 */
export class Delays {
  readonly #clock: Clock;
  readonly #onDue: (id: string) => void;
  /** A binary heap by time. Delays that were taken back stay in it until they come up. */
  #heap: Delay[] = [];
  readonly #dueMs = new Map<string, number>();
  #armed: { readonly dueMs: number; readonly cancel: () => void } | undefined;

  constructor(clock: Clock, onDue: (id: string) => void) {
    this.#clock = clock;
    this.#onDue = onDue;
  }

  get size(): number {
    return this.#dueMs.size;
  }

  /**
   * Sets the delay of an identity, in place of the one that it has.
   *
   * @param delayMs `Infinity` means never
   * @returns `false` if the identity waits for nothing now
   */
  set(id: string, delayMs: number): boolean {
    // NaN is what a wrong computation yields: never to run again would be the worse mistake.
    const dueMs = this.#clock.monotonicMs() + (Number.isNaN(delayMs) ? 0 : Math.max(0, delayMs));
    this.remove(id);
    if (dueMs === Number.POSITIVE_INFINITY) return false;
    this.#dueMs.set(id, dueMs);
    this.#push({ dueMs, id });
    this.#arm();
    return true;
  }

  remove(id: string): void {
    if (!this.#dueMs.delete(id)) return;
    // Else an object that is changed a million times within a long delay would leave as many entries behind (H37).
    if (this.#heap.length > 64 && this.#heap.length > 2 * this.#dueMs.size) this.#compact();
    this.#arm();
  }

  clear(): void {
    this.#heap = [];
    this.#dueMs.clear();
    this.#arm();
  }

  #arm(): void {
    while (this.#heap[0] !== undefined && !this.#isValid(this.#heap[0])) this.#pop();
    const first = this.#heap[0];
    if (first?.dueMs === this.#armed?.dueMs) return;
    this.#armed?.cancel();
    this.#armed = undefined;
    if (first === undefined) return;
    const cancel = this.#clock.schedule(first.dueMs - this.#clock.monotonicMs(), () => this.#fire());
    this.#armed = { dueMs: first.dueMs, cancel };
  }

  #fire(): void {
    this.#armed = undefined;
    const nowMs = this.#clock.monotonicMs();
    const due: string[] = [];
    for (let first = this.#heap[0]; first !== undefined && first.dueMs <= nowMs; first = this.#heap[0]) {
      this.#pop();
      if (!this.#isValid(first)) continue;
      this.#dueMs.delete(first.id);
      due.push(first.id);
    }
    this.#arm();
    for (const id of due) this.#onDue(id);
  }

  #isValid({ id, dueMs }: Delay): boolean {
    return this.#dueMs.get(id) === dueMs;
  }

  #compact(): void {
    this.#heap = [];
    for (const [id, dueMs] of this.#dueMs) this.#push({ dueMs, id });
  }

  #push(delay: Delay): void {
    const heap = this.#heap;
    let index = heap.length;
    heap.push(delay);
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (dueAt(heap, parent) <= delay.dueMs) break;
      swap(heap, index, parent);
      index = parent;
    }
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    heap[0] = last;
    for (let index = 0; ; ) {
      const left = 2 * index + 1;
      const child = dueAt(heap, left + 1) < dueAt(heap, left) ? left + 1 : left;
      if (dueAt(heap, child) >= last.dueMs) break;
      swap(heap, index, child);
      index = child;
    }
  }
}

function dueAt(heap: readonly Delay[], index: number): number {
  return heap[index]?.dueMs ?? Number.POSITIVE_INFINITY;
}

function swap(heap: Delay[], left: number, right: number): void {
  const [first, second] = [heap[left], heap[right]];
  if (first === undefined || second === undefined) return;
  heap[left] = second;
  heap[right] = first;
}

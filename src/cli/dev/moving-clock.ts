/** Longest delay that Node's timers take: a longer one would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

interface Timer {
  readonly dueMs: number;
  readonly callback: () => void;
  handle: NodeJS.Timeout;
}

/**
 * The time of this process, which can be moved forward: a clock of the API server and of an operator.
 *
 * A move is a leap, as on a machine that has slept: timers that fall due on the way fire once, in their order, and see the new time.
 */
export class MovingClock {
  readonly #timers = new Set<Timer>();
  readonly #keepsAlive: boolean;
  #offsetMs: number;

  /**
   * @param offsetMs how far it is ahead of the machine's time
   * @param options.keepsAlive whether its timers keep the process alive, as those of an operator must
   */
  constructor(offsetMs: number, { keepsAlive }: { readonly keepsAlive: boolean }) {
    this.#offsetMs = offsetMs;
    this.#keepsAlive = keepsAlive;
  }

  get offsetMs(): number {
    return this.#offsetMs;
  }

  now(): Date {
    return new Date(this.wallMs());
  }

  wallMs(): number {
    return Date.now() + this.#offsetMs;
  }

  monotonicMs(): number {
    return performance.now() + this.#offsetMs;
  }

  schedule(delayMs: number, callback: () => void): () => void {
    const dueMs = this.monotonicMs() + Math.max(0, delayMs);
    const timer: Timer = { dueMs, callback, handle: this.#started(delayMs, () => this.#fire(timer)) };
    this.#timers.add(timer);
    return () => {
      this.#timers.delete(timer);
      clearTimeout(timer.handle);
    };
  }

  /** Moves the time on. */
  forward(ms: number): void {
    this.#offsetMs += ms;
    const timers = [...this.#timers].sort((a, b) => a.dueMs - b.dueMs);
    for (const timer of timers) {
      // One that fired before may have taken this one back.
      if (!this.#timers.has(timer)) continue;
      clearTimeout(timer.handle);
      const leftMs = timer.dueMs - this.monotonicMs();
      if (leftMs <= 0) this.#fire(timer);
      else timer.handle = this.#started(leftMs, () => this.#fire(timer));
    }
  }

  #started(delayMs: number, callback: () => void): NodeJS.Timeout {
    const handle = setTimeout(callback, Math.min(Math.max(delayMs, 0), LONGEST_TIMER_MS));
    if (!this.#keepsAlive) handle.unref();
    return handle;
  }

  #fire(timer: Timer): void {
    this.#timers.delete(timer);
    timer.callback();
  }
}

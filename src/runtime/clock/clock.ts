/** The only time that the runtime knows: a process passes {@link systemClock}, a test one that it moves by hand. */
export interface Clock {
  /** Milliseconds that only grow, from an arbitrary start: for spans of time. */
  monotonicMs(): number;
  /** Milliseconds since 1970 as this machine believes: only for times that others wrote down. */
  wallMs(): number;
  /** Calls `callback` once, after `delayMs`. Returns what takes it back. */
  schedule(delayMs: number, callback: () => void): () => void;
}

/** Longest delay that Node's timers take: a longer one would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * The time of this process.
 *
 * @example
 * ```ts
 * const connection = connectionOf({ server: 'https://10.0.0.1:6443', clock: systemClock });
 * ```
 */
export const systemClock: Clock = Object.freeze({
  monotonicMs: () => performance.now(),
  wallMs: () => Date.now(),
  schedule(delayMs: number, callback: () => void): () => void {
    const timer = setTimeout(callback, Math.min(Math.max(delayMs, 0), LONGEST_TIMER_MS));
    return () => clearTimeout(timer);
  },
});

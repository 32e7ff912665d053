/** Time of a server: what `creationTimestamp` says, and what timers wait for. */
export interface Clock {
  now(): Date;
  /** Calls `callback` once, after `delayMs`. Returns what takes it back; a timer does not keep the process alive. */
  schedule(delayMs: number, callback: () => void): () => void;
}

/**
 * The process' own time.
 *
 * @example
 * ```ts
 * const server = await ApiServer.start({ clock: systemClock });
 * ```
 */
export const systemClock: Clock = {
  now: () => new Date(),
  schedule(delayMs, callback) {
    const timer = setTimeout(callback, Math.min(delayMs, LONGEST_TIMER_MS));
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Node fires a longer timer at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

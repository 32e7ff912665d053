/** The time limits of requests: a server passes the process' timers, a test one that it moves by hand. */
export interface Timer {
  /** Calls `callback` once, after `delayMs`. Returns what takes it back; a timer must not keep the process alive. */
  schedule(delayMs: number, callback: () => void): () => void;
}

/** Node waits 24.8 days at most, and fires at once beyond. */
const MAX_DELAY_MS = 2 ** 31 - 1;

export const processTimer: Timer = Object.freeze({
  schedule(delayMs: number, callback: () => void): () => void {
    const timeout = setTimeout(callback, Math.min(delayMs, MAX_DELAY_MS));
    timeout.unref();
    return () => clearTimeout(timeout);
  },
});

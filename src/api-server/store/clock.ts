/** The only time that the store knows: a server passes the process' timers, a test one that it moves by hand. */
export interface StoreClock {
  /** Calls `callback` once, after `delayMs`. Returns what takes it back; a timer must not keep the process alive. */
  schedule(delayMs: number, callback: () => void): () => void;
}

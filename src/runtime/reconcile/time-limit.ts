import type { Clock } from '../clock/index.js';
import { LinkedAbort } from '../signals/index.js';
import { TimeLimitError } from './errors.js';

export interface RunLimits {
  readonly clock: Clock;
  readonly limitMs: number;
  /** Ends the run from outside: shutdown, lost leadership, what the declaration names under `abortOn`. */
  readonly signal: AbortSignal;
  /** Gets what has not returned when it is given up: until it does, it may still act outside. */
  readonly onLeft: (returned: Promise<unknown>) => void;
}

/** One for all runs: an error of its own for each would write down a stack that says nothing. */
const RUN_HAS_ENDED = new Error('the run has ended');

/**
 * Runs a function of the user's under a signal of its own, which is aborted from outside or when the time is over.
 *
 * A function that does not listen is left behind: later results are dropped, and its handles write nothing any more.
 * @throws TimeLimitError, the reason of the outer signal, or what the function throws
 */
export async function limited<T>(run: (signal: AbortSignal) => T | Promise<T>, limits: RunLimits): Promise<T> {
  const { clock, limitMs, signal, onLeft } = limits;
  signal.throwIfAborted();
  const own = new LinkedAbort([signal]);
  const cancel = clock.schedule(limitMs, () => own.abort(new TimeLimitError(`it took longer than ${limitMs / 1000} s`)));
  let hasReturned = false;
  const running = (async () => run(own.signal))().finally(() => {
    hasReturned = true;
  });
  try {
    const aborted = new Promise<never>((_, reject) => {
      own.signal.addEventListener('abort', () => reject(own.signal.reason as Error), { once: true });
    });
    // No code waits for the one that loses the race.
    aborted.catch(() => undefined);
    running.catch(() => undefined);
    return await Promise.race([running, aborted]);
  } finally {
    cancel();
    own.release();
    if (!hasReturned) onLeft(running);
    // A function that is still running must not write.
    own.abort(RUN_HAS_ENDED);
  }
}

import type { Clock } from '../clock/index.js';
import { TimeLimitError } from './errors.js';

export interface RunLimits {
  readonly clock: Clock;
  readonly limitMs: number;
  /** Ends the run from outside: shutdown, lost leadership. */
  readonly signal: AbortSignal;
}

/**
 * Runs a function of the user's under a signal of its own, which is aborted from outside or when the time is over.
 *
 * A function that does not listen is left behind: whatever it does later is nobody's result, and its handles write nothing any more.
 * @throws TimeLimitError, the reason of the outer signal, or what the function throws
 */
export async function limited<T>(run: (signal: AbortSignal) => T | Promise<T>, { clock, limitMs, signal }: RunLimits): Promise<T> {
  signal.throwIfAborted();
  const own = new AbortController();
  const end = (): void => own.abort(signal.reason);
  signal.addEventListener('abort', end, { once: true });
  const cancel = clock.schedule(limitMs, () => own.abort(new TimeLimitError(`it took longer than ${limitMs / 1000} s`)));
  try {
    const aborted = new Promise<never>((_, reject) => {
      own.signal.addEventListener('abort', () => reject(own.signal.reason as Error), { once: true });
    });
    const running = (async () => run(own.signal))();
    // The one that loses the race has nobody who waits for it.
    aborted.catch(() => undefined);
    running.catch(() => undefined);
    return await Promise.race([running, aborted]);
  } finally {
    cancel();
    signal.removeEventListener('abort', end);
    // What is still running must not write.
    own.abort(new Error('the run has ended'));
  }
}

import { errorOf } from '@keelson/kubernetes/apimachinery';
import type { Clock } from '../clock/index.js';
import { OutsideTimeoutError } from './errors.js';

export interface CallLimits {
  readonly clock: Clock;
  /** @defaultValue none: it may take as long as it likes */
  readonly limitMs?: number | undefined;
  /** Ends the call from outside: the object is deleted, leadership is lost, the process ends. */
  readonly signal: AbortSignal;
  /** Names the function in the message of a timeout: `observes.members`. */
  readonly what: string;
}

/** Result of a call: its value, or the error it ended with. */
export type Settled<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: Error };

export interface BegunCall<T> {
  /** Known when the function returns, its time is over, or its signal is aborted, whichever is first. Never rejects. */
  readonly outcome: Promise<Settled<T>>;
  /** Resolves when the function has returned. It may do so long after the outcome: a function need not listen to its signal. */
  readonly returned: Promise<void>;
}

/** Calls a function of the author's under a signal of its own. The two promises differ so that a caller never runs it twice at once. */
export function beginCall<T>(run: (signal: AbortSignal) => T | Promise<T>, limits: CallLimits): BegunCall<T> {
  const { clock, limitMs, signal, what } = limits;
  const own = new AbortController();
  const end = (): void => own.abort(signal.reason);
  const aborted = new Promise<Settled<T>>((resolve) => {
    own.signal.addEventListener('abort', () => resolve({ ok: false, error: errorOf(own.signal.reason) }), { once: true });
  });
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  const late = (ms: number): void =>
    own.abort(new OutsideTimeoutError(`${what} took longer than ${ms / 1000} s; pass its signal on to what it waits for`));
  const cancel = limitMs === undefined ? () => undefined : clock.schedule(limitMs, () => late(limitMs));
  const settled = own.signal.aborted ? aborted : settle(run, own.signal);
  const outcome = Promise.race([settled, aborted]).finally(() => {
    cancel();
    signal.removeEventListener('abort', end);
  });
  return { outcome, returned: settled.then(() => undefined) };
}

async function settle<T>(run: (signal: AbortSignal) => T | Promise<T>, signal: AbortSignal): Promise<Settled<T>> {
  try {
    return { ok: true, value: await run(signal) };
  } catch (thrown) {
    return { ok: false, error: errorOf(thrown) };
  }
}

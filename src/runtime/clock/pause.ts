import type { Clock } from './clock.js';

/** Resolves when the time is over, or at once on abort; it leaves no timer and no listener behind. */
export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const over = (): void => {
      cancel();
      signal.removeEventListener('abort', over);
      resolve();
    };
    const cancel = clock.schedule(ms, over);
    signal.addEventListener('abort', over);
  });
}

/** Lets all other work that waits for the event loop go first. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

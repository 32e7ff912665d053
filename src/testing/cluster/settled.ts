import { WaitError } from './errors.js';
import { spanOf, spanText, type TimeSpan } from './time-span.js';
import { Deadline } from './wait/index.js';

export interface SettledOptions {
  /**
   * So long nothing may happen, in real time: what a client does next it begins within that.
   * @defaultValue 50 ms in the process; a process of its own may need more
   */
  readonly quiet?: TimeSpan;
  /** @defaultValue that of the cluster */
  readonly timeout?: TimeSpan;
  /** More that must be idle, for example the queue of an operator that runs in this process. */
  readonly isIdle?: () => boolean;
}

export interface SettledWait {
  readonly quietMs: number;
  readonly timeoutMs: number;
  /** Undefined: nothing goes on. Else what does, for the message. */
  readonly busyWith: () => string | undefined;
  /** Changes whenever something has happened. */
  readonly activity: () => number;
}

const LOOK_EVERY_MS = 5;

/** Between two looks whatever has arrived is taken in. Time alone would pass as quiet where one long piece of work keeps everything from being heard. */
const QUIET_LOOKS = 5;

/** Waits until nothing goes on, and nothing has happened for a while. @throws WaitError with what does not come to rest */
export async function waitUntilSettled({ quietMs, timeoutMs, busyWith, activity }: SettledWait): Promise<void> {
  const deadline = new Deadline(timeoutMs);
  let last = activity();
  let since = performance.now();
  let looks = 0;
  let reason = 'something happened again and again';
  try {
    while (!deadline.isOver) {
      await deadline.pause(LOOK_EVERY_MS);
      const busy = busyWith();
      const now = activity();
      if (busy === undefined && now === last) {
        looks += 1;
        if (looks >= QUIET_LOOKS && performance.now() - since >= quietMs) return;
        continue;
      }
      reason = busy ?? 'requests or writes came again and again';
      last = now;
      since = performance.now();
      looks = 0;
    }
  } finally {
    deadline.dispose();
  }
  throw new WaitError(`the cluster did not settle within ${spanText(timeoutMs)}: ${reason}`);
}

export function settledWait(
  { quiet, timeout, isIdle }: SettledOptions,
  { quietMs, timeoutMs, busyWith, activity }: SettledWait,
): SettledWait {
  return {
    quietMs: quiet === undefined ? quietMs : spanOf(quiet),
    timeoutMs: timeout === undefined ? timeoutMs : spanOf(timeout),
    activity,
    busyWith: () => busyWith() ?? (isIdle === undefined || isIdle() ? undefined : 'isIdle() says that it is not'),
  };
}

import type { BackgroundActivity } from '@keelson/runtime/internal/outside';
import { WaitError } from './errors.js';
import { spanOf, spanText, type TimeSpan } from './time-span.js';
import { Deadline } from './wait/index.js';

export interface SettledOptions {
  /**
   * The quiet time, in real time: what a client does next it begins within that.
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
  readonly background: () => BackgroundActivity;
  /** Background work that has been waited for in vain, by its signs: it is not waited for again. */
  readonly lasting: { signs?: number };
}

const LOOK_EVERY_MS = 5;

/** Between two looks all arrived events are taken in. Time alone would pass as quiet where one long piece of work keeps everything from being heard. */
const QUIET_LOOKS = 5;

/**
 * Background work that has been silent for so long is held to wait for what may never come. It may run until it is cancelled: settling must not wait for its end.
 * In a test, work that comes to an end is over by then; slower work is waited for by its outcome.
 */
const SILENT_WORK_MS = 2_000;

/** Waits until nothing goes on, and nothing has happened for a while. @throws WaitError with what does not come to rest */
export async function waitUntilSettled(wait: SettledWait): Promise<void> {
  const { timeoutMs, busyWith, activity, background, lasting } = wait;
  const deadline = new Deadline(timeoutMs);
  const seen = (): number => activity() + background().signs;
  let last = seen();
  let since = performance.now();
  let looks = 0;
  let reason = 'something happened again and again';
  try {
    while (!deadline.isOver) {
      await deadline.pause(LOOK_EVERY_MS);
      const busy = busyWith();
      const now = seen();
      if (busy === undefined && now === last) {
        looks += 1;
        if (looks < QUIET_LOOKS || performance.now() - since < quietMsOf(wait)) continue;
        lasting.signs = background().signs;
        return;
      }
      reason = busy ?? againAndAgain(background());
      last = now;
      since = performance.now();
      looks = 0;
    }
  } finally {
    deadline.dispose();
  }
  throw new WaitError(`the cluster did not settle within ${spanText(timeoutMs)}: ${reason}`);
}

function quietMsOf({ quietMs, background, lasting }: SettledWait): number {
  const { running, signs } = background();
  return running === 0 || signs === lasting.signs ? quietMs : Math.max(quietMs, SILENT_WORK_MS);
}

function againAndAgain({ running }: BackgroundActivity): string {
  const requests = 'requests or writes came again and again';
  return running === 0 ? requests : `${requests}, or background work began, ended or reported progress`;
}

export function settledWait(
  { quiet, timeout, isIdle }: SettledOptions,
  { quietMs, timeoutMs, busyWith, ...wait }: SettledWait,
): SettledWait {
  return {
    ...wait,
    quietMs: quiet === undefined ? quietMs : spanOf(quiet),
    timeoutMs: timeout === undefined ? timeoutMs : spanOf(timeout),
    busyWith: () => busyWith() ?? (isIdle === undefined || isIdle() ? undefined : 'isIdle() says that it is not'),
  };
}

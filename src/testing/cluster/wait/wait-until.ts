import { WaitError } from '../errors.js';
import { spanText } from '../time-span.js';
import { judgeBy, type Outcome, type Verdict } from './condition.js';
import { Deadline } from './deadline.js';

/** Between two looks, where changes are not announced. */
const LOOK_EVERY_MS = 25;

export interface FreeWait {
  /** Met when it returns true or nothing; false, or an assertion that throws, is "not yet". */
  readonly condition: () => Outcome;
  readonly timeoutMs: number;
}

/** Looks again and again, since it is unknown what the condition depends on. @throws WaitError with why it was not met last */
export async function waitUntil({ condition, timeoutMs }: FreeWait): Promise<void> {
  const deadline = new Deadline(timeoutMs);
  let verdict: Verdict = 'it was not looked at to the end';
  try {
    while (!deadline.isOver) {
      // A condition that hangs must not outlive the deadline.
      const outcome = await Promise.race([judgeBy(condition).then((judged) => ({ judged })), deadline.over]);
      if (outcome === undefined) break;
      verdict = outcome.judged;
      if (verdict === undefined) return;
      await deadline.pause(LOOK_EVERY_MS);
    }
  } finally {
    deadline.dispose();
  }
  throw new WaitError(`what was awaited did not come within ${spanText(timeoutMs)}: ${verdict}`);
}

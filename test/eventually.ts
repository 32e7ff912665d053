import { inspect, types } from 'node:util';
import { DEADLINE_MS } from './deadline.cjs';

/** Between two questions to another process: each of them takes time from who answers, and suites on real servers have been written at this pace. */
const PAUSE_MS = 100;
/** The real ones: a test may move the clock of what it waits for. */
const { setImmediate, setTimeout } = globalThis;
const now = performance.now.bind(performance);

type Truthy<T> = Exclude<T, undefined | null | false | 0 | ''>;

/**
 * Waits for what comes by itself, and returns it: the condition is asked again until its answer is truthy. An asynchronous one is asked after a short pause, a
 * synchronous one at each turn of the event loop.
 *
 * @param what - tells what is waited for, and with a function what was seen; the source of the condition without it
 * @param isTemporary - whether an error of the condition is an answer for now; without it each error ends the wait
 * @throws Error at the deadline of all tests, with what was waited for and what was seen last
 */
export async function eventually<T>(
  condition: () => T | Promise<T>,
  what: string | (() => string) = condition.toString(),
  isTemporary: (error: unknown) => boolean = () => false,
): Promise<Truthy<T>> {
  const end = now() + DEADLINE_MS;
  for (;;) {
    let last: unknown;
    let asked: T | Promise<T> | undefined;
    try {
      asked = condition();
      last = await asked;
      if (last) return last as Truthy<T>;
    } catch (error) {
      if (!isTemporary(error)) throw error;
      last = error;
    }
    if (now() > end) throw new Error(tooLate(what, last), { cause: last });
    await new Promise((resolve) => (types.isPromise(asked) ? setTimeout(resolve, PAUSE_MS) : setImmediate(resolve)));
  }
}

function tooLate(what: string | (() => string), last: unknown): string {
  const seen = last instanceof Error ? last.message : inspect(last);
  return `not met within ${DEADLINE_MS / 1_000} s: ${typeof what === 'string' ? what : what()}\nlast: ${seen}`;
}

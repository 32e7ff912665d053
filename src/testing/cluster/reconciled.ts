import { type JournalRun, journalText } from '@keelson/runtime/internal/journal';
import { WaitError } from './errors.js';
import { spanText } from './time-span.js';
import { Deadline } from './wait/index.js';

export interface ReconciledWait {
  /** The object, for the message: `Memcached shop/cache`. */
  readonly what: string;
  /** The runs of the object that are kept, in the order in which they began. @throws StartOptionsError when an operator keeps none */
  readonly runs: () => readonly JournalRun[];
  readonly hasOperators: () => boolean;
  readonly timeoutMs: number;
}

const LOOK_EVERY_MS = 5;

/** Waits for the end of a run that begins after this call. @throws WaitError with the runs that there were instead */
export async function waitUntilReconciled({ what, runs, hasOperators, timeoutMs }: ReconciledWait): Promise<JournalRun> {
  const known = new Set(runs().map(({ id }) => id));
  const deadline = new Deadline(timeoutMs);
  try {
    while (!deadline.isOver) {
      const run = runs().find(({ id, outcome }) => !known.has(id) && outcome !== undefined);
      if (run !== undefined) return run;
      await deadline.pause(LOOK_EVERY_MS);
    }
  } finally {
    deadline.dispose();
  }
  throw new WaitError(`${what} was not reconciled within ${spanText(timeoutMs)}: ${whyNot(runs(), known, hasOperators())}`);
}

function whyNot(runs: readonly JournalRun[], known: ReadonlySet<string>, hasOperators: boolean): string {
  if (!hasOperators) return 'no operator runs here; start one with startOperator()';
  const begun = runs.filter(({ id }) => !known.has(id));
  if (begun.length > 0) return `a run has begun and not ended\n${journalText(begun)}`;
  const last = runs.at(-1);
  return last === undefined
    ? 'no run has begun, and there was none before'
    : `no run has begun since; the last one was\n${journalText([last])}`;
}

import type { JournalRun, JournalWrite } from '../journal/index.js';
import { PAUSED, WOULD_CHANGE } from '../status/index.js';

/** The writes of an observed run, as its condition shows them. */
export interface Withheld {
  /** `undefined`: the run has failed, and what else it would have written is unknown. */
  readonly wouldChange: boolean | undefined;
  readonly message: string;
}

/** The runtime's own conditions of the object, which are not part of a run's result, and times, which would make each message another one. */
const LEFT_OUT = new RegExp(`conditions\\[(${WOULD_CHANGE}|${PAUSED})\\]|\\.lastTransitionTime:`);

/** Says what a run would have written. */
export function withheldBy({ writes, left }: Pick<JournalRun, 'writes' | 'left'>, error?: Error): Withheld {
  const listed = writes.flatMap((write) => textOf(write, error !== undefined));
  const count = listed.length + left;
  const would = `the run would make ${count} ${count === 1 ? 'write' : 'writes'}: ${listed.join('; ')}`;
  if (error !== undefined)
    return { wouldChange: undefined, message: `the run failed: ${error.message}${count === 0 ? '' : `; before that ${would}`}` };
  return count === 0 ? { wouldChange: false, message: 'the run would write nothing' } : { wouldChange: true, message: would };
}

function textOf({ verb, kind, subresource, object, changes, error }: JournalWrite, hasFailed: boolean): string[] {
  const fields = changes.filter((line) => !LEFT_OUT.test(line));
  // A refused write is followed by what the run did instead, or by its error. The status of a failed run says the error once more.
  const isSaid = error !== undefined || (hasFailed && subresource === 'status');
  if (isSaid || (verb !== 'delete' && fields.length === 0)) return [];
  const target = `${verb} ${kind}${subresource === undefined ? '' : `/${subresource}`} ${object}`;
  return [fields.length === 0 ? target : `${target} (${fields.join(', ')})`];
}

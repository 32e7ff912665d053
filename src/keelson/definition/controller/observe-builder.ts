import { isRecord, millisecondsOf } from '@keelson/kubernetes/apimachinery';
import { DefinitionError, type Problem } from '../errors.js';
import type { ObservedModel, PollModel, SubscriptionModel } from '../model.js';
import { anything, callback, count, mustHaveShape, record, required, shown } from '../option-shape.js';

const SHAPE = record(
  {
    every: required(anything, "say how often: every: '30s'"),
    jitter: count,
    read: required(callback('the context'), 'write a function that reads the value'),
    equals: callback('two values'),
  },
  'not an option of poll',
);

/** More often would be work for nothing but itself. */
const SHORTEST_MS = 100;

interface Options {
  readonly every: unknown;
  readonly jitter?: number | undefined;
  readonly read: PollModel['read'];
  readonly equals?: PollModel['equals'];
}

function poll(options: Options): PollModel {
  mustHaveShape('poll', options, SHAPE);
  const { every, jitter = 0.1, read, equals } = options;
  const everyMs = millisecondsOf(every);
  const problems: Problem[] = [];
  if (everyMs === undefined || everyMs < SHORTEST_MS)
    problems.push({ path: 'every', message: `is ${shown(every)}; write a span of time of at least ${SHORTEST_MS} ms, such as '30s'` });
  if (!(jitter >= 0 && jitter <= 1)) problems.push({ path: 'jitter', message: `is ${shown(jitter)}; write a share from 0 to 1` });
  if (everyMs === undefined || problems.length > 0) throw new DefinitionError('poll', problems);
  return Object.freeze({ sort: 'poll', everyMs, jitter, read, ...(equals === undefined ? {} : { equals }) });
}

function subscribe(start: SubscriptionModel['start']): SubscriptionModel {
  if (typeof start !== 'function')
    throw new DefinitionError('subscribe', [
      { path: 'start', message: 'is not a function; write one that takes the context and starts to listen' },
    ]);
  return Object.freeze({ sort: 'subscription', start });
}

/** Calls the builder function of `observes`, once. */
export function observedBy(declare: unknown): {
  readonly made: Readonly<Record<string, ObservedModel>>;
  readonly problems: readonly Problem[];
} {
  if (declare === undefined) return { made: {}, problems: [] };
  const refused = (path: string, message: string): Problem => ({ path, message });
  if (typeof declare !== 'function')
    return { made: {}, problems: [refused('observes', 'is not a function; write ({ poll, subscribe }) => ({ name: poll({ ... }) })')] };
  const returned: unknown = (declare as (builder: object) => unknown)({ poll, subscribe });
  if (!isRecord(returned))
    return {
      made: {},
      problems: [refused('observes', `returns ${shown(returned)}; return an object: ({ poll }) => ({ name: poll({ ... }) })`)],
    };
  const problems = Object.entries(returned).flatMap(([name, value]) =>
    isRecord(value) && (value['sort'] === 'poll' || value['sort'] === 'subscription')
      ? []
      : [refused(`observes.${name}`, 'is not a source; make it with poll or subscribe, which the function is given')],
  );
  return { made: problems.length > 0 ? {} : (returned as Readonly<Record<string, ObservedModel>>), problems };
}

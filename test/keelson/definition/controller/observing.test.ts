import { defineController, defineCustomResource, type PollModel } from 'keelson';
import { z } from 'zod';
import { problemsOf } from '../refusals.js';

const Ring = defineCustomResource({ group: 'etcd.example.com', kind: 'Ring', versions: { v1: { spec: z.object({}) } } });
const read = async (): Promise<readonly string[]> => [];
const observing = (observes: unknown) =>
  defineController({ name: 'ring', for: Ring, observes, reconcile: ({ done }: { done: () => unknown }) => done() } as never);

interface Builder {
  readonly poll: (options: object) => unknown;
  readonly subscribe: (start: unknown) => unknown;
}
const polling = (options: object) => observing(({ poll }: Builder) => ({ members: poll({ every: '30s', read, ...options }) }));

test('a poll has its defaults, and what is written', () => {
  const equals = (): boolean => true;
  expect(polling({}).observes).toEqual({ members: { sort: 'poll', everyMs: 30_000, jitter: 0.1, read } });
  expect(polling({ every: '100ms', jitter: 0, equals }).observes['members']).toEqual({
    sort: 'poll',
    everyMs: 100,
    jitter: 0,
    read,
    equals,
  });
  expect((polling({ jitter: 1 }).observes['members'] as PollModel).jitter).toBe(1);
});

test('a subscription is the function that starts it', () => {
  const start = (): void => undefined;
  expect(observing(({ subscribe }: Builder) => ({ changes: subscribe(start) })).observes).toEqual({
    changes: { sort: 'subscription', start },
  });
});

test.each<[string, unknown, readonly string[]]>([
  ['a poll that is too quick', { every: '99ms' }, ["every: is '99ms'; write a span of time of at least 100 ms, such as '30s'"]],
  ['a poll at no time', { every: 'often' }, ["every: is 'often'; write a span of time of at least 100 ms, such as '30s'"]],
  ['a negative jitter', { jitter: -0.1 }, ['jitter: is -0.1; write a share from 0 to 1']],
  ['a jitter of more than all', { jitter: 1.1 }, ['jitter: is 1.1; write a share from 0 to 1']],
  ['a poll that reads nothing', { read: 'members' }, ['read: is not a function; write one that takes the context']],
  [
    'all that is wrong at once',
    { every: '1ms', jitter: 2 },
    ["every: is '1ms'; write a span of time of at least 100 ms, such as '30s'", 'jitter: is 2; write a share from 0 to 1'],
  ],
])('%s is refused', (_, options, problems) => {
  expect(problemsOf(() => polling(options as object))).toEqual(problems);
});

test.each<[string, unknown, string]>([
  [
    'a subscription without a function',
    ({ subscribe }: Builder) => ({ changes: subscribe('all') }),
    'start: is not a function; write one that takes the context and starts to listen',
  ],
  [
    'sources without the function that makes them',
    {},
    'observes: is not a function; write ({ poll, subscribe }) => ({ name: poll({ ... }) })',
  ],
  [
    'a function that returns no object',
    () => 'members',
    "observes: returns 'members'; return an object: ({ poll }) => ({ name: poll({ ... }) })",
  ],
  [
    'a source that was not made by the builder',
    () => ({ members: { sort: 'push' } }),
    'observes.members: is not a source; make it with poll or subscribe, which the function is given',
  ],
  [
    'a source that is nothing',
    () => ({ members: undefined }),
    'observes.members: is not a source; make it with poll or subscribe, which the function is given',
  ],
])('%s is refused', (_, observes, problem) => {
  expect(problemsOf(() => observing(observes)).join('\n')).toContain(problem);
});

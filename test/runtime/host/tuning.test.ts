import { checkNames, tuningOf } from '../../../src/runtime/host/tuning.js';

const HOUR_MS = 3_600_000;

test.each([
  ['by itself', { name: 'a' }, {}, { concurrency: 10, timeLimitMs: 300_000, resyncMs: 10 * HOUR_MS }],
  [
    'by the options for all',
    { name: 'a' },
    { concurrency: 2, timeLimit: '1m', resync: '1h' },
    { concurrency: 2, timeLimitMs: 60_000, resyncMs: HOUR_MS },
  ],
  [
    'by its definition before the options for all',
    { name: 'a', concurrency: 3, timeLimitMs: 7_000 },
    { concurrency: 2, timeLimit: '1m', resync: '1h' },
    { concurrency: 3, timeLimitMs: 7_000, resyncMs: HOUR_MS },
  ],
  [
    'by its own options before all others',
    { name: 'a', concurrency: 3, timeLimitMs: 7_000 },
    {
      concurrency: 2,
      timeLimit: '1m',
      resync: '1h',
      controllers: { a: { concurrency: 1, timeLimit: 1, resync: '30s' }, b: { concurrency: 9, timeLimit: '9m', resync: '9h' } },
    },
    { concurrency: 1, timeLimitMs: 1, resyncMs: 30_000 },
  ],
  [
    'by one option of its own, and by its definition for the rest',
    { name: 'a', concurrency: 3, timeLimitMs: 7_000 },
    { controllers: { a: { timeLimit: '1m' } } },
    { concurrency: 3, timeLimitMs: 60_000, resyncMs: 10 * HOUR_MS },
  ],
  [
    'by those of another controller not at all',
    { name: 'a' },
    { controllers: { b: { concurrency: 9, timeLimit: '9m', resync: '9h' } } },
    { concurrency: 10, timeLimitMs: 300_000, resyncMs: 10 * HOUR_MS },
  ],
  [
    'by how often and when it tries again, each from the nearest place',
    { name: 'a', backoff: { firstMs: 5, mostMs: undefined }, retries: 3, rate: { perMinute: 60 } },
    { backoff: { first: '1s', most: '1m' }, retries: 9, controllers: { a: { rate: { perMinute: 2 } } } },
    { concurrency: 10, timeLimitMs: 300_000, resyncMs: 10 * HOUR_MS, backoff: { baseMs: 5, maxMs: 60_000 }, retries: 3, perMinute: 2 },
  ],
] as const)('a controller is tuned %s', (_, controller, options, tuning) => {
  expect(tuningOf(controller, options)).toEqual(tuning);
});

test.each([
  [{ concurrency: 1.5 }, 'controller a: concurrency is 1.5; give a whole number from 1'],
  [{ concurrency: Number.NaN }, 'controller a: concurrency is NaN; give a whole number from 1'],
  [{ concurrency: -1 }, 'controller a: concurrency is -1; give a whole number from 1'],
  [{ controllers: { a: { concurrency: 0 } } }, 'controller a: concurrency is 0; give a whole number from 1'],
  [{ retries: 0.5 }, 'controller a: retries is 0.5; give a whole number from 0'],
  [{ rate: { perMinute: 0 } }, 'controller a: rate.perMinute is 0; give a whole number from 1'],
  [{ backoff: { first: 'soon' } }, 'controller a: backoff.first is soon; give a time such as 30s'],
  [{ timeLimit: 0 }, 'controller a: timeLimit is 0; give a time such as 30s'],
  [{ resync: '0s' }, 'controller a: resync is 0s; give a time such as 30s'],
  [{ resync: 'daily' }, 'controller a: resync is daily; give a time such as 30s'],
])('%j cannot be used', (options, message) => {
  expect(() => tuningOf({ name: 'a' }, options as never)).toThrow(message);
});

test('options for a controller that the operator does not have are refused', () => {
  const options = { controllers: { a: {}, c: {} } };
  expect(() => checkNames(['a', 'b', 'c'], options)).not.toThrow();
  expect(() => checkNames(['a', 'b'], options)).toThrow('controllers.c: the operator has no such controller; it has a, b');
  expect(() => checkNames([], options)).toThrow('controllers.a: the operator has no such controller; it has none');
  expect(() => checkNames([], {})).not.toThrow();
});

import { tuningOf } from '../../../src/runtime/host/tuning.js';

const DEFAULTS = { concurrency: 10, timeLimitMs: 300_000, resyncMs: 36_000_000 };
const DEFINED = { name: 'website', concurrency: 3, timeLimitMs: 60_000 };
const PLAIN = { name: 'website', concurrency: undefined, timeLimitMs: undefined };

test('ten workers, 5 minutes for a run, a look at each object every 10 hours', () => {
  expect(tuningOf(PLAIN, {})).toEqual(DEFAULTS);
});

test('options of all controllers count where the definition says nothing', () => {
  const options = { concurrency: 4, timeLimit: '2m', resync: '1h' } as const;
  expect(tuningOf(PLAIN, options)).toEqual({ concurrency: 4, timeLimitMs: 120_000, resyncMs: 3_600_000 });
});

test('a definition precedes options of all controllers; those that name the controller precede both', () => {
  const all = { concurrency: 4, timeLimit: '2m', resync: '1h' } as const;
  expect(tuningOf(DEFINED, all)).toEqual({ concurrency: 3, timeLimitMs: 60_000, resyncMs: 3_600_000 });
  const website = { concurrency: 5, timeLimit: 30_000, resync: '2h' } as const;
  expect(tuningOf(DEFINED, { ...all, controllers: { website } })).toEqual({ concurrency: 5, timeLimitMs: 30_000, resyncMs: 7_200_000 });
  expect(tuningOf(DEFINED, { ...all, controllers: { other: website } })).toEqual(tuningOf(DEFINED, all));
});

test('one option of a controller leaves its others as they are', () => {
  expect(tuningOf(DEFINED, { controllers: { website: { timeLimit: '2m' } } })).toEqual({
    ...DEFAULTS,
    concurrency: 3,
    timeLimitMs: 120_000,
  });
  expect(tuningOf(DEFINED, { controllers: { website: { concurrency: 1 } } })).toEqual({ ...DEFAULTS, concurrency: 1, timeLimitMs: 60_000 });
});

test.each([
  [{ concurrency: 1.5 }, 'controller website: concurrency is 1.5; give a whole number from 1'],
  [{ timeLimit: 0 }, 'controller website: timeLimit is 0; give a time such as 30s'],
  [{ resync: -1 }, 'controller website: resync is -1; give a time such as 30s'],
])('%j of one controller is refused by its name', (website, message) => {
  expect(() => tuningOf(DEFINED, { controllers: { website } })).toThrow(message);
});

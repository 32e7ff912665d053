import { FakeClock } from '@keelson/testing';
import type { RunReport } from '../../../../src/runtime/reconcile/object-runner.js';
import { HotRests } from '../../../../src/runtime/reconcile/runner/hot-rests.js';
import { MemoryLog } from '../../harness/running-controller.js';

let clock: FakeClock;
let log: MemoryLog;
let rests: HotRests;
beforeEach(() => {
  clock = new FakeClock();
  log = new MemoryLog();
  rests = new HotRests(clock, log);
});

/** The rests after as many runs of an object, one right after the other. */
const restsOf = (runs: number, report: RunReport, id = 'shop/a'): readonly number[] =>
  Array.from({ length: runs }, () => rests.after(id, report));
const words = (): readonly unknown[] => log.lines.map(({ level, message, fields }) => [level, message.slice(0, 20), fields['object']]);

describe('H38: an object that is run more than 30 times within a minute, by its own doing, rests a second after each run', () => {
  const thirtyThenRest = [...Array.from({ length: 30 }, () => 0), 1_000];

  test('children that are written at every run, with one word in the log that names the object', () => {
    expect(restsOf(31, { wrote: true, wroteChildren: true })).toEqual(thirtyThenRest);
    expect(restsOf(1, { wrote: true, wroteChildren: true })).toEqual([1_000]);
    expect(words()).toEqual([['warn', 'written more than 30', 'shop/a']]);
  });

  test('a status that others change before every run', () => {
    const runs = Array.from({ length: 31 }, () => {
      rests.statusChanged('shop/a');
      return rests.after('shop/a', { wrote: true });
    });
    expect(runs).toEqual(thirtyThenRest);
    expect(words()).toEqual([['warn', 'written more than 30', 'shop/a']]);
  });

  test.each<[string, object]>([
    ['requeueAfter of less than a second', { requeueAfterMs: 999 }],
    ['requeueAt within the second', { requeueAtMs: 999 }],
    ['requeueAt a time that is over', { requeueAtMs: -5 }],
  ])('%s, with a word that says so', (_, { requeueAtMs, ...asked }: { requeueAtMs?: number; requeueAfterMs?: number }) => {
    const report = { wrote: false, ...asked, ...(requeueAtMs === undefined ? {} : { requeueAtMs: clock.wallMs() + requeueAtMs }) };
    expect(restsOf(31, report)).toEqual(thirtyThenRest);
    expect(words()).toEqual([['warn', 'run more than 30 tim', 'shop/a']]);
  });
});

test.each<[string, RunReport]>([
  ['a status that follows the cluster', { wrote: true }],
  ['runs that write nothing', { wrote: false }],
  ['requeueAfter of a second', { wrote: false, requeueAfterMs: 1_000 }],
  ['failures, which have their own pauses', { wrote: false, requeueAfterMs: 100, error: new Error('no') }],
])('no rest: %s', (_, report) => {
  expect(restsOf(40, report)).toEqual(restsOf(40, { wrote: false }));
  expect(restsOf(1, report)).toEqual([0]);
  expect(log.lines).toEqual([]);
});

test('a change of the status by others counts for the next run alone, and not for one that writes nothing', () => {
  rests.statusChanged('shop/a');
  expect(restsOf(1, { wrote: false })).toEqual([0]);
  expect(restsOf(40, { wrote: true }).every((ms) => ms === 0)).toBe(true);
});

test('objects are counted apart, each minute anew, and an object of the same name as one that is gone begins anew', () => {
  const report = { wrote: true, wroteChildren: true };
  restsOf(31, report);
  expect(restsOf(1, report, 'shop/b')).toEqual([0]);
  clock.advance('59s');
  expect(restsOf(1, report)).toEqual([1_000]);
  clock.advance('1s');
  expect(restsOf(1, report)).toEqual([0]);
  restsOf(31, report);
  rests.statusChanged('shop/a');
  rests.forget('shop/a');
  expect(restsOf(1, { wrote: true })).toEqual([0]);
  expect(restsOf(30, report)).toEqual(Array.from({ length: 30 }, () => 0));
  expect(restsOf(1, report)).toEqual([1_000]);
});

import { FakeClock } from '@keelson/testing';
import { RunRate } from '../../../../src/runtime/reconcile/runner/run-rate.js';
import { runtimeClockOf } from '../../../../src/testing/cluster/operator-runs.js';

const signal = new AbortController().signal;

test('no more runs begin within a minute than are allowed, and the next one when the first is a minute old', async () => {
  const clock = new FakeClock();
  const rate = new RunRate(runtimeClockOf(clock), 2);
  const begun: number[] = [];
  const begin = async (run: number): Promise<void> => void ((await rate.turn(signal)) && begun.push(run));
  const all = [1, 2, 3, 4].map(begin);
  await Promise.all(all.slice(0, 2));
  expect(begun).toEqual([1, 2]);
  clock.advance(59_999);
  await Promise.resolve();
  expect(begun).toEqual([1, 2]);
  clock.advance(1);
  await Promise.all(all);
  expect(new Set(begun)).toEqual(new Set([1, 2, 3, 4]));
});

test('a term that ends gives up the waits', async () => {
  const clock = new FakeClock();
  const rate = new RunRate(runtimeClockOf(clock), 1);
  const term = new AbortController();
  expect(await rate.turn(term.signal)).toBe(true);
  const waiting = rate.turn(term.signal);
  term.abort();
  expect(await waiting).toBe(false);
  expect(await rate.turn(term.signal)).toBe(false);
});

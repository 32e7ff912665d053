import { getEventListeners } from 'node:events';
import { limited, type RunLimits } from '../../../src/runtime/reconcile/time-limit.js';
import { FakeClock } from '../clock/fake-clock.js';

function scene() {
  const clock = new FakeClock();
  const outside = new AbortController();
  const left: Promise<unknown>[] = [];
  const limits: RunLimits = { clock, limitMs: 60_000, signal: outside.signal, onLeft: (returned) => void left.push(returned) };
  const signals: AbortSignal[] = [];
  let release: (value: string) => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  const run = (signal: AbortSignal): Promise<string> => {
    signals.push(signal);
    return new Promise((resolve, reject) => {
      release = resolve;
      fail = reject;
    });
  };
  const leftovers = (): readonly number[] => [clock.pending, getEventListeners(outside.signal, 'abort').length];
  return {
    clock,
    outside,
    left,
    limits,
    signals,
    run,
    leftovers,
    release: (value: string) => release(value),
    fail: (error: Error) => fail(error),
  };
}

test('a function that returns in time has its result, and its signal is aborted then: it must not write any more', async () => {
  const { limits, run, signals, release, left, leftovers } = scene();
  const running = limited(run, limits);
  expect([signals[0]?.aborted, leftovers()]).toEqual([false, [1, 1]]);
  release('done');
  expect(await running).toBe('done');
  expect(signals[0]?.reason).toEqual(new Error('the run has ended'));
  expect([left, leftovers()]).toEqual([[], [0, 0]]);
});

test('a function that throws, at once or later, has thrown, and is not left behind', async () => {
  const { limits, run, fail, left, leftovers } = scene();
  const running = limited(run, limits);
  fail(new Error('down'));
  await expect(running).rejects.toThrow('down');
  await expect(
    limited(() => {
      throw new Error('at once');
    }, limits),
  ).rejects.toThrow('at once');
  expect([left, leftovers()]).toEqual([[], [0, 0]]);
});

test('a function that takes too long is left behind until it returns, whatever it answers then', async () => {
  const { clock, limits, run, signals, release, left, leftovers } = scene();
  const running = limited(run, limits);
  clock.advance(59_999);
  expect(signals[0]?.aborted).toBe(false);
  clock.advance(1);
  await expect(running).rejects.toMatchObject({ code: 'KEELSON_TIME_LIMIT', message: 'it took longer than 60 s' });
  expect(signals[0]?.reason).toMatchObject({ code: 'KEELSON_TIME_LIMIT' });
  expect([left.length, leftovers()]).toEqual([1, [0, 0]]);
  release('late');
  expect(await left[0]).toBe('late');
});

test('a function that fails after it was given up disturbs nobody', async () => {
  const { clock, limits, run, fail, left } = scene();
  const running = limited(run, limits);
  clock.advance(60_000);
  await expect(running).rejects.toThrow('it took longer than 60 s');
  fail(new Error('late'));
  await expect(left[0]).rejects.toThrow('late');
});

test('what ends a run from outside is its error, and the function is left behind', async () => {
  const { outside, limits, run, signals, left, leftovers } = scene();
  const running = limited(run, limits);
  outside.abort(new Error('the process ends'));
  await expect(running).rejects.toThrow('the process ends');
  expect([signals[0]?.reason, left.length, leftovers()]).toEqual([new Error('the process ends'), 1, [0, 0]]);
});

test('a run that was ended before it began does not begin', async () => {
  const { outside, limits, run, signals, left, leftovers } = scene();
  outside.abort(new Error('the process ends'));
  await expect(limited(run, limits)).rejects.toThrow('the process ends');
  expect([signals, left, leftovers()]).toEqual([[], [], [0, 0]]);
});

import type { CheckModel } from '../../../src/keelson/definition/index.js';
import { healthChecksOf } from '../../../src/runtime/operator-parts/index.js';
import { FakeClock } from '../clock/fake-clock.js';
import { flush } from '../outside/flush.js';

function checkOf(run: (context: { signal: AbortSignal }) => unknown, more: Partial<CheckModel> = {}) {
  const clock = new FakeClock();
  const check: CheckModel = { name: 'etcd', readiness: true, liveness: false, run: run as CheckModel['run'], ...more };
  const { readiness, liveness } = healthChecksOf({ checks: [check], clock, contextFor: () => (signal) => ({ signal }) });
  return { clock, readiness, liveness, problem: async () => readiness[0]?.problem() };
}

test('a check that returns is well, and one that throws says what is wrong', async () => {
  expect(await checkOf(() => undefined).problem()).toBeUndefined();
  expect(await checkOf(() => Promise.reject(new Error('no quorum'))).problem()).toBe('no quorum');
});

test('a flood of probes is one call a second', async () => {
  const run = jest.fn();
  const { clock, problem } = checkOf(run);
  await Promise.all(Array.from({ length: 50 }, problem));
  expect(run).toHaveBeenCalledTimes(1);
  clock.advance(1_000);
  await problem();
  expect(run).toHaveBeenCalledTimes(2);
});

test('a check that hangs is a problem, its signal is aborted, and it is not called again before it has returned', async () => {
  const signals: AbortSignal[] = [];
  let release: () => void = () => undefined;
  const { clock, problem } = checkOf(({ signal }) => {
    signals.push(signal);
    return new Promise<void>((resolve) => {
      release = resolve;
    });
  });
  const first = problem();
  await flush();
  clock.advance(2_900);
  expect(await first).toBe('checks.etcd took longer than 2.9 s; pass its signal on to what it waits for');
  expect(signals[0]?.aborted).toBe(true);
  expect(await problem()).toBe('the check has not returned since it was asked last; pass its signal on to what it waits for');
  expect(signals).toHaveLength(1);
  release();
  await flush();
  const again = problem();
  await flush();
  release();
  expect(await again).toBeUndefined();
});

test('it counts where it is declared', () => {
  expect([checkOf(() => undefined).readiness.length, checkOf(() => undefined).liveness.length]).toEqual([1, 0]);
  const both = checkOf(() => undefined, { liveness: true });
  expect([both.readiness.length, both.liveness.length]).toEqual([1, 1]);
});

test('an answer is kept for a second and no longer, well or not', async () => {
  const run = jest.fn().mockRejectedValueOnce(new Error('no quorum')).mockResolvedValue(undefined);
  const { clock, problem } = checkOf(run);
  expect(await problem()).toBe('no quorum');
  clock.advance(999);
  expect(await problem()).toBe('no quorum');
  clock.advance(1);
  expect(await problem()).toBeUndefined();
  expect(run).toHaveBeenCalledTimes(2);
});

test('a check has the name under which it was declared', () => {
  expect(checkOf(() => undefined).readiness.map(({ name }) => name)).toEqual(['etcd']);
});

test('a text that is thrown is told as what it is', async () => {
  expect(await checkOf(jest.fn().mockRejectedValue('no quorum')).problem()).toBe(
    '"no quorum" was thrown, which is not an Error; throw an Error',
  );
});

test('checks that are declared for neither are not asked', () => {
  const { readiness, liveness } = checkOf(() => undefined, { readiness: false });
  expect([readiness, liveness]).toEqual([[], []]);
});

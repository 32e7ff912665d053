import { getEventListeners } from 'node:events';
import { beginCall } from '../../../src/runtime/outside/index.js';
import { FakeClock } from '../clock/fake-clock.js';
import { flush } from './flush.js';

test('a call that returns or fails in time leaves neither timer nor listener', async () => {
  const clock = new FakeClock();
  const { signal } = new AbortController();
  const limits = { clock, limitMs: 1_000, signal, what: 'checks.etcd' };
  const good = beginCall(() => 1, limits);
  const bad = beginCall(() => Promise.reject(new Error('down')), limits);
  expect([clock.pending, getEventListeners(signal, 'abort').length]).toEqual([2, 2]);
  expect(await good.outcome).toEqual({ ok: true, value: 1 });
  expect(await bad.outcome).toEqual({ ok: false, error: new Error('down') });
  await Promise.all([good.returned, bad.returned]);
  expect([clock.pending, getEventListeners(signal, 'abort')]).toEqual([0, []]);
});

test('a call without a limit has no timer', async () => {
  const clock = new FakeClock();
  const call = beginCall(() => 'done', { clock, signal: new AbortController().signal, what: 'tasks.reaper' });
  expect(clock.pending).toBe(0);
  expect(await call.outcome).toEqual({ ok: true, value: 'done' });
});

test('a call that is late, or ended from outside, has its outcome before its function returns', async () => {
  const clock = new FakeClock();
  const outside = new AbortController();
  const release: (() => void)[] = [];
  const signals: AbortSignal[] = [];
  const run = (signal: AbortSignal): Promise<void> => {
    signals.push(signal);
    return new Promise((resolve) => release.push(resolve));
  };
  const late = beginCall(run, { clock, limitMs: 1_500, signal: new AbortController().signal, what: 'checks.etcd' });
  const ended = beginCall(run, { clock, limitMs: 9_000, signal: outside.signal, what: 'checks.etcd' });
  outside.abort(new Error('the process ends'));
  clock.advance(1_500);
  expect(await late.outcome).toMatchObject({
    ok: false,
    error: { code: 'KEELSON_OUTSIDE_TIMEOUT', message: 'checks.etcd took longer than 1.5 s; pass its signal on to what it waits for' },
  });
  expect(await ended.outcome).toEqual({ ok: false, error: new Error('the process ends') });
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  expect(clock.pending).toBe(0);
  let returned = 0;
  for (const call of [late, ended])
    void call.returned.then(() => {
      returned += 1;
    });
  await flush();
  expect(returned).toBe(0);
  for (const go of release) go();
  await Promise.all([late.returned, ended.returned]);
});

test('a call under a signal that is aborted already is not made', async () => {
  const run = jest.fn();
  const clock = new FakeClock();
  const call = beginCall(run, { clock, limitMs: 1_000, signal: AbortSignal.abort(new Error('over')), what: 'checks.etcd' });
  expect(await call.outcome).toEqual({ ok: false, error: new Error('over') });
  await call.returned;
  expect(run).not.toHaveBeenCalled();
  expect(clock.pending).toBe(0);
});

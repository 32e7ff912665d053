import { getEventListeners } from 'node:events';
import { doWork, type LeaderWork } from '../../../src/runtime/host/leader-work.js';

interface Work extends LeaderWork {
  readonly signals: AbortSignal[];
}

/** Work that goes on until its signal. */
function endless(): Work {
  const signals: AbortSignal[] = [];
  return {
    signals,
    run: (signal) => {
      signals.push(signal);
      if (signal.aborted) return Promise.resolve();
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    },
  };
}

function term() {
  const [stop, abort] = [new AbortController(), new AbortController()];
  const listeners = (): readonly number[] => [stop, abort].map(({ signal }) => getEventListeners(signal, 'abort').length);
  return { stop, abort, signals: { stop: stop.signal, abort: abort.signal, isElected: true }, listeners };
}

test.each(['stop', 'abort'] as const)('work of the leader ends with its term (%s), and no listener is left', async (which) => {
  const { signals, listeners, ...controllers } = term();
  const work = endless();
  const done = doWork([work, { run: () => Promise.resolve() }], signals);
  expect([work.signals[0]?.aborted, listeners()]).toEqual([false, [1, 1]]);
  controllers[which].abort();
  await done;
  expect(work.signals.map(({ aborted }) => aborted)).toEqual([true]);
  expect(listeners()).toEqual([0, 0]);
});

test.each(['stop', 'abort'] as const)('work of a term that is over (%s) has a signal that says so', async (which) => {
  const { signals, ...controllers } = term();
  controllers[which].abort();
  const work = endless();
  await doWork([work], signals);
  expect(String(work.signals[0]?.reason)).toBe('Error: the process ends, or leadership is over');
});

test('work that breaks ends the other works, and is thrown on', async () => {
  const { signals, listeners } = term();
  const work = endless();
  const broken = { run: () => Promise.reject(new Error('broken')) };
  await expect(doWork([work, broken], signals)).rejects.toThrow('broken');
  expect([work.signals[0]?.aborted, listeners()]).toEqual([true, [0, 0]]);
});

test('work that is done leaves the term as it was', async () => {
  const { signals, listeners } = term();
  await doWork([{ run: () => Promise.resolve() }], signals);
  await doWork([], signals);
  expect([signals.stop.aborted, signals.abort.aborted, listeners()]).toEqual([false, false, [0, 0]]);
});

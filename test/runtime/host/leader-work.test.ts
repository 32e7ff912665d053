import { getEventListeners } from 'node:events';
import { doWork, type LeaderWork, lead } from '../../../src/runtime/host/leader-work.js';
import type { Term } from '../../../src/runtime/reconcile/index.js';

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

/** Leads with controllers that work until their term ends. */
function leading(work: LeaderWork, { run }: { readonly run?: () => Promise<void> } = {}) {
  const [elected, stop, abort] = [new AbortController(), new AbortController(), new AbortController()];
  const terms: Term[] = [];
  const controllers = {
    run: (given: Term): Promise<void> => {
      terms.push(given);
      return run?.() ?? Promise.resolve();
    },
  };
  const ended = lead(elected.signal, { controllers, works: [work], stop: stop.signal, abort: abort.signal, isElected: true });
  const listeners = (): readonly number[] => [elected, stop, abort].map(({ signal }) => getEventListeners(signal, 'abort').length);
  return { elected, stop, abort, terms, ended, listeners };
}

test.each(['elected', 'abort'] as const)('controllers do not go on when their term ends (%s), and no listener is left', async (which) => {
  const { terms, ended, listeners, ...signals } = leading(endless());
  expect(terms.map(({ isElected, abort, stop }) => [isElected, abort.aborted, stop.aborted])).toEqual([[true, false, false]]);
  signals[which].abort();
  await ended;
  expect(String(terms[0]?.abort.reason)).toBe('Error: leadership is over');
  expect(listeners()).toEqual([0, 0, 0]);
});

test('the end of the process does not give up the runs of the controllers before their time', async () => {
  const drained = new AbortController();
  const work = endless();
  const { stop, terms, ended } = leading(work, {
    run: () => new Promise((resolve) => drained.signal.addEventListener('abort', () => resolve(), { once: true })),
  });
  stop.abort();
  expect([terms[0]?.stop.aborted, terms[0]?.abort.aborted, work.signals[0]?.aborted]).toEqual([true, false, true]);
  drained.abort();
  await ended;
});

test('an operator without work of its own leads until its term ends', async () => {
  const seen: string[] = [];
  const { elected, ended } = leading({ run: () => Promise.resolve() });
  void ended.then(() => seen.push('ended'));
  await new Promise(setImmediate);
  expect(seen).toEqual([]);
  elected.abort();
  await ended;
});

test('a controller that breaks ends the works of the leader, and is thrown on', async () => {
  const work = endless();
  const { ended, listeners } = leading(work, { run: () => Promise.reject(new Error('broken')) });
  await expect(ended).rejects.toThrow('broken');
  expect([work.signals[0]?.aborted, listeners()]).toEqual([true, [0, 0, 0]]);
});

test('a term that is over before it begins does not keep the process', async () => {
  const controllers = { run: () => Promise.resolve() };
  const { signal } = new AbortController();
  await lead(AbortSignal.abort(), { controllers, works: [], stop: signal, abort: signal, isElected: true });
  await lead(signal, { controllers, works: [], stop: AbortSignal.abort(), abort: signal, isElected: true });
});

import { getEventListeners } from 'node:events';
import { Supervisor } from '../../../src/runtime/outside/index.js';
import { FakeClock } from '../clock/fake-clock.js';
import { flush } from './flush.js';
import { keptLog } from './kept-log.js';

function scene(start: (context: { readonly signal: AbortSignal }, clock: FakeClock) => unknown) {
  const clock = new FakeClock();
  const { log, at } = keptLog();
  const failures: string[] = [];
  const supervisor = new Supervisor({
    source: { name: 'alarms', start: (context) => start(context as { readonly signal: AbortSignal }, clock) },
    clock,
    random: () => 0.5,
    log,
    contextOf: (signal) => ({ signal }),
    observer: { subscriptionFailed: (source) => void failures.push(source) },
  });
  const end = new AbortController();
  const pass = async (ms: number): Promise<void> => {
    await flush();
    clock.advance(ms);
    await flush();
  };
  /** Passes in small steps, so that each start has its own time. */
  const passSlowly = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 100) await pass(100);
  };
  return { clock, supervisor, end, pass, passSlowly, failures, logged: at, running: supervisor.run(end.signal) };
}

test.each<[string, () => unknown]>([
  [
    'throws',
    () => {
      throw new Error('refused');
    },
  ],
  ['rejects', () => Promise.reject(new Error('refused'))],
  ['ends by itself', () => Promise.resolve()],
])('a subscription that %s begins again, after pauses that grow', async (_, start) => {
  const starts: number[] = [];
  const { passSlowly, failures, end, running, supervisor, clock } = scene((_context, ownClock) => {
    starts.push(ownClock.monotonicMs());
    return start();
  });
  await passSlowly(8_000);
  expect(starts).toEqual([0, 1_100, 3_200, 7_300]);
  expect(supervisor.error).toBeInstanceOf(Error);
  expect(failures).toEqual(['alarms', 'alarms', 'alarms', 'alarms']);
  end.abort();
  await running;
  expect(clock.pending).toBe(0);
  expect(supervisor.error).toBeUndefined();
});

test('an error is over after a minute without another one, and the pauses begin anew', async () => {
  let starts = 0;
  let reject: (error: Error) => void = () => undefined;
  const { supervisor, pass, logged, end, running } = scene(() => {
    starts += 1;
    if (starts === 1) throw new Error('refused');
    return new Promise((_, fail) => {
      reject = fail;
    });
  });
  await pass(1_100);
  expect([starts, supervisor.error?.message]).toEqual([2, 'refused']);
  await pass(60_000);
  expect(supervisor.error).toBeUndefined();
  expect(logged('info')).toEqual(['observes.alarms holds again']);
  reject(new Error('cut'));
  await pass(1_100);
  expect(starts).toBe(3);
  expect(logged('warn')).toHaveLength(2);
  end.abort();
  reject(new Error('over'));
  await running;
});

test('a subscription that ends soon has pauses that grow, however long it held before', async () => {
  const starts: number[] = [];
  let reject: (error: Error) => void = () => undefined;
  const { pass, passSlowly, end, running } = scene((_, clock) => {
    starts.push(clock.monotonicMs());
    if (starts.length > 1) throw new Error('refused');
    return new Promise((_, fail) => {
      reject = fail;
    });
  });
  await pass(59_999);
  await pass(1);
  reject(new Error('cut'));
  await passSlowly(8_000);
  expect(starts).toEqual([0, 61_100, 63_200, 67_300]);
  end.abort();
  await running;
});

test('the pauses grow to five minutes and no further', async () => {
  const starts: number[] = [];
  const { passSlowly, end, running } = scene((_, clock) => {
    starts.push(clock.monotonicMs());
    throw new Error('refused');
  });
  await passSlowly(600_000);
  const pauses = starts.slice(1).map((at, index) => at - (starts[index] ?? 0));
  expect(pauses).toEqual([1_100, 2_100, 4_100, 8_100, 16_100, 32_100, 64_100, 128_100, 150_100, 150_100]);
  end.abort();
  await running;
});

test('a subscription that has held for less than a minute has not held', async () => {
  let reject: (error: Error) => void = () => undefined;
  const { supervisor, pass, logged, end, running } = scene(
    () =>
      new Promise((_, fail) => {
        reject = fail;
      }),
  );
  await pass(0);
  reject(new Error('cut'));
  await pass(1_100);
  await pass(59_999);
  expect([supervisor.error?.message, logged('info')]).toEqual(['cut', []]);
  await pass(1);
  expect([supervisor.error, logged('info')]).toEqual([undefined, ['observes.alarms holds again']]);
  end.abort();
  reject(new Error('over'));
  await running;
});

test('a subscription that holds from the beginning is not worth a line', async () => {
  const { pass, logged, end, running } = scene(() => undefined);
  await pass(600_000);
  end.abort();
  await running;
  expect(logged('debug', 'info', 'warn', 'error')).toEqual([]);
});

test('an error that stays the same is a warning once; another one is a warning again', async () => {
  const errors = ['refused', 'refused', 'refused', 'unknown host', 'unknown host'];
  const { pass, logged, supervisor, end, running } = scene(() => {
    throw new Error(errors.shift() ?? 'over');
  });
  await pass(0);
  for (const ms of [1_100, 2_100, 4_100, 8_100]) await pass(ms);
  expect(supervisor.error?.message).toBe('unknown host');
  const line = 'observes.alarms ended and begins again';
  expect([logged('warn'), logged('debug')]).toEqual([
    [line, line],
    [line, line, line],
  ]);
  end.abort();
  await running;
});

test('what ends by itself says so', async () => {
  const { pass, supervisor, end, running } = scene(() => Promise.resolve());
  await pass(0);
  expect(supervisor.error?.message).toBe('it ended by itself');
  end.abort();
  await running;
});

test('the signal of a start that failed is aborted, so that its remains push nothing, and that of the next one is not', async () => {
  const signals: AbortSignal[] = [];
  const { pass, end, running } = scene(({ signal }) => {
    signals.push(signal);
    if (signals.length === 1) throw new Error('refused');
  });
  await pass(1_100);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  expect(signals[0]?.reason).toEqual(new Error('the subscription has ended'));
  end.abort(new Error('the term is over'));
  await running;
  expect(signals[1]?.reason).toEqual(new Error('the term is over'));
  expect(getEventListeners(end.signal, 'abort')).toEqual([]);
});

test('a function that ends a subscription and fails holds up nothing', async () => {
  const { pass, end, running, failures } = scene(() => () => Promise.reject(new Error('stuck')));
  await pass(0);
  end.abort();
  await running;
  expect(failures).toEqual([]);
});

test('nothing is started in a term that is over', async () => {
  const start = jest.fn();
  const { supervisor, end, running } = scene(() => undefined);
  end.abort();
  await running;
  const clock = new FakeClock();
  const late = new Supervisor({
    source: { name: 'alarms', start },
    clock,
    random: () => 0.5,
    log: keptLog().log,
    contextOf: (signal) => ({ signal }),
  });
  await late.run(end.signal);
  expect([start.mock.calls, supervisor.error, clock.pending]).toEqual([[], undefined, 0]);
});

test('what returns a function, or nothing, holds until the end, and the function is called then', async () => {
  const stop = jest.fn();
  const first = scene(() => stop);
  const second = scene(() => undefined);
  const third = scene(() => Promise.resolve(stop));
  const fourth = scene(() => null);
  for (const { pass, failures, end, running } of [first, second, third, fourth]) {
    await pass(600_000);
    expect(failures).toEqual([]);
    end.abort();
    await running;
  }
  expect(stop).toHaveBeenCalledTimes(2);
});

test('it runs once at a time: the end of a term waits for what does not listen to its signal', async () => {
  let release: () => void = () => undefined;
  const { end, running, pass } = scene(
    () =>
      new Promise<void>((resolve) => {
        release = resolve;
      }),
  );
  await pass(0);
  let hasEnded = false;
  void running.then(() => {
    hasEnded = true;
  });
  end.abort();
  await flush();
  expect(hasEnded).toBe(false);
  release();
  await running;
});

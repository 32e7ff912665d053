import { Supervisor } from '../../../src/runtime/outside/index.js';
import { FakeClock } from '../clock/fake-clock.js';
import { flush } from './flush.js';
import { keptLog } from './kept-log.js';

function scene(start: (context: { readonly signal: AbortSignal }) => unknown) {
  const clock = new FakeClock();
  const { log, at } = keptLog();
  const failures: string[] = [];
  const supervisor = new Supervisor({
    source: { name: 'alarms', start: start as (context: object) => unknown },
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
  return { clock, supervisor, end, pass, failures, logged: at, running: supervisor.run(end.signal) };
}

test('a subscription that throws, rejects or ends by itself begins again, after pauses that grow', async () => {
  const starts: number[] = [];
  const scenes = [
    () => {
      throw new Error('refused');
    },
    () => Promise.reject(new Error('refused')),
    () => Promise.resolve(),
  ].map((start) => {
    const made = scene(() => {
      starts.push(made.clock.monotonicMs());
      return start();
    });
    return made;
  });
  for (const { pass, failures, end, running, supervisor, clock } of scenes) {
    starts.splice(0);
    await pass(0);
    for (const ms of [1_100, 2_100, 4_100]) await pass(ms);
    expect(starts.slice(-3)).toEqual([1_100, 3_200, 7_300]);
    expect(supervisor.error).toBeInstanceOf(Error);
    expect(failures.length).toBeGreaterThanOrEqual(4);
    end.abort();
    await running;
    expect(clock.pending).toBe(0);
    expect(supervisor.error).toBeUndefined();
  }
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

test('what returns a function, or nothing, holds until the end, and the function is called then', async () => {
  const stop = jest.fn();
  const first = scene(() => stop);
  const second = scene(() => undefined);
  const third = scene(() => Promise.resolve(stop));
  for (const { pass, failures, end, running } of [first, second, third]) {
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

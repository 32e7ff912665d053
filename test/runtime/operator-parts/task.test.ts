import type { TaskModel } from '../../../src/keelson/definition/index.js';
import { Task } from '../../../src/runtime/operator-parts/index.js';
import { FakeClock } from '../clock/fake-clock.js';
import { flush } from '../outside/flush.js';
import { keptLog } from '../outside/kept-log.js';

function scene(task: Partial<TaskModel> & Pick<TaskModel, 'run'>, random = (): number => 0.5) {
  const clock = new FakeClock();
  const { log, at } = keptLog();
  const ran: string[] = [];
  const end = new AbortController();
  const running = new Task({
    task: { name: 'reaper', on: 'leader', ...task },
    clock,
    log,
    random,
    contextOf: (signal) => ({ signal }),
    observer: { ran: (_, result, seconds) => void ran.push(`${result} ${seconds}`) },
  }).run(end.signal);
  const pass = async (ms: number): Promise<void> => {
    await flush();
    clock.advance(ms);
    await flush();
  };
  return { clock, end, running, pass, ran, logged: at };
}

test('a task runs at once, and again an interval after its end', async () => {
  const run = jest.fn();
  const { pass, end, running, clock } = scene({ everyMs: 3_600_000, timeLimitMs: 300_000, run });
  await pass(3_599_999);
  expect(run).toHaveBeenCalledTimes(1);
  await pass(1);
  expect(run).toHaveBeenCalledTimes(2);
  end.abort();
  await running;
  expect(clock.pending).toBe(0);
});

test('a task without an interval runs once; after an error again, with growing pauses, and the error is logged once', async () => {
  const run = jest.fn();
  const { pass, running, ran, logged } = scene({ run });
  run.mockRejectedValueOnce(new Error('down')).mockRejectedValueOnce(new Error('down')).mockResolvedValueOnce(undefined);
  await flush();
  expect(run).toHaveBeenCalledTimes(1);
  await running;
  expect([ran, logged('error')]).toEqual([['ok 0'], []]);

  const failing = jest
    .fn()
    .mockRejectedValueOnce(new Error('down'))
    .mockRejectedValueOnce(new Error('down'))
    .mockResolvedValueOnce(undefined);
  const second = scene({ run: failing });
  await second.pass(1_000);
  await second.pass(2_000);
  await second.running;
  expect(failing).toHaveBeenCalledTimes(3);
  expect([second.ran, second.logged('error'), second.logged('info')]).toEqual([
    ['error 0', 'error 0', 'ok 0'],
    ['a task failed'],
    ['a task works again'],
  ]);
  await pass(0);
});

test('runs never overlap: one that takes too long is aborted, and the next one waits until it has returned', async () => {
  const signals: AbortSignal[] = [];
  let release: () => void = () => undefined;
  const { pass, ran, end, running } = scene({
    everyMs: 1_000,
    timeLimitMs: 5_000,
    run: ((context: { signal: AbortSignal }) => {
      signals.push(context.signal);
      return new Promise<void>((resolve) => {
        release = resolve;
      });
    }) as TaskModel['run'],
  });
  await pass(5_000);
  expect([signals[0]?.aborted, ran]).toEqual([true, ['error 5']]);
  await pass(60_000);
  expect(signals).toHaveLength(1);
  release();
  await pass(1_000);
  expect(signals).toHaveLength(2);
  end.abort();
  release();
  await running;
  expect(ran).toHaveLength(1);
});

test('the interval is up to a tenth longer or shorter, so that replicas do not come together for ever', async () => {
  const draws = [0, 1];
  const times: number[] = [];
  const made = scene(
    {
      everyMs: 10_000,
      run: () => {
        times.push(times.length);
      },
    },
    () => draws.shift() ?? 0.5,
  );
  await made.pass(8_999);
  expect(times).toHaveLength(1);
  await made.pass(1);
  expect(times).toHaveLength(2);
  await made.pass(10_999);
  expect(times).toHaveLength(2);
  await made.pass(1);
  expect(times).toHaveLength(3);
  made.end.abort();
  await made.running;
});

test('pauses after errors grow to the interval and no further, and begin anew once a run has worked', async () => {
  const failsAt = new Set([1, 2, 3, 4, 6]);
  let runs = 0;
  const made = scene({
    everyMs: 3_000,
    run: () => {
      runs += 1;
      if (failsAt.has(runs)) throw new Error('down');
    },
  });
  await made.pass(0);
  for (const [index, ms] of [1_000, 2_000, 3_000, 3_000, 3_000, 1_000].entries()) {
    await made.pass(ms - 1);
    expect(runs).toBe(index + 1);
    await made.pass(1);
    expect(runs).toBe(index + 2);
  }
  made.end.abort();
  await made.running;
});

test('another error is an error again, and the same one is not', async () => {
  const errors = ['down', 'down', 'full', 'full'];
  const made = scene({
    everyMs: 1_000,
    run: () => {
      const error = errors.shift();
      if (error !== undefined) throw new Error(error);
    },
  });
  for (let turn = 0; turn < 5; turn += 1) await made.pass(1_000);
  expect([made.logged('error').length, made.logged('debug').length, made.logged('info')]).toEqual([2, 2, ['a task works again']]);
  made.end.abort();
  await made.running;
});

test('a run that the end breaks off has not failed, and is not followed by another one', async () => {
  const run = jest.fn(
    ({ signal }: { signal: AbortSignal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('broken off')))),
  );
  const { end, running, ran, logged, clock } = scene({ everyMs: 1_000, run: run as unknown as TaskModel['run'] });
  await flush();
  end.abort(new Error('the process ends'));
  await running;
  expect([run.mock.calls.length, ran, logged('error', 'debug', 'info'), clock.pending]).toEqual([1, [], [], 0]);
});

test('the time that a run took is counted', async () => {
  let release: () => void = () => undefined;
  const { pass, running, ran } = scene({
    run: () =>
      new Promise<void>((resolve) => {
        release = resolve;
      }),
  });
  await pass(1_000);
  await pass(2_500);
  release();
  await running;
  expect(ran).toEqual(['ok 3.5']);
});

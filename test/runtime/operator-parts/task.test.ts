import type { TaskModel } from '../../../src/definition/index.js';
import { Task } from '../../../src/runtime/operator-parts/index.js';
import { FakeClock } from '../clock/fake-clock.js';
import { flush } from '../outside/flush.js';
import { keptLog } from '../outside/kept-log.js';

function scene(task: Partial<TaskModel> & Pick<TaskModel, 'run'>) {
  const clock = new FakeClock();
  const { log, at } = keptLog();
  const ran: string[] = [];
  const end = new AbortController();
  const running = new Task({
    task: { name: 'reaper', on: 'leader', ...task },
    clock,
    log,
    random: () => 0.5,
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

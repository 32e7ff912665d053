import type { StoredObject } from '../../../src/runtime/cache/index.js';
import { ServiceUnavailableError } from '../../../src/runtime/client/index.js';
import { TakeoverPass } from '../../../src/runtime/takeover/index.js';
import { FakeClock } from '../clock/fake-clock.js';
import { MemoryLog } from '../harness/running-controller.js';
import { objectNamed } from '../reconcile/runner/parts.js';
import { Widget } from '../reconcile/widget.js';

function scene(names: readonly string[], failures = 0) {
  const clock = new FakeClock();
  const log = new MemoryLog();
  const taken: string[] = [];
  let asked = 0;
  const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', message: 'busy', code: 503 } as const;
  const client = {
    async *pages() {
      asked += 1;
      if (asked <= failures) throw new ServiceUnavailableError({ request: 'GET', status, httpStatus: 503 });
      yield { items: names.map((name) => objectNamed(name)) };
    },
  };
  const formers = {
    isDue: (_: unknown, { metadata }: StoredObject) => !metadata.name.startsWith('settled') && !taken.includes(metadata.name),
    takeStatus: (_: unknown, { metadata }: StoredObject) => {
      taken.push(metadata.name);
      return Promise.resolve();
    },
  };
  const pass = new TakeoverPass({
    client: client as never,
    clock,
    log,
    random: () => 1,
    kind: Widget,
    formers,
    isMine: ({ metadata }) => !metadata.name.startsWith('other'),
    holds: ({ metadata }) => metadata.name.startsWith('paused'),
  });
  /** Moves the time on as often as the pass waits for it. */
  const run = async (): Promise<void> => {
    let isOver = false;
    const ended = pass.run(new AbortController().signal).then(() => {
      isOver = true;
    });
    while (!isOver) {
      await new Promise((resolve) => setImmediate(resolve));
      clock.advance(60_000);
    }
    await ended;
  };
  return { pass, taken, log, run, asked: () => asked };
}

test('statuses under a former name are taken over, and those of other instances and of settled objects are left alone', async () => {
  const { pass, taken, run } = scene(['a', 'settled', 'other', 'b']);
  await run();
  expect([taken, pass.isDone]).toEqual([['a', 'b'], true]);
});

test('a paused object is left, and the next term looks again', async () => {
  const { pass, taken, log, run } = scene(['a', 'paused']);
  await run();
  expect([taken, pass.isDone]).toEqual([['a'], false]);
  expect(log.texts).toEqual(['info statuses of paused objects are not taken over; a later start will do it']);
});

test('a server that cannot answer is asked again, and the failure is told once', async () => {
  const { pass, taken, log, run, asked } = scene(['a'], 3);
  await run();
  expect([taken, pass.isDone, asked()]).toEqual([['a'], true, 4]);
  expect(log.texts.filter((text) => text.startsWith('warn'))).toHaveLength(1);
});

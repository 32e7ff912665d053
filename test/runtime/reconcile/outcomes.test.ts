import { FakeClock, mergePatch } from '@keelson/testing';
import { type Done, defineController, defineOperator, merge, RetryLater, TerminalError } from 'keelson';
import { RunningController, type StartOptions } from '../harness/running-controller.js';
import { type Behaviour, Widget, type WidgetContext, widgetOperator } from './widget.js';

const widget = (name: string, size = 1) => Widget({ metadata: { name }, spec: { size } });
let running: RunningController;
afterEach(() => running?.close());

const start = async (behaviour: Behaviour, options: StartOptions = {}): Promise<RunningController> => {
  running = await RunningController.start(widgetOperator(behaviour), options);
  return running;
};
/** Ends when the test says so. */
function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
const conditionOf = async (type: string): Promise<string | undefined> => {
  const { status } = await running.cluster.get(Widget, 'a');
  const found = status?.conditions?.find((condition) => condition.type === type);
  return found === undefined ? undefined : `${found.status} ${found.reason}: ${found.message}`;
};

describe('status and error', () => {
  test('retry: the status is told beside the error, which is tried again; then both are well', async () => {
    let fails = true;
    const { cluster } = await start({
      reconcile: ({ object, done }) =>
        fails
          ? done({
              status: { size: 40 + object.spec.size },
              conditions: [{ type: 'Reached', status: false, reason: 'No' }],
              retry: new Error('it is away'),
            })
          : done({ status: { size: 1 } }),
    });
    await cluster.create(widget('a'));
    await cluster.until(Widget, 'a', ({ status }) => status?.size === 41);
    expect(await conditionOf('Ready')).toBe('False ReconcileFailed: it is away');
    expect(await conditionOf('Reached')).toBe('False No: ');
    // It is logged when the status has been written: the answer comes after what the watch shows.
    await cluster.until(() => expect(running.log.texts).toContain('error reconciling failed'));
    fails = false;
    await cluster.until(Widget, 'a', ({ status }) => status?.size === 1);
    await cluster.until(Widget, 'a', ({ status }) =>
      (status?.conditions ?? []).some(({ type, status: is }) => type === 'Ready' && is === 'True'),
    );
  });

  test('a Ready of the controller stays through four failed runs, and says the error of the fifth', async () => {
    let failed = 0;
    let isFailing = false;
    const { cluster } = await start({
      reconcile: ({ done }) => {
        if (!isFailing) return done({ conditions: [{ type: 'Ready', status: true, reason: 'Up' }], requeueAfter: '100ms' });
        failed += 1;
        throw new Error(`it is away for the time ${failed}`);
      },
    });
    await cluster.create(widget('a'));
    await cluster.until(async () => expect(await conditionOf('Ready')).toBe('True Up: '));
    isFailing = true;
    await cluster.until(async () => expect(await conditionOf('Ready')).toMatch(/^False ReconcileFailed: it is away/));
    expect(failed).toBeGreaterThanOrEqual(5);
    const { status } = await cluster.get(Widget, 'a');
    const ready = status?.conditions?.find(({ type }) => type === 'Ready');
    const reconciling = status?.conditions?.find(({ type }) => type === 'Reconciling');
    expect(reconciling).toMatchObject({ status: 'True', reason: 'ReconcileFailed', message: ready?.message });
  });

  test('ignored: neither status nor conditions are written, whatever another controller said there', async () => {
    let ignored = true;
    const { cluster } = await start({ reconcile: ({ done }) => (ignored ? done({ ignored }) : done({ status: { size: 1 } })) });
    await cluster.create(widget('a'));
    await running.settled();
    expect((await cluster.get(Widget, 'a')).status).toBeUndefined();
    const theirs = {
      size: 7,
      conditions: [{ type: 'Ready', status: 'False', reason: 'Theirs', message: '', lastTransitionTime: '2030-01-01T00:00:00Z' }],
    };
    await cluster.patchStatus(Widget, 'a', theirs as never);
    await cluster.patch(Widget, 'a', mergePatch({ spec: { size: 3 } }));
    await running.settled();
    expect((await cluster.get(Widget, 'a')).status).toMatchObject(theirs);
    ignored = false;
    await cluster.patch(Widget, 'a', mergePatch({ spec: { size: 4 } }));
    await cluster.until(Widget, 'a', { status: { size: 1 } });
  });

  test('ignored beside anything else says so', async () => {
    const { cluster } = await start({ reconcile: ({ done }) => done({ ignored: true, status: { size: 1 } }) });
    await cluster.create(widget('a'));
    await cluster.until(async () => (await conditionOf('Reconciling'))?.includes('done({ ignored, status })') === true);
  });

  test('retry takes TerminalError and RetryLater as if they were thrown', async () => {
    const { cluster } = await start({
      reconcile: ({ object, done }) =>
        done({ status: { size: 7 }, retry: object.spec.size === 1 ? new TerminalError('never') : new RetryLater('1h', 'not yet') }),
    });
    await cluster.create(widget('a'));
    await cluster.until(Widget, 'a', ({ status }) => (status?.conditions ?? []).some(({ type }) => type === 'Stalled'));
    expect((await cluster.get(Widget, 'a')).status?.size).toBe(7);
    await cluster.patch(Widget, 'a', mergePatch({ spec: { size: 2 } }));
    await cluster.until(Widget, 'a', ({ status }) => (status?.conditions ?? []).some(({ reason }) => reason === 'Waiting'));
  });

  test('a whole status removes what it does not name any more', async () => {
    const { cluster } = await start({ reconcile: ({ object, done }) => done({ status: object.spec.size > 1 ? {} : { size: 1 } }) });
    await cluster.create(widget('a'));
    await cluster.until(Widget, 'a', ({ status }) => status?.size === 1);
    await cluster.patch(Widget, 'a', mergePatch({ spec: { size: 2 } }));
    await cluster.until(Widget, 'a', ({ status }) => status?.size === undefined);
  });

  test('finalize tells a status without conditions', async () => {
    let isHeld = true;
    const { cluster } = await start({
      reconcile: ({ done }) => done({ status: { size: 1 } }),
      finalize: ({ done }) => (isHeld ? done({ status: { size: 7 }, requeueAfter: '1h' }) : done()),
    });
    await cluster.create(widget('a'));
    await cluster.until(Widget, 'a', ({ status }) => status?.size === 1);
    await cluster.delete(Widget, 'a');
    await cluster.until(Widget, 'a', ({ status }) => status?.size === 7);
    isHeld = false;
    await cluster.patch(Widget, 'a', mergePatch({ metadata: { labels: { go: 'on' } } }));
    await cluster.until(async () => expect(await cluster.find(Widget, 'a')).toBeUndefined());
  });

  test('merge keeps what it does not name, and removes what is undefined', async () => {
    const { cluster } = await start({
      reconcile: ({ object, done }) =>
        object.spec.size === 1
          ? done({ status: { size: 5 }, conditions: [{ type: 'Kept', status: true, reason: 'Said' }] })
          : done({ status: object.spec.size === 2 ? merge({}) : merge({ size: undefined }) }),
    });
    await cluster.create(widget('a'));
    await cluster.until(Widget, 'a', ({ status }) => status?.size === 5);
    await cluster.patch(Widget, 'a', mergePatch({ spec: { size: 2 } }));
    await running.settled();
    expect((await cluster.get(Widget, 'a')).status?.size).toBe(5);
    await cluster.patch(Widget, 'a', mergePatch({ spec: { size: 3 } }));
    await cluster.until(Widget, 'a', ({ status }) => status !== undefined && status.size === undefined);
    expect(await conditionOf('Kept')).toBe('True Said: ');
  });

  test('status.write is seen amid the run, at most once a second; the last word is written with the outcome', async () => {
    const clock = new FakeClock();
    const [asked, held] = [gate(), gate()];
    const { cluster } = await start(
      {
        async reconcile({ status, done }) {
          await status.write({ size: 1 });
          await status.write({ size: 2 });
          await status.write({ size: 3 });
          asked.open();
          await held.opened;
          return done();
        },
      },
      { clock },
    );
    await cluster.create(widget('a'));
    await cluster.until(Widget, 'a', ({ status }) => status?.size === 1);
    // The first write is seen by others before the run has its answer.
    await asked.opened;
    clock.advance('1s');
    await cluster.until(Widget, 'a', ({ status }) => status?.size === 3);
    const writes = cluster.requests.filter({ verb: 'patch', subresource: 'status' } as never).all.length;
    expect(writes).toBe(2);
    held.open();
    await running.settled();
    expect((await cluster.get(Widget, 'a')).status?.size).toBe(3);
  });
});

describe('runs that do not end as they should', () => {
  test('the key stays taken until the function has returned, its handles refuse, and it is known by name', async () => {
    const clock = new FakeClock();
    const held = gate();
    const order: string[] = [];
    const late: string[] = [];
    const { cluster } = await start(
      {
        async reconcile({ object, pods, done }) {
          order.push(`begin ${object.metadata.name}`);
          if (object.metadata.name === 'a' && order.length === 1) {
            await held.opened;
            await pods.delete('x').catch((error: unknown) => late.push(String(error)));
            order.push('end a');
          }
          return done();
        },
      },
      { clock, timeLimitMs: 60_000 },
    );
    await cluster.create(widget('a'));
    await cluster.until(() => order.length === 1);
    clock.advance('61s');
    await cluster.until(Widget, 'a', ({ status }) =>
      (status?.conditions ?? []).some(({ message }) => message.includes('it took longer than 60 s')),
    );
    await cluster.until(() => running.runner.unreturned.length === 1);
    expect(running.runner.unreturned).toMatchObject([{ object: 'shop/a' }]);
    await cluster.patch(Widget, 'a', mergePatch({ spec: { size: 2 } }));
    clock.advance('1m');
    await cluster.create(widget('b'));
    await cluster.until(() => order.includes('begin b'));
    expect(order).toEqual(['begin a', 'begin b']);
    held.open();
    await cluster.until(() => order.includes('end a'));
    clock.advance('10s');
    await cluster.until(() => order.length >= 4);
    expect(order.slice(0, 4)).toEqual(['begin a', 'begin b', 'end a', 'begin a']);
    expect(late).toEqual([expect.stringContaining('it took longer than 60 s')]);
    expect(running.runner.unreturned).toEqual([]);
  });

  test('a forgotten await: the run waits for its calls, and fails with the name of the one that failed', async () => {
    const { cluster } = await start({
      reconcile: ({ object, pods, done }) => {
        void pods.create({
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: `${object.metadata.name}-pod` },
          spec: { containers: object.spec.size === 1 ? [{ name: 'a', image: 'a' }] : [] },
        });
        return done();
      },
    });
    await cluster.create(widget('good'));
    await running.settled();
    expect(running.log.texts).toContain('warn the run waited for calls that it had not awaited; write await pods.create(...)');
    await cluster.create(widget('a', 2));
    await cluster.until(Widget, 'a', ({ status }) =>
      (status?.conditions ?? []).some(
        ({ message }) =>
          message.includes('pods.create(...) was not awaited, and failed') && message.includes('write await pods.create(...)'),
      ),
    );
  });

  test("abortOn: ['spec']: a run ends when the spec changes, and the next one sees the new spec", async () => {
    const seen: string[] = [];
    const controller = defineController({
      name: 'widget',
      for: Widget,
      abortOn: ['spec', 'deletion'],
      async reconcile({ object, signal, done }) {
        seen.push(`begin ${object.spec.size}`);
        if (object.spec.size !== 2) {
          await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
          seen.push(`aborted ${object.spec.size}: ${String((signal.reason as Error).message)}`);
        }
        return done({ status: { size: object.spec.size } });
      },
    });
    running = await RunningController.start(defineOperator({ name: 'widget-operator', controllers: [controller] }));
    const { cluster } = running;
    await cluster.create(widget('a'));
    await cluster.until(() => seen.length === 1);
    await cluster.patch(Widget, 'a', mergePatch({ metadata: { labels: { other: 'label' } } }));
    await cluster.patch(Widget, 'a', mergePatch({ spec: { size: 2 } }));
    await cluster.until(Widget, 'a', ({ status }) => status?.size === 2);
    expect(seen).toEqual(['begin 1', 'aborted 1: the spec of the object has changed', 'begin 2']);
    expect(running.log.texts.filter((text) => text.startsWith('error'))).toEqual([]);
    await cluster.patch(Widget, 'a', mergePatch({ spec: { size: 3 } }));
    await cluster.until(() => seen.includes('begin 3'));
    await cluster.delete(Widget, 'a');
    await cluster.until(() => seen.includes('aborted 3: the object is being deleted'));
  });
});

describe('how often', () => {
  test.each<[string, (context: WidgetContext) => Done, string]>([
    ['no time at all', ({ done }) => done({ requeueAfter: '0s' }), 'done({ requeueAfter }): "0s" is not at least 100 ms'],
    [
      'a time that is not a date',
      ({ done }) => done({ requeueAt: '2030-01-01' as never }),
      'done({ requeueAt }): "2030-01-01" is not a Date with a valid time',
    ],
    [
      'a date without a time',
      ({ done }) => done({ requeueAt: new Date('no') }),
      'done({ requeueAt }): null is not a Date with a valid time',
    ],
    [
      'a time beside a span',
      ({ done, now }) => done({ requeueAt: now(), requeueAfter: '1m' }),
      'done({ requeueAt, requeueAfter }): both say when the next run is; leave one of the two out',
    ],
    ['milliseconds that are too few', ({ done }) => done({ requeueAfter: 99 }), 'done({ requeueAfter }): 99 is not at least 100 ms'],
  ])('%s is refused', async (_, reconcile, message) => {
    const { cluster } = await start({ reconcile });
    await cluster.create(widget('a'));
    await cluster.until(Widget, 'a', ({ status }) => (status?.conditions ?? []).some((condition) => condition.message.includes(message)));
  });

  test('runs that change nothing and ask to come at once are slowed, with a word in the log', async () => {
    const clock = new FakeClock();
    let runs = 0;
    const { cluster } = await start(
      {
        reconcile: ({ done }) => {
          runs += 1;
          return done({ requeueAfter: 100 });
        },
      },
      { clock, cluster: { clock } },
    );
    await cluster.create(widget('a'));
    await running.settled();
    for (let step = 0; step < 100; step += 1) {
      clock.advance('100ms');
      await running.settled();
    }
    // Ten seconds: thirty at their own speed, then one each second.
    expect(runs).toBeGreaterThan(30);
    expect(runs).toBeLessThan(42);
    expect(running.log.texts.filter((text) => text.includes('run more than 30 times within a minute at its own request'))).toHaveLength(1);
  });

  test.each([
    [undefined, 63_000],
    [0.5, 75_000],
    [0, 60_000],
  ])('requeueAfter is longer by a share that is drawn: with a jitter of %s a minute is %d ms', async (requeueJitter, dueMs) => {
    const clock = new FakeClock();
    let runs = 0;
    const { cluster } = await start(
      {
        reconcile: ({ done }) => {
          runs += 1;
          return done({ requeueAfter: 60_000 });
        },
      },
      { clock, cluster: { clock }, random: () => 0.5, requeueJitter },
    );
    await cluster.create(widget('a'));
    await running.settled();
    clock.advance(dueMs - 1);
    await running.settled();
    expect(runs).toBe(1);
    clock.advance(1);
    await running.settled();
    expect(runs).toBe(2);
  });

  test('requeueAt is that time to the millisecond, whatever share is drawn', async () => {
    const clock = new FakeClock('2030-01-01T00:00:10Z');
    const runs: string[] = [];
    const nextMinute = (time: Date): Date => new Date(Math.floor(time.getTime() / 60_000 + 1) * 60_000);
    const { cluster } = await start(
      {
        reconcile: ({ now, done }) => {
          runs.push(now().toISOString());
          return done({ requeueAt: nextMinute(now()) });
        },
      },
      { clock, cluster: { clock }, random: () => 0.9, requeueJitter: 0.1 },
    );
    await cluster.create(widget('a'));
    await running.settled();
    for (const span of [49_999, 1, 60_000]) {
      clock.advance(span);
      await running.settled();
    }
    expect(runs).toEqual(['2030-01-01T00:00:10.000Z', '2030-01-01T00:01:00.000Z', '2030-01-01T00:02:00.000Z']);
  });

  test('requeueAt a time that is over runs again at once, and is slowed when it goes on so', async () => {
    const clock = new FakeClock();
    let runs = 0;
    const { cluster } = await start(
      {
        reconcile: ({ now, done }) => {
          runs += 1;
          return done({ requeueAt: new Date(now().getTime() - 1) });
        },
      },
      { clock, cluster: { clock } },
    );
    await cluster.create(widget('a'));
    await running.settled();
    for (let step = 0; step < 50; step += 1) {
      clock.advance(1);
      await running.settled();
    }
    expect(runs).toBe(31);
    clock.advance('1s');
    await running.settled();
    expect(runs).toBe(32);
    expect(running.log.texts.filter((text) => text.includes('run more than 30 times within a minute at its own request'))).toHaveLength(1);
  });
});

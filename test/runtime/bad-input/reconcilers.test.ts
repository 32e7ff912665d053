import { FakeClock, mergePatch } from '@keelson/testing';
import { ConfigMap, Pod } from 'keelson/kinds';
import { RunningController, type StartOptions } from '../harness/running-controller.js';
import { type Behaviour, Widget, type WidgetContext, widgetOperator } from '../reconcile/widget.js';

let running: RunningController;
afterEach(() => running.close());

async function start(behaviour: Behaviour, options?: StartOptions): Promise<RunningController> {
  running = await RunningController.start(widgetOperator(behaviour), options);
  return running;
}

const widget = (name: string, spec = {}) => Widget({ metadata: { name }, spec });

/** What was told of one object at a level that people look at. */
const toldOf = (name: string): readonly unknown[] =>
  running.log.lines.filter(({ level, fields }) => /warn|error/.test(level) && fields['object'] === `shop/${name}`);

const isReady = ({ status }: Widget): boolean =>
  (status?.conditions ?? []).some(({ type, status: is }) => type === 'Ready' && is === 'True');
const isFailed = ({ status }: Widget): boolean =>
  (status?.conditions ?? []).some(({ type, status: is }) => type === 'Ready' && is === 'False');

class Unreadable extends Error {
  override get message(): string {
    throw new Error('the message cannot be read');
  }
}

const CYCLE: Record<string, unknown> = {};
CYCLE['self'] = CYCLE;

/** Throws what is not an error, as authors do. */
const throwing = (make: () => unknown) => (): never => {
  // oxlint-disable-next-line typescript/only-throw-error
  throw make();
};

/** What a reconciler does with the object `bad`, as long as the object's size is 1. */
const MISDEEDS: readonly (readonly [string, (context: WidgetContext) => unknown])[] = [
  ['throws undefined', throwing(() => undefined)],
  ['throws null', throwing(() => null)],
  ['throws a text', throwing(() => 'broken')],
  ['throws a symbol', throwing(() => Symbol('broken'))],
  ['throws an object without a prototype', throwing(() => Object.create(null))],
  ['throws an error that cannot be read', throwing(() => new Unreadable())],
  [
    'throws a revoked proxy',
    throwing(() => {
      const { proxy, revoke } = Proxy.revocable({}, {});
      revoke();
      return proxy;
    }),
  ],
  ['throws a frozen error with 10 MiB of text', throwing(() => Object.freeze(new Error('x'.repeat(10 * 1024 * 1024))))],
  [
    'throws an endless chain of causes',
    throwing(() => {
      const error = new Error('chain') as Error & { cause: unknown };
      error.cause = error;
      return error;
    }),
  ],
  [
    'calls itself without end',
    function again(): unknown {
      return [again()];
    },
  ],
  // oxlint-disable-next-line typescript/prefer-promise-reject-errors
  ['rejects with nothing', () => Promise.reject(undefined)],
  [
    'returns a thenable that throws',
    () =>
      Object.defineProperty({}, 'then', {
        value: () => {
          throw new Error('no');
        },
      }),
  ],
  [
    'returns a proxy that throws',
    () =>
      new Proxy(
        {},
        {
          get() {
            throw new Error('no');
          },
        },
      ),
  ],
  ['returns what done did not make', () => 17n],
  ['returns a cycle', () => CYCLE],
  ['returns a status with a cycle', ({ done }) => done({ status: CYCLE as never })],
  ['returns a status with a bigint', ({ done }) => done({ status: { size: 1n as never } })],
  ['returns a status that the schema refuses', ({ done }) => done({ status: { size: 'big' as never } })],
  ['returns no child', ({ done }) => done({ owned: { configs: [undefined as never] } })],
  ['returns a child that is a text', ({ done }) => done({ owned: { configs: ['child' as never] } })],
  ['returns a child without metadata', ({ done }) => done({ owned: { configs: [{ apiVersion: 'v1', kind: 'ConfigMap' } as never] } })],
  [
    'returns a child with a cycle',
    ({ done }) => done({ owned: { configs: [{ ...ConfigMap({ metadata: { name: 'c' } }), data: CYCLE } as never] } }),
  ],
  [
    'returns a child that the API server refuses',
    ({ done }) => done({ owned: { configs: [ConfigMap({ metadata: { name: 'No Name' } })] } }),
  ],
  [
    'returns a child that is too large',
    ({ done }) => done({ owned: { configs: [ConfigMap({ metadata: { name: 'c' }, data: { a: 'x'.repeat(4 * 1024 * 1024) } })] } }),
  ],
  [
    'returns a condition of 1 MiB that the API server refuses',
    ({ done }) => done({ conditions: [{ type: 'x'.repeat(1024 * 1024), status: true, reason: 'R' }] }),
  ],
  [
    'changes its object',
    ({ object, done }) => {
      (object.spec as { size: number }).size = 7;
      return done();
    },
  ],
];

test.each(MISDEEDS)(
  'a reconciler that %s: told once with object and cause, in the conditions too; others go on, and it recovers',
  async (_, misdeed) => {
    const { cluster } = await start({
      reconcile: ((context: WidgetContext) => {
        const { object, done } = context;
        if (object.metadata.name === 'bad' && object.spec.size === 1) return misdeed(context);
        return done({ status: { size: object.spec.size } });
      }) as Behaviour['reconcile'],
    });
    await cluster.create(widget('bad'));
    await cluster.until(Widget, 'bad', isFailed);
    await cluster.create(widget('good'));
    await cluster.until(Widget, 'good', isReady);
    // A second try has been made by now, without another word.
    await cluster.until(() => expect(running.log.lines.some(({ message }) => message === 'reconciling failed again')).toBe(true));
    expect(toldOf('bad')).toHaveLength(1);
    expect(toldOf('bad')).toMatchObject([
      { level: 'error', message: 'reconciling failed', fields: { controller: 'widget', object: 'shop/bad' } },
    ]);
    expect(Object.keys((toldOf('bad')[0] as { fields: object }).fields)).toContain('error');
    const [condition] = (await cluster.get(Widget, 'bad')).status?.conditions ?? [];
    expect(condition?.message.length).toBeGreaterThan(0);
    expect(condition?.message.length).toBeLessThanOrEqual(32_768);
    await cluster.patch(Widget, 'bad', mergePatch({ spec: { size: 2 } }));
    await cluster.until(Widget, 'bad', isReady);
    expect(toldOf('good')).toEqual([]);
  },
);

test('a reconciler that hangs: given up at its time limit, told once with object and cause; others go on, and it recovers', async () => {
  const clock = new FakeClock();
  const { cluster } = await start(
    {
      // It hangs as a call does that obeys its signal; what never returns keeps its key (test/runtime/reconcile).
      reconcile: ({ object, signal, done }) =>
        object.metadata.name === 'bad' && object.spec.size === 1
          ? new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
          : done({ status: { size: object.spec.size } }),
    },
    { clock, cluster: { clock }, concurrency: 1, timeLimitMs: 60_000 },
  );
  await cluster.create(widget('bad'));
  await cluster.settled();
  await cluster.create(widget('good'));
  clock.advance('61s');
  await cluster.until(Widget, 'good', isReady);
  await cluster.until(Widget, 'bad', isFailed);
  for (let tries = 0; tries < 3; tries += 1) {
    clock.advance('5m');
    await cluster.settled();
    clock.advance('61s');
    await cluster.settled();
  }
  expect(running.log.texts.filter((text) => text === 'debug reconciling failed again').length).toBeGreaterThan(0);
  expect(toldOf('bad')).toMatchObject([{ message: 'reconciling failed', fields: { error: { message: 'it took longer than 60 s' } } }]);
  await cluster.patch(Widget, 'bad', mergePatch({ spec: { size: 2 } }));
  await running.settled();
  clock.advance('61s');
  await cluster.until(Widget, 'bad', isReady);
  expect(toldOf('good')).toEqual([]);
});

test('a reconciler that leaves timers behind: what they do later is refused, and nothing of a run is kept alive by the runtime', async () => {
  const late: (() => Promise<unknown>)[] = [];
  const { cluster } = await start({
    reconcile: ({ object, pods, done }) => {
      late.push(() =>
        pods.create(Pod({ metadata: { name: `${object.metadata.name}-late` }, spec: { containers: [{ name: 'a', image: 'a' }] } })),
      );
      return done({ status: { size: object.spec.size } });
    },
  });
  for (let index = 0; index < 50; index += 1) await cluster.create(widget(`w${index}`));
  await running.settled();
  expect(late.length).toBeGreaterThanOrEqual(50);
  const outcomes = await Promise.allSettled(late.map((call) => call()));
  expect([...new Set(outcomes.map(({ status }) => status))]).toEqual(['rejected']);
  expect(outcomes.map((outcome) => String((outcome as PromiseRejectedResult).reason))).toEqual(
    outcomes.map(() => expect.stringContaining('the run has ended')),
  );
  expect(await cluster.list(Pod)).toEqual([]);
});

import { FakeClock, type InProcessCluster, TestCluster } from '@keelson/testing';
import { ConfigMap } from 'keelson/kinds/core/v1';
import { isExpired, type WatchStream } from '../../../src/runtime/client/index.js';

const OPERATOR = { user: 'operator', groups: ['system:masters'] };

const errorOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

let cluster: InProcessCluster<FakeClock>;
beforeEach(async () => {
  cluster = await TestCluster.start({ clock: new FakeClock(), mode: 'envtest' });
});
afterEach(() => cluster?.close());

/** What a watch has brought, and how it ended. */
class Watching {
  readonly seen: string[] = [];
  end: string | undefined;

  constructor(stream: WatchStream<{ metadata: { name: string } }>) {
    void this.#follow(stream);
  }

  static async open(options: { resourceVersion?: string } = {}): Promise<Watching> {
    return new Watching(await cluster.as(OPERATOR).watch(ConfigMap, { namespace: 'default', ...options }));
  }

  async until(...seen: readonly string[]): Promise<void> {
    await cluster.until(() => expect(this.seen).toEqual(seen));
  }

  async ended(how: string): Promise<void> {
    await cluster.until(() => expect(this.end).toBe(how));
  }

  async #follow(stream: WatchStream<{ metadata: { name: string } }>): Promise<void> {
    try {
      for await (const event of stream) if (event.type !== 'BOOKMARK') this.seen.push(`${event.type} ${event.object.metadata.name}`);
      this.end = 'cleanly';
    } catch (error) {
      this.end = isExpired(error) ? 'expired' : 'broken';
    }
  }
}

const make = (name: string) => cluster.create(ConfigMap, { metadata: { name } });

test.each([
  ['drop', 'broken'],
  ['closeCleanly', 'cleanly'],
  ['expire', 'expired'],
] as const)('%s ends a watch that is open, at once, and not the next one', async (fault, end) => {
  expect(() => cluster.faults[fault]({ watch: ConfigMap })).toThrow('no watch of configmaps is open');
  const watching = await Watching.open();
  await make('a');
  await watching.until('ADDED a');
  expect(cluster.faults[fault]({ watch: ConfigMap }).strikes).toBe(1);
  await watching.ended(end);
  const next = await Watching.open();
  await next.until('ADDED a');
  expect(next.end).toBeUndefined();
});

test.each([
  ['drop', 'broken'],
  ['closeCleanly', 'cleanly'],
  ['expire', 'expired'],
] as const)('%s ends a watch to come in place of its second event', async (fault, end) => {
  cluster.faults[fault]({ watch: '*', after: 1, times: 1 });
  const watching = await Watching.open();
  await make('a');
  await make('b');
  await watching.ended(end);
  expect(watching.seen).toEqual(['ADDED a']);
});

test('a silent watch stays open and says nothing; one to come speaks', async () => {
  const watching = await Watching.open();
  cluster.faults.silence({ watch: ConfigMap });
  await make('a');
  const next = await Watching.open();
  await next.until('ADDED a');
  expect([watching.seen, watching.end]).toEqual([[], undefined]);
});

test('an event is sent twice', async () => {
  const watching = await Watching.open();
  cluster.faults.duplicate({ watch: ConfigMap, after: 1 });
  for (const name of ['a', 'b', 'c']) await make(name);
  await watching.until('ADDED a', 'ADDED b', 'ADDED b', 'ADDED c');
});

test('events that are held back wait for the clock, together', async () => {
  const watching = await Watching.open();
  cluster.faults.delay({ watch: ConfigMap, ms: 10_000 });
  for (const name of ['a', 'b', 'c']) await make(name);
  await cluster.until(() => cluster.faults.log.length === 1);
  expect(watching.seen).toEqual([]);
  cluster.clock.advance('10s');
  await watching.until('ADDED a', 'ADDED b', 'ADDED c');
  await make('d');
  await cluster.until(() => cluster.faults.log.length === 2);
  cluster.faults.clear();
  await watching.until('ADDED a', 'ADDED b', 'ADDED c', 'ADDED d');
});

test('a watch that shall be resumed is answered with 410', async () => {
  const { metadata } = await make('a');
  cluster.faults.expire({ watch: ConfigMap, as: 'status' });
  const watching = await Watching.open();
  expect(isExpired(await errorOf(Watching.open({ resourceVersion: metadata.resourceVersion })))).toBe(true);
  await watching.until('ADDED a');
});

test('a seed breaks watches at the same events in each run', async () => {
  const run = async () => {
    const order = cluster.faults.seeded(3, { rates: { duplicateEvent: 0.4 } });
    const watching = await Watching.open();
    for (let index = 0; index < 10; index++) await make(`m${index}`);
    await cluster.until(() => expect(watching.seen).toContain('ADDED m9'));
    await cluster.settled();
    order.remove();
    cluster.faults.drop({ watch: ConfigMap });
    for (let index = 0; index < 10; index++) await cluster.delete(ConfigMap, `m${index}`);
    return watching.seen.filter((event) => event.startsWith('ADDED'));
  };
  const first = await run();
  expect(first.length).toBeGreaterThan(10);
  expect(await run()).toEqual(first);
});

import type { ObjectKey } from '../../../src/kubernetes/apimachinery/index.js';
import type { CacheChange, StoredObject } from '../../../src/runtime/cache/index.js';
import { type DeclaredSource, Given, Outside, type OutsideTrigger, sumOf } from '../../../src/runtime/outside/index.js';
import { FakeClock } from '../clock/fake-clock.js';
import { flush } from './flush.js';
import { keptLog } from './kept-log.js';

const objectOf = (name: string, more: object = {}): StoredObject => ({
  apiVersion: 'v1',
  kind: 'Site',
  metadata: { name, namespace: 'default', uid: `uid-${name}`, resourceVersion: '1', generation: 1, ...more },
});

interface Context {
  readonly etcd: { members(signal: AbortSignal): Promise<string[]>; onAlarm(tell: (key: unknown) => void): () => void };
  readonly object: StoredObject;
  readonly signal: AbortSignal;
  readonly enqueue: (key: unknown) => void;
  readonly key: string;
  readonly progress: (text: string) => void;
  readonly color: string;
  readonly log: object;
  now(): Date;
}

function scene() {
  const clock = new FakeClock();
  const objects = new Map([['a', objectOf('a')]]);
  const enqueued: { readonly key: ObjectKey; readonly trigger: OutsideTrigger }[] = [];
  const etcd = { members: jest.fn(async () => ['m1']), onAlarm: jest.fn() };
  const given = new Given({
    uses: { etcd: { sort: 'external' }, color: { sort: 'settings' } },
    externals: { etcd },
    values: { color: 'blue' },
    monotonicMs: () => clock.monotonicMs(),
  });
  const work: { end: (result: unknown) => void; context?: Context } = { end: () => undefined };
  const sources: Record<string, DeclaredSource> = {
    members: { sort: 'poll', everyMs: 8_000, jitter: 0, read: (({ etcd: outside, signal }: Context) => outside.members(signal)) as never },
    alarms: { sort: 'subscription', start: (({ etcd: outside, enqueue }: Context) => outside.onAlarm(enqueue)) as never },
  };
  const outside = new Outside({
    declared: {
      uses: ['etcd', 'color'],
      observes: sources,
      background: {
        snapshot: (context: Context) =>
          new Promise((end) => {
            Object.assign(work, { end, context });
          }),
      },
    },
    given,
    scope: 'Namespaced',
    clock,
    log: keptLog().log,
    random: () => 0.5,
    newest: ({ name }) => objects.get(name),
    enqueue: (key, trigger) => void enqueued.push({ key, trigger }),
  });
  const end = new AbortController();
  const run = new AbortController();
  return { clock, objects, enqueued, etcd, outside, end, run, work, begin: () => outside.run([...objects.values()], end.signal) };
}

type Handles = {
  readonly members: { readonly value: unknown; readonly at: Date | undefined; readonly error: unknown; refresh(): Promise<unknown> };
  readonly alarms: { readonly error: unknown };
  readonly snapshot: { start(key: string): { phase: string }; state(key: string): { phase: string }; cancel(key: string): void };
  readonly etcd: Context['etcd'];
  readonly color: string;
};

test('a run waits for the first reads of its object, and sees one state of a value unless it refreshes it', async () => {
  const { clock, outside, begin, objects, run, etcd, end, enqueued } = scene();
  const running = begin();
  expect(outside.underway).toBe(1);
  await outside.ready('uid-a');
  expect([outside.underway, outside.ready('uid-a')]).toEqual([0, undefined]);
  const { members, color } = outside.handles(objects.get('a') as StoredObject, run.signal, 'reconcile') as Handles;
  expect([members.value, members.error, color]).toEqual([['m1'], undefined, 'blue']);
  etcd.members.mockResolvedValue(['m1', 'm2']);
  clock.advance(8_000);
  await flush();
  expect(enqueued).toEqual([{ key: { name: 'a', namespace: 'default' }, trigger: { cause: 'observed', name: 'members' } }]);
  expect(members.value).toEqual(['m1']);
  expect(await members.refresh()).toEqual(['m1', 'm2']);
  expect(members.value).toEqual(['m1', 'm2']);
  end.abort();
  await running;
  expect(clock.pending).toBe(0);
});

test('a subscription enqueues by text or key, and refuses what names no object', async () => {
  const { begin, etcd, enqueued, end } = scene();
  const running = begin();
  await flush();
  const [tell] = etcd.onAlarm.mock.calls[0] as [(key: unknown) => void];
  tell('shop/b');
  tell({ name: 'c', namespace: 'shop' });
  for (const wrong of ['b', 'a/b/c', '', {}, undefined, { name: 'a' }])
    expect(() => tell(wrong)).toThrow("names no object; give 'namespace/name'");
  expect(enqueued.map(({ key }) => key)).toEqual([
    { namespace: 'shop', name: 'b' },
    { namespace: 'shop', name: 'c' },
  ]);
  end.abort();
  tell('shop/late');
  expect(enqueued).toHaveLength(2);
  await running;
});

test('background work has the context of its start; its end reconciles the object, and a term ends when it has returned', async () => {
  const { outside, begin, objects, run, work, end, enqueued } = scene();
  const running = begin();
  await outside.ready('uid-a');
  const { snapshot } = outside.handles(objects.get('a') as StoredObject, run.signal, 'reconcile') as Handles;
  expect(snapshot.start('day-1').phase).toBe('running');
  await flush();
  expect([work.context?.object.metadata.name, work.context?.key, work.context?.color]).toEqual(['a', 'day-1', 'blue']);
  expect(await work.context?.etcd.members(run.signal)).toEqual(['m1']);
  work.end(7);
  await flush();
  expect(enqueued.at(-1)?.trigger).toEqual({ cause: 'background', name: 'snapshot' });
  expect(snapshot.state('day-1').phase).toBe('done');
  snapshot.start('day-2');
  await flush();
  end.abort();
  let hasEnded = false;
  void running.then(() => {
    hasEnded = true;
  });
  await flush();
  expect([hasEnded, work.context?.signal.aborted]).toEqual([false, true]);
  work.end(8);
  await running;
});

test('a deletion ends what concerns the object; finalize has what is used, and no sources', async () => {
  const { outside, begin, objects, run, work, end } = scene();
  const running = begin();
  await outside.ready('uid-a');
  (outside.handles(objects.get('a') as StoredObject, run.signal, 'reconcile') as Handles).snapshot.start('k');
  await flush();
  const deleted = objectOf('a', { deletionTimestamp: '2030-01-01T00:00:00Z' });
  outside.changed({ type: 'modified', object: deleted, previous: objects.get('a'), isInitial: false, isLastStateUnknown: false });
  expect(work.context?.signal.aborted).toBe(true);
  expect(Object.keys(outside.handles(deleted, run.signal, 'finalize'))).toEqual(['etcd', 'color']);
  work.end(1);
  end.abort();
  await running;
});

test('a run that was given up neither calls outside nor starts or cancels work', async () => {
  const { outside, begin, objects, run, end } = scene();
  const running = begin();
  await outside.ready('uid-a');
  const { etcd, snapshot } = outside.handles(objects.get('a') as StoredObject, run.signal, 'reconcile') as Handles;
  run.abort(new Error('the run has ended'));
  expect(() => etcd.members(run.signal)).toThrow('the run has ended');
  expect(() => snapshot.start('k')).toThrow('the run has ended');
  expect(() => snapshot.cancel('k')).toThrow('the run has ended');
  expect(snapshot.state('k').phase).toBe('absent');
  end.abort();
  await running;
});

const changeOf = (type: 'added' | 'deleted', object: StoredObject): CacheChange => ({
  type,
  object,
  previous: undefined,
  isInitial: false,
  isLastStateUnknown: false,
});

test('an object that comes is read for, and one that is gone is forgotten', async () => {
  const { outside, begin, objects, etcd, end, run, work } = scene();
  const running = begin();
  await outside.ready('uid-a');
  const b = objectOf('b');
  objects.set('b', b);
  outside.changed(changeOf('added', b));
  await outside.ready('uid-b');
  expect(etcd.members).toHaveBeenCalledTimes(2);
  const { snapshot } = outside.handles(b, run.signal, 'reconcile') as Handles;
  snapshot.start('k');
  await flush();
  outside.changed(changeOf('added', b));
  expect(work.context?.signal.aborted).toBe(false);
  outside.changed(changeOf('deleted', b));
  expect(work.context?.signal.aborted).toBe(true);
  expect((outside.handles(b, run.signal, 'reconcile') as Handles).members.value).toBeUndefined();
  work.end(1);
  end.abort();
  await running;
});

test('background work that runs is counted, with its signs of life', async () => {
  const { outside, begin, objects, run, work, end } = scene();
  const running = begin();
  expect(outside.background).toEqual({ running: 0, signs: 0 });
  const { snapshot } = outside.handles(objects.get('a') as StoredObject, run.signal, 'reconcile') as Handles;
  snapshot.start('k');
  await flush();
  work.context?.progress('half');
  expect(outside.background).toEqual({ running: 1, signs: 2 });
  work.end(1);
  await flush();
  expect(outside.background).toEqual({ running: 0, signs: 3 });
  expect(
    sumOf([
      { running: 1, signs: 10 },
      { running: 2, signs: 20 },
    ]),
  ).toEqual({ running: 3, signs: 30 });
  end.abort();
  await running;
});

test('a run cancels background work, and hears why a subscription ended', async () => {
  const { outside, begin, objects, run, work, end, etcd } = scene();
  etcd.onAlarm.mockImplementation(() => {
    throw new Error('refused');
  });
  const running = begin();
  await outside.ready('uid-a');
  const { snapshot, alarms } = outside.handles(objects.get('a') as StoredObject, run.signal, 'reconcile') as Handles;
  expect(alarms.error).toEqual(new Error('refused'));
  snapshot.start('k');
  await flush();
  snapshot.cancel('k');
  expect([work.context?.signal.aborted, snapshot.state('k').phase]).toEqual([true, 'cancelled']);
  work.end(1);
  end.abort();
  await running;
});

test('the context of a source has the time and the log', async () => {
  const { outside, begin, objects, run, work, end, clock } = scene();
  const running = begin();
  (outside.handles(objects.get('a') as StoredObject, run.signal, 'reconcile') as Handles).snapshot.start('k');
  await flush();
  clock.advance(5_000);
  expect(work.context?.now()).toEqual(new Date(clock.wallMs()));
  expect(Object.keys(work.context?.log ?? {})).toContain('warn');
  work.end(1);
  end.abort();
  await running;
});

test('in a term that is over nothing is read, held or waited for', async () => {
  const { outside, begin, etcd, end, clock } = scene();
  end.abort();
  await begin();
  await flush();
  expect([etcd.members.mock.calls, etcd.onAlarm.mock.calls, clock.pending, outside.ready('uid-a')]).toEqual([[], [], 0, undefined]);
});

test('what a subscription enqueues is told by what it must be: of the cluster, a name', async () => {
  const { outside, enqueued, told } = clusterScene();
  const end = new AbortController();
  const running = outside.run([], end.signal);
  await flush();
  const tell = told();
  tell('node-1');
  tell({ name: 'node-2' });
  expect(() => tell({})).toThrow(`observes.alarms: enqueue({}) names no object; give its name, or { name: 'a' }`);
  expect(() => tell(undefined)).toThrow('observes.alarms: enqueue(undefined) names no object');
  expect(enqueued).toEqual([
    { key: { name: 'node-1' }, trigger: { cause: 'observed', name: 'alarms' } },
    { key: { name: 'node-2' }, trigger: { cause: 'observed', name: 'alarms' } },
  ]);
  end.abort();
  await running;
});

function clusterScene() {
  const clock = new FakeClock();
  const enqueued: { readonly key: ObjectKey; readonly trigger: OutsideTrigger }[] = [];
  let tell: (key: unknown) => void = () => undefined;
  const start = ({ enqueue }: Context): void => {
    tell = enqueue;
  };
  const outside = new Outside({
    declared: { uses: [], observes: { alarms: { sort: 'subscription', start: start as never } }, background: {} },
    given: new Given({ uses: {}, externals: {}, monotonicMs: () => clock.monotonicMs() }),
    scope: 'Cluster',
    clock,
    log: keptLog().log,
    newest: () => undefined,
    enqueue: (key, trigger) => void enqueued.push({ key, trigger }),
  });
  return { outside, enqueued, told: () => tell };
}

test('background work has the reads that the controller gives it, and ends when their calls have', async () => {
  const clock = new FakeClock();
  const asked: string[] = [];
  let seen: unknown;
  const outside = new Outside({
    declared: { uses: [], observes: {}, background: { snapshot: ({ pods, key }: { pods: unknown; key: string }) => (seen = [pods, key]) } },
    given: new Given({ uses: {}, externals: {}, monotonicMs: () => clock.monotonicMs() }),
    scope: 'Namespaced',
    clock,
    log: keptLog().log,
    newest: () => undefined,
    enqueue: () => undefined,
    reads: ({ metadata: { name } }) => ({
      handles: { pods: { of: name }, key: {} },
      around: async (call) => {
        asked.push('begin');
        const result = await call();
        asked.push('end');
        return result;
      },
    }),
  });
  const end = new AbortController();
  const running = outside.run([], end.signal);
  const { snapshot } = outside.handles(objectOf('a'), new AbortController().signal, 'reconcile') as Handles;
  snapshot.start('day-1');
  await flush();
  expect([seen, asked, snapshot.state('day-1').phase]).toEqual([[{ of: 'a' }, 'day-1'], ['begin', 'end'], 'done']);
  end.abort();
  await running;
});

test('externals that are missing or not asked for are named at the start', () => {
  const options = { uses: { etcd: { sort: 'external' as const }, vault: { sort: 'external' as const } }, monotonicMs: () => 0 };
  expect(() => new Given({ ...options, externals: {} })).toThrow(
    'externals are missing: etcd, vault; give them at the start: run(operator, { externals: { etcd: ..., vault: ... } })',
  );
  expect(() => new Given({ ...options, externals: { etcd: {}, vault: {}, more: {} } })).toThrow(
    'externals.more: no part of the operator uses it; known are etcd, vault',
  );
  expect(() => new Given({ ...options, externals: { etcd: {}, vault: 'https://vault' } })).toThrow(
    "external 'vault' must be an object with methods, got string",
  );
  expect(() => new Given({ uses: { color: { sort: 'settings' } }, externals: { a: {}, b: {} }, monotonicMs: () => 0 })).toThrow(
    'externals.a, externals.b: no part of the operator uses it; known are none',
  );
});

import { runInNewContext } from 'node:vm';
import type { ObjectKey } from '../../../src/kubernetes/apimachinery/index.js';
import type { StoredObject } from '../../../src/runtime/cache/index.js';
import { type BackgroundScope, BackgroundWork } from '../../../src/runtime/outside/index.js';
import { FakeClock } from '../clock/fake-clock.js';
import { flush } from './flush.js';
import { keptLog } from './kept-log.js';

const OBJECT: StoredObject = {
  apiVersion: 'v1',
  kind: 'Site',
  metadata: { name: 'a', namespace: 'default', uid: 'u', resourceVersion: '1' },
};

interface Call extends BackgroundScope {
  readonly input: unknown;
  readonly end: (result: unknown) => void;
  readonly fail: (error: Error) => void;
}

function scene() {
  const clock = new FakeClock();
  const calls: Call[] = [];
  const ends: ObjectKey[] = [];
  const started: string[] = [];
  const counted: string[] = [];
  const { log, at } = keptLog();
  const work = new BackgroundWork({
    source: {
      name: 'snapshot',
      run: (scope, input) =>
        new Promise((end, fail) => {
          calls.push({ ...scope, input, end, fail });
        }),
    },
    clock,
    log,
    onEnd: (key) => void ends.push(key),
    observer: {
      backgroundStarted: (name) => void started.push(name),
      backgroundEnded: (_, end) => void counted.push(end),
    },
  });
  return { clock, work, calls, ends, started, counted, logged: at };
}

test('work runs once for each object and key; its end has a result, and is a reason for a run', async () => {
  const { clock, work, calls, ends, counted } = scene();
  expect(work.state('u', 'day-1')).toEqual({ phase: 'absent' });
  const since = new Date(clock.wallMs());
  expect(work.start(OBJECT, 'day-1')).toEqual({ phase: 'running', since });
  expect(work.start(OBJECT, 'day-1')).toEqual({ phase: 'running', since });
  work.start(OBJECT, 'day-2');
  await flush();
  expect(calls.map(({ key }) => key)).toEqual(['day-1', 'day-2']);
  calls[0]?.progress('12 MB');
  expect(work.state('u', 'day-1')).toEqual({ phase: 'running', since, progress: '12 MB' });
  calls[0]?.progress('x'.repeat(5_000));
  expect(work.state('u', 'day-1')).toMatchObject({ progress: 'x'.repeat(1_024) });
  clock.advance(5_000);
  calls[0]?.end({ bytes: 7 });
  await flush();
  expect(work.start(OBJECT, 'day-1')).toEqual({ phase: 'done', at: new Date(clock.wallMs()), result: { bytes: 7 } });
  calls[1]?.fail(new Error('disk full'));
  await flush();
  expect(work.start(OBJECT, 'day-2')).toMatchObject({ phase: 'failed', error: new Error('disk full') });
  expect(ends).toEqual([
    { name: 'a', namespace: 'default' },
    { name: 'a', namespace: 'default' },
  ]);
  expect(counted).toEqual(['done', 'failed']);
});

test('cancel aborts what runs; it is not started again before it has returned, and what it answers then is nobody’s result', async () => {
  const { work, calls, ends, counted } = scene();
  work.start(OBJECT, 'k');
  await flush();
  work.cancel('u', 'k');
  expect(calls[0]?.signal.aborted).toBe(true);
  expect(work.start(OBJECT, 'k')).toMatchObject({ phase: 'cancelled' });
  calls[0]?.end('late');
  await flush();
  expect(work.state('u', 'k')).toMatchObject({ phase: 'cancelled' });
  expect(ends).toHaveLength(1);
  expect(work.start(OBJECT, 'k')).toMatchObject({ phase: 'running' });
  await flush();
  expect([calls.length, work.running, counted]).toEqual([2, 1, ['cancelled']]);
});

test('an input is given to the function as frozen JSON; the same one, written otherwise, changes nothing', async () => {
  const { work, calls } = scene();
  const input = { bucket: 'a', parts: [1, 2], none: undefined };
  work.start(OBJECT, 'k', input);
  input.parts.push(3);
  await flush();
  expect(calls[0]?.input).toEqual({ bucket: 'a', parts: [1, 2] });
  expect(() => (calls[0]?.input as typeof input | undefined)?.parts.push(4)).toThrow(TypeError);
  expect(work.start(OBJECT, 'k', { parts: [1, 2], bucket: 'a' })).toMatchObject({ phase: 'running' });
  await flush();
  expect(calls).toHaveLength(1);
  expect(calls[0]?.signal.aborted).toBe(false);
});

test('another input is a new intent: what runs is cancelled and begins anew once it has returned, and a result of the old one is none', async () => {
  const { work, calls, ends } = scene();
  work.start(OBJECT, 'k', 'a');
  await flush();
  expect(work.start(OBJECT, 'k', 'b')).toMatchObject({ phase: 'cancelled' });
  expect(calls[0]?.signal.aborted).toBe(true);
  expect(work.start(OBJECT, 'k', 'b')).toMatchObject({ phase: 'cancelled' });
  calls[0]?.end('of a');
  await flush();
  // The end brings a run, which asks again.
  expect(ends).toHaveLength(1);
  expect(work.start(OBJECT, 'k', 'b')).toMatchObject({ phase: 'running' });
  await flush();
  calls[1]?.end('of b');
  await flush();
  expect(work.start(OBJECT, 'k', 'b')).toMatchObject({ phase: 'done', result: 'of b' });
  expect(work.start(OBJECT, 'k', 'c')).toMatchObject({ phase: 'running' });
  await flush();
  expect(calls.map(({ input }) => input)).toEqual(['a', 'b', 'c']);
});

test.each([
  ['a time', { at: new Date(0) }, 'input.at is a Date'],
  ['a function', [() => 1], 'input[0] is a function'],
  ['not a number', { size: Number.NaN }, 'input.size is NaN'],
  ['a map', new Map(), 'input is a Map'],
  ['an endless number', { sizes: [1, Number.POSITIVE_INFINITY] }, 'input.sizes[1] is Infinity'],
  ['a large number', 1n, 'input is a bigint'],
  ['a symbol', { a: { b: Symbol('s') } }, 'input.a.b is a symbol'],
  ['a list with a gap', [undefined], 'input[0] is undefined'],
  ['the first of two', { good: 1, bad: new Date(0), worse: new Map() }, 'input.bad is a Date'],
])('an input that is not JSON is refused by its path: %s', (_, input, message) => {
  const { work } = scene();
  expect(() => work.start(OBJECT, 'k', input)).toThrow(message);
});

test('an input that contains itself is refused', () => {
  const { work } = scene();
  const input: Record<string, unknown> = {};
  input['self'] = input;
  expect(() => work.start(OBJECT, 'k', input)).toThrow('input.self contains itself');
});

test('an input that has a part twice, fields without a value or no prototype is JSON', async () => {
  const { work, calls } = scene();
  const part = { a: 1 };
  const plain: unknown = Object.assign(Object.create(null) as object, { part });
  work.start(OBJECT, 'k', { one: part, two: [part, part], none: undefined, nothing: null, yes: true, plain });
  await flush();
  expect(calls[0]?.input).toEqual({ one: part, two: [part, part], nothing: null, yes: true, plain: { part } });
});

test('an input of another realm is JSON', async () => {
  const { work, calls } = scene();
  work.start(OBJECT, 'k', runInNewContext('({ list: [{ a: 1 }] })'));
  await flush();
  expect(JSON.stringify(calls[0]?.input)).toBe('{"list":[{"a":1}]}');
});

test('the refusal of an input names the function and how to give one', () => {
  const { work } = scene();
  expect(() => work.start(OBJECT, 'k', () => 1)).toThrow(
    'snapshot.start(key, input): input is a function; give JSON: texts, numbers, booleans, null, lists and objects',
  );
  expect(work.running).toBe(0);
});

test('cancelling what was never started changes nothing', async () => {
  const { work, calls, ends } = scene();
  work.cancel('u', 'k');
  work.start(OBJECT, 'k');
  await flush();
  work.cancel('u', 'other');
  work.cancel('v', 'k');
  work.forget('v');
  expect([calls[0]?.signal.aborted, work.running, ends]).toEqual([false, 1, []]);
  expect(work.state('u', 'k')).toMatchObject({ phase: 'running' });
});

test('the signal says why: a cancellation, another input, or the end of the object or the term', async () => {
  const { work, calls } = scene();
  for (const [key, input] of [['a'], ['b', 1], ['c']] as const) work.start(OBJECT, key, input);
  await flush();
  work.cancel('u', 'a');
  work.start(OBJECT, 'b', 2);
  work.forget('u');
  expect(calls.map(({ signal }) => (signal.reason as Error).message)).toEqual([
    'it was cancelled',
    'it was started with another input',
    'the object is gone, or another replica leads',
  ]);
});

test('a failure is a warning; one after a cancellation is not, as nobody asked for it any more', async () => {
  const { work, calls, counted, logged } = scene();
  for (const key of ['a', 'b']) work.start(OBJECT, key);
  await flush();
  work.cancel('u', 'b');
  for (const { fail } of calls) fail(new Error('disk full'));
  await flush();
  expect(logged('warn')).toEqual(['background.snapshot failed']);
  expect(counted).toEqual(['failed', 'cancelled']);
  expect(work.state('u', 'b')).toMatchObject({ phase: 'cancelled' });
});

test('a function that throws at once has failed', async () => {
  const work = new BackgroundWork({
    source: {
      name: 'snapshot',
      run: () => {
        throw new Error('no disk');
      },
    },
    clock: new FakeClock(),
    log: keptLog().log,
    onEnd: () => undefined,
  });
  expect(work.start(OBJECT, 'k')).toMatchObject({ phase: 'running' });
  await flush();
  expect(work.state('u', 'k')).toMatchObject({ phase: 'failed', error: new Error('no disk') });
});

test('signs of life are beginnings, reports and ends', async () => {
  const { work, calls, started } = scene();
  const signs: number[] = [work.signs];
  const note = (): void => void signs.push(work.signs);
  work.start(OBJECT, 'k');
  note();
  await flush();
  calls[0]?.progress('1 MB');
  note();
  calls[0]?.end(1);
  await flush();
  note();
  calls[0]?.progress('too late');
  expect(signs).toEqual([0, 1, 2, 3]);
  expect([started, work.running, work.state('u', 'k').phase]).toEqual([['snapshot'], 0, 'done']);
});

test('a cancellation keeps its time, and a report after it is not shown', async () => {
  const { clock, work, calls } = scene();
  work.start(OBJECT, 'k');
  await flush();
  clock.advance(1_000);
  work.cancel('u', 'k');
  const at = new Date(clock.wallMs());
  clock.advance(1_000);
  work.cancel('u', 'k');
  calls[0]?.progress('late');
  expect(work.state('u', 'k')).toEqual({ phase: 'cancelled', at });
});

test('an object of the cluster is named without a namespace', async () => {
  const { work, calls, ends } = scene();
  work.start({ ...OBJECT, metadata: { name: 'a', uid: 'u', resourceVersion: '1' } }, 'k');
  await flush();
  calls[0]?.end(1);
  await flush();
  expect(ends).toEqual([{ name: 'a' }]);
});

test('the end of a term waits for all functions, and at once when there are none', async () => {
  const { work, calls } = scene();
  await work.end();
  for (const key of ['a', 'b']) work.start(OBJECT, key);
  await flush();
  let hasEnded = false;
  const ended = work.end().then(() => {
    hasEnded = true;
  });
  calls[0]?.end(1);
  await flush();
  expect(hasEnded).toBe(false);
  calls[1]?.end(1);
  await ended;
});

test('what runs does not count among the results that are kept', async () => {
  const { work, calls } = scene();
  for (let index = 0; index < 20; index += 1) work.start(OBJECT, `k${index}`);
  await flush();
  calls[19]?.end('last');
  await flush();
  expect(work.state('u', 'k19')).toMatchObject({ phase: 'done' });
  expect(work.state('u', 'k0')).toMatchObject({ phase: 'running' });
});

test('cancel forgets what has ended, so that it can be started again', async () => {
  const { work, calls } = scene();
  work.start(OBJECT, 'k');
  await flush();
  calls[0]?.fail(new Error('once'));
  await flush();
  work.cancel('u', 'k');
  expect(work.state('u', 'k')).toEqual({ phase: 'absent' });
  expect(work.start(OBJECT, 'k')).toMatchObject({ phase: 'running' });
});

test('it ends with its object, and leaves nothing behind', async () => {
  const { work, calls, ends } = scene();
  work.start(OBJECT, 'k');
  await flush();
  work.forget('u');
  expect(calls[0]?.signal.aborted).toBe(true);
  calls[0]?.end('late');
  await flush();
  expect([work.state('u', 'k'), work.running, ends]).toEqual([{ phase: 'absent' }, 0, []]);
});

test('the end of a term waits for the functions, and a later term does not run the same work beside them', async () => {
  const { work, calls, ends } = scene();
  work.start(OBJECT, 'k');
  await flush();
  let hasEnded = false;
  const ended = work.end().then(() => {
    hasEnded = true;
  });
  await flush();
  expect(hasEnded).toBe(false);
  expect(work.start(OBJECT, 'k')).toMatchObject({ phase: 'cancelled' });
  calls[0]?.end(1);
  await ended;
  expect(ends).toHaveLength(1);
  expect(work.start(OBJECT, 'k')).toMatchObject({ phase: 'running' });
});

test('the results of the last 16 keys are kept', async () => {
  const { work, calls } = scene();
  for (let index = 0; index < 20; index += 1) {
    work.start(OBJECT, `k${index}`);
    await flush();
    calls[index]?.end(index);
    await flush();
  }
  expect(work.state('u', 'k3')).toEqual({ phase: 'absent' });
  expect(work.state('u', 'k4')).toMatchObject({ phase: 'done' });
});

test('a key is a text of bounded length', () => {
  const { work } = scene();
  expect(() => work.start(OBJECT, '')).toThrow('a key of background work must be a text of 1 to 253 characters, got 0 characters');
  expect(() => work.start(OBJECT, 7 as never)).toThrow('got number');
  expect(() => work.start(OBJECT, 'x'.repeat(254))).toThrow('got 254 characters');
  expect(work.start(OBJECT, 'x'.repeat(253))).toMatchObject({ phase: 'running' });
});

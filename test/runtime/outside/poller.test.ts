import type { ObjectKey } from '../../../src/kubernetes/apimachinery/index.js';
import type { StoredObject } from '../../../src/runtime/cache/index.js';
import { Poller, type PollSource } from '../../../src/runtime/outside/index.js';
import type { PollerOptions } from '../../../src/runtime/outside/poller.js';
import { FakeClock } from '../clock/fake-clock.js';
import { flush } from './flush.js';
import { keptLog } from './kept-log.js';

const objectOf = (name: string, more: object = {}): StoredObject => ({
  apiVersion: 'v1',
  kind: 'Site',
  metadata: { name, namespace: 'default', uid: `uid-${name}`, resourceVersion: '1', generation: 1, ...more },
});

function scene(
  source: Partial<PollSource> & Pick<PollSource, 'read'>,
  options: Partial<Pick<PollerOptions, 'concurrency' | 'random' | 'timeLimitMs' | 'observer'>> = {},
) {
  const clock = new FakeClock();
  const objects = new Map<string, StoredObject>();
  const changes: ObjectKey[] = [];
  const { log, at } = keptLog();
  const errors: unknown[] = [];
  const poller = new Poller({
    source: { name: 'members', everyMs: 8_000, jitter: 0, ...source },
    clock,
    random: () => 0.5,
    log: {
      ...log,
      error: (message, fields) => {
        errors.push(fields?.['error']);
        log.error(message);
      },
    },
    newest: ({ name }) => objects.get(name),
    contextOf: (object, signal) => ({ object, signal }),
    onChange: (key) => void changes.push(key),
    ...options,
  });
  const add = (object: StoredObject): StoredObject => {
    objects.set(object.metadata.name, object);
    poller.track(object);
    return object;
  };
  const pass = async (ms: number): Promise<void> => {
    clock.advance(ms);
    await flush();
  };
  return { clock, poller, changes, add, pass, objects, errors, logged: at };
}

const nameOf = (context: object): string => (context as { object: StoredObject }).object.metadata.name;

test('an object is read for at once, then an interval after the end of each read', async () => {
  const read = jest.fn(async () => 1);
  const { poller, add, pass } = scene({ read });
  poller.begin([]);
  add(objectOf('a'));
  expect(poller.known('uid-a')).toEqual({ value: undefined, at: undefined, error: undefined });
  expect(poller.waiting).toBe(1);
  await flush();
  expect(read).toHaveBeenCalledTimes(1);
  expect(poller.known('uid-a').value).toBe(1);
  expect(poller.first('uid-a')).toBeUndefined();
  await pass(7_999);
  expect(read).toHaveBeenCalledTimes(1);
  await pass(1);
  expect(read).toHaveBeenCalledTimes(2);
});

test('a run comes only for a value that differs: by content, or by the function that is given', async () => {
  let value = { ids: ['a'], load: 1 };
  const deep = scene({ read: async () => structuredClone(value) });
  const chosen = scene({
    read: async () => structuredClone(value),
    equals: (a, b) => String((a as typeof value).ids) === String((b as typeof value).ids),
  });
  for (const { poller, add } of [deep, chosen]) {
    poller.begin([]);
    add(objectOf('a'));
  }
  await flush();
  for (const { pass } of [deep, chosen]) await pass(8_000);
  expect([deep.changes, chosen.changes]).toEqual([[], []]);
  value = { ids: ['a'], load: 2 };
  for (const { pass } of [deep, chosen]) await pass(8_000);
  expect([deep.changes.length, chosen.changes.length]).toEqual([1, 0]);
  expect(chosen.poller.known('uid-a').value).toEqual(value);
});

test('a failed read keeps the value before it, is reported once, and comes again sooner than the interval', async () => {
  let fails = false;
  const read = jest.fn(async () => {
    if (fails) throw new Error('etcd is down');
    return 'up';
  });
  const { poller, changes, add, pass, logged, clock } = scene({ read });
  poller.begin([]);
  add(objectOf('a'));
  add(objectOf('b'));
  await flush();
  const { at } = poller.known('uid-a');
  fails = true;
  await pass(8_000);
  expect(poller.known('uid-a')).toEqual({ value: 'up', at, error: new Error('etcd is down') });
  expect(changes.map(({ name }) => name)).toEqual(['a', 'b']);
  const before = read.mock.calls.length;
  for (const ms of [1_000, 2_000, 4_000, 8_000, 8_000]) await pass(ms);
  expect(read.mock.calls.length - before).toBe(10);
  expect(changes).toHaveLength(2);
  expect(logged('warn')).toEqual(['observes.members cannot be read']);
  fails = false;
  await pass(8_000);
  expect(changes).toHaveLength(4);
  expect(poller.known('uid-a')).toEqual({ value: 'up', at: new Date(clock.wallMs()), error: undefined });
  expect(logged('info')).toEqual(['observes.members can be read again']);
});

test('jitter makes the interval longer or shorter by its share', async () => {
  const read = jest.fn(async () => 1);
  const draws = [0, 0.999_999];
  const { poller, add, pass } = scene({ read, jitter: 0.1 }, { random: () => draws.shift() ?? 0.5 });
  poller.begin([]);
  add(objectOf('a'));
  await flush();
  await pass(7_200);
  expect(read).toHaveBeenCalledTimes(2);
  await pass(8_799);
  expect(read).toHaveBeenCalledTimes(2);
  await pass(1);
  expect(read).toHaveBeenCalledTimes(3);
});

test('a read that takes too long is an error, its signal is aborted, and the next one waits until it has returned', async () => {
  let release: (() => void) | undefined;
  const signals: AbortSignal[] = [];
  const read = jest.fn(async (context: object) => {
    signals.push((context as { signal: AbortSignal }).signal);
    await new Promise<void>((resolve) => {
      release = resolve;
    });
    return 'late';
  });
  const { poller, add, pass, changes } = scene({ read });
  poller.begin([]);
  add(objectOf('a'));
  await flush();
  await pass(30_000);
  expect(poller.known('uid-a')).toMatchObject({ value: undefined, error: { code: 'KEELSON_OUTSIDE_TIMEOUT' } });
  expect(signals[0]?.aborted).toBe(true);
  await pass(60_000);
  expect(read).toHaveBeenCalledTimes(1);
  release?.();
  await flush();
  expect(read).toHaveBeenCalledTimes(2);
  expect(poller.known('uid-a').value).toBeUndefined();
  release?.();
  await flush();
  expect(poller.known('uid-a').value).toBe('late');
  expect(changes).toHaveLength(1);
});

test('reads for many objects share a few slots, and one that hangs lets its slot go', async () => {
  let underway = 0;
  let most = 0;
  const releases: (() => void)[] = [];
  const read = async (context: object): Promise<string> => {
    underway += 1;
    most = Math.max(most, underway);
    if (nameOf(context) !== 'o0') await new Promise<void>((resolve) => releases.push(resolve));
    else await new Promise(() => undefined);
    underway -= 1;
    return 'x';
  };
  const { poller, add, pass } = scene({ read }, { concurrency: 2 });
  poller.begin([]);
  for (let index = 0; index < 6; index += 1) add(objectOf(`o${index}`));
  for (let round = 0; round < 6; round += 1) {
    await flush();
    for (const release of releases.splice(0)) release();
  }
  await flush();
  expect(most).toBe(2);
  await pass(30_000);
  expect(poller.waiting).toBe(0);
});

test('refresh reads again after a read that is under way, and is not a reason for another run', async () => {
  let value = 1;
  const releases: (() => void)[] = [];
  const read = jest.fn(async () => {
    const seen = value;
    await new Promise<void>((resolve) => releases.push(resolve));
    return seen;
  });
  const { poller, add, changes } = scene({ read });
  poller.begin([]);
  add(objectOf('a'));
  await flush();
  value = 2;
  const refreshed = poller.refresh('uid-a');
  releases.shift()?.();
  await flush();
  releases.shift()?.();
  expect(await refreshed).toMatchObject({ value: 2 });
  expect(changes).toEqual([]);
  const failing = scene({ read: () => Promise.reject(new Error('down')) });
  failing.poller.begin([]);
  failing.add(objectOf('a'));
  await expect(failing.poller.refresh('uid-a')).rejects.toThrow('down');
  await expect(failing.poller.refresh('gone')).rejects.toThrow('the object is gone');
});

test('a new generation is read for at once; a status alone is not', async () => {
  const read = jest.fn(async () => 1);
  const { poller, add } = scene({ read });
  poller.begin([]);
  add(objectOf('a'));
  await flush();
  add(objectOf('a', { resourceVersion: '2' }));
  await flush();
  expect(read).toHaveBeenCalledTimes(1);
  add(objectOf('a', { resourceVersion: '3', generation: 2 }));
  await flush();
  expect(read).toHaveBeenCalledTimes(2);
});

test('it ends with the object: a deletion aborts the read that is under way and leaves no timer', async () => {
  const signals: AbortSignal[] = [];
  const read = async (context: object): Promise<number> => {
    signals.push((context as { signal: AbortSignal }).signal);
    if (signals.length > 1) await new Promise(() => undefined);
    return 1;
  };
  const { poller, add, pass, clock, changes } = scene({ read });
  poller.begin([]);
  add(objectOf('a'));
  await flush();
  await pass(8_000);
  add(objectOf('a', { deletionTimestamp: '2030-01-01T00:00:00Z' }));
  await flush();
  expect(signals[1]?.aborted).toBe(true);
  expect(clock.pending).toBe(0);
  expect(poller.known('uid-a').value).toBeUndefined();
  expect(changes).toEqual([]);
});

test('a standby reads nothing, and what a term has read is forgotten at its end', async () => {
  const read = jest.fn(async () => 1);
  const { poller, add, pass, clock, objects } = scene({ read });
  add(objectOf('a'));
  await pass(60_000);
  expect(read).not.toHaveBeenCalled();
  poller.begin([...objects.values()]);
  await flush();
  expect(poller.known('uid-a').value).toBe(1);
  poller.end();
  expect(poller.known('uid-a').value).toBeUndefined();
  expect(clock.pending).toBe(0);
  await pass(60_000);
  expect(read).toHaveBeenCalledTimes(1);
});

test('an object of the same name is another object: its predecessor is not read for it', async () => {
  const read = jest.fn(async (context: object) => nameOf(context));
  const { poller, add, pass } = scene({ read });
  poller.begin([]);
  add(objectOf('a'));
  await flush();
  add(objectOf('a', { uid: 'uid-a2' }));
  await pass(8_000);
  expect(poller.known('uid-a')).toMatchObject({ error: { message: 'the object is gone' } });
  expect(poller.known('uid-a2').value).toBe('a');
});

test('ten objects are read for at the same time if nothing else is asked for', async () => {
  let underway = 0;
  const { poller, add } = scene({
    read: () => {
      underway += 1;
      return new Promise(() => undefined);
    },
  });
  poller.begin(Array.from({ length: 12 }, (_, index) => add(objectOf(`o${index}`))));
  await flush();
  expect([underway, poller.waiting]).toEqual([10, 12]);
});

test('each read is counted with its end', async () => {
  const polled: string[] = [];
  const results = [1, new Error('down'), 2];
  const read = async (): Promise<number> => {
    const result = results.shift() ?? 3;
    if (result instanceof Error) throw result;
    return result;
  };
  const { poller, add, pass } = scene({ read }, { observer: { polled: (source, result) => void polled.push(`${source} ${result}`) } });
  poller.begin([]);
  add(objectOf('a'));
  await flush();
  await pass(8_000);
  await pass(1_000);
  expect(polled).toEqual(['members ok', 'members error', 'members ok']);
});

test('a read that fails again is no news, and one that works again is, though the value is the same', async () => {
  let fails = true;
  const { poller, add, pass, changes } = scene({
    read: async () => {
      if (fails) throw new Error('down');
      return undefined;
    },
  });
  poller.begin([]);
  add(objectOf('a'));
  await flush();
  await pass(1_000);
  expect(changes).toEqual([]);
  fails = false;
  await pass(2_000);
  expect(changes).toHaveLength(1);
  await pass(8_000);
  expect(changes).toHaveLength(1);
});

test('a read that has failed comes again after a second, and the pause begins anew once one has worked', async () => {
  const failsAt = new Set([1, 2, 4]);
  const times: number[] = [];
  const made = scene({
    everyMs: 60_000,
    read: async () => {
      times.push(made.clock.monotonicMs());
      if (failsAt.has(times.length)) throw new Error('down');
      return 1;
    },
  });
  made.poller.begin([]);
  made.add(objectOf('a'));
  await flush();
  for (let second = 0; second < 70; second += 1) await made.pass(1_000);
  expect(times).toEqual([0, 1_000, 3_000, 63_000, 64_000]);
});

test('a source that fails for all is one warning, also after objects that it failed for are gone', async () => {
  let fails = true;
  const { poller, add, pass, logged } = scene({
    read: async () => {
      if (fails) throw new Error('down');
      return 1;
    },
  });
  poller.begin([]);
  for (const name of ['a', 'b']) add(objectOf(name));
  await flush();
  expect([logged('warn').length, logged('debug').length]).toEqual([1, 1]);
  poller.forget('uid-a');
  fails = false;
  await pass(1_000);
  expect(logged('info')).toEqual(['observes.members can be read again']);
  fails = true;
  await pass(8_000);
  expect(logged('warn')).toHaveLength(2);
});

test('of several objects that can be read again the last one is told of', async () => {
  const failing = new Set(['a', 'b']);
  const { poller, add, pass, logged } = scene({
    read: async (context) => {
      if (failing.has(nameOf(context))) throw new Error('down');
      return 1;
    },
  });
  poller.begin([]);
  for (const name of ['a', 'b']) add(objectOf(name));
  await flush();
  failing.delete('a');
  await pass(1_000);
  expect(logged('info')).toEqual([]);
  failing.delete('b');
  await pass(2_000);
  expect(logged('info')).toEqual(['observes.members can be read again']);
});

test('all who ask while a read waits for its turn get the same read', async () => {
  const releases: ((value: number) => void)[] = [];
  const read = jest.fn(() => new Promise<number>((resolve) => releases.push(resolve)));
  const { poller, add, clock } = scene({ read });
  poller.begin([]);
  add(objectOf('a'));
  await flush();
  const asked = [poller.refresh('uid-a'), poller.refresh('uid-a')];
  releases.shift()?.(1);
  await flush();
  releases.shift()?.(2);
  expect(await Promise.all(asked)).toMatchObject([{ value: 2 }, { value: 2 }]);
  expect([read.mock.calls.length, clock.pending]).toEqual([2, 1]);
});

test('a refresh puts the next read off by an interval', async () => {
  const read = jest.fn(async () => 1);
  const { poller, add, pass, clock } = scene({ read });
  poller.begin([]);
  add(objectOf('a'));
  await flush();
  await pass(7_000);
  await poller.refresh('uid-a');
  expect(clock.pending).toBe(1);
  await pass(7_999);
  expect(read).toHaveBeenCalledTimes(2);
  await pass(1);
  expect(read).toHaveBeenCalledTimes(3);
});

test('a refresh that takes longer than the interval is not followed by another read at once', async () => {
  const releases: (() => void)[] = [];
  const read = jest.fn(() => new Promise<void>((resolve) => releases.push(resolve)));
  const { poller, add, pass } = scene({ read });
  poller.begin([]);
  add(objectOf('a'));
  await flush();
  releases.shift()?.();
  await flush();
  const refreshed = poller.refresh('uid-a');
  await flush();
  await pass(9_000);
  releases.shift()?.();
  await refreshed;
  await pass(7_999);
  expect(read).toHaveBeenCalledTimes(2);
});

test('the first read is waited for until it has ended, well or not, or its object is gone', async () => {
  let fail: (error: Error) => void = () => undefined;
  const { poller, add, objects } = scene({
    read: (context) =>
      nameOf(context) === 'a'
        ? new Promise((_, reject) => {
            fail = reject;
          })
        : new Promise(() => undefined),
  });
  poller.begin([]);
  for (const name of ['a', 'b']) add(objectOf(name));
  await flush();
  const [first, other] = [poller.first('uid-a'), poller.first('uid-b')];
  expect(poller.first('unknown')).toBeUndefined();
  fail(new Error('down'));
  await first;
  expect([poller.first('uid-a'), poller.waiting]).toEqual([undefined, 1]);
  objects.delete('b');
  poller.forget('uid-b');
  await other;
  expect(poller.waiting).toBe(0);
});

test('a read that ends after its object is gone is not kept', async () => {
  const releases: (() => void)[] = [];
  const { poller, add, clock, logged } = scene({ read: () => new Promise<void>((resolve) => releases.push(resolve)) });
  poller.begin([]);
  add(objectOf('a'));
  await flush();
  poller.forget('uid-a');
  releases[0]?.();
  await flush();
  expect([clock.pending, poller.waiting, logged('warn', 'debug')]).toEqual([0, 0, []]);
});

test('an object of the cluster is named without a namespace', async () => {
  let value = 1;
  const { poller, add, pass, changes } = scene({ read: async () => value });
  poller.begin([]);
  add({ ...objectOf('a'), metadata: { name: 'a', uid: 'u', resourceVersion: '1' } });
  await flush();
  value = 2;
  await pass(8_000);
  expect(changes).toEqual([{ name: 'a' }]);
});

test('an equals that throws counts as a change and is logged', async () => {
  const { poller, add, pass, changes, errors, logged } = scene({
    read: async () => 1,
    equals: () => {
      throw new Error('oops');
    },
  });
  poller.begin([]);
  add(objectOf('a'));
  await flush();
  await pass(8_000);
  expect(changes).toHaveLength(1);
  expect(logged('error')).toEqual(['observes.members.equals threw: the value counts as changed']);
  expect(errors).toEqual([new Error('oops')]);
});

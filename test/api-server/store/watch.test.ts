import { Store, type StoredObject, type Watch } from '../../../src/api-server/store/index.js';
import { drain, granted, keyOf, newStore, pod, problemOf, taken, told } from './fixtures.js';
import { HandClock } from './hand-clock.js';

const pods = { resource: 'pods' };
const write = (store: Store, ...paths: string[]) => {
  for (const path of paths) granted(store.create(keyOf(path), pod(path)));
};
const isRed = (object: StoredObject) => object['color'] === 'red';

test('a watch begins now, and sees of each write what it was', () => {
  const store = newStore();
  write(store, 'x/a');
  const watch = granted(store.watch(pods));
  write(store, 'x/b');
  store.update(keyOf('x/a'), pod('x/a', { spec: 1 }));
  store.delete(keyOf('x/a'));
  const events = drain(watch);
  expect(events.map(told)).toEqual(['ADDED x/b@3', 'MODIFIED x/a@4', 'DELETED x/a@5']);
  expect(events[2]).toMatchObject({ object: { spec: 1, metadata: { resourceVersion: '5' } } });
});

test('a watch sees its resource, namespace and name alone', () => {
  const store = newStore();
  const watches = [
    pods,
    { ...pods, namespace: 'x' },
    { ...pods, namespace: 'x', name: 'a' },
    { ...pods, name: 'a' },
    { resource: 'nodes' },
  ];
  const opened = watches.map((query) => granted(store.watch(query)));
  store.create(keyOf('node'), { metadata: { name: 'node' } });
  write(store, 'x/a', 'x/b', 'y/a', 'xx/a');
  expect(opened.map((watch) => watch.pending)).toEqual([4, 2, 1, 3, 1]);
});

test('a watch resumes behind the revision that it names, in its own selection', () => {
  const store = newStore();
  write(store, 'x/a', 'y/a', 'x/b');
  store.delete(keyOf('x/a'));
  expect(taken(granted(store.watch({ ...pods, resourceVersion: 2 })))).toEqual(['ADDED y/a@3', 'ADDED x/b@4', 'DELETED x/a@5']);
  expect(taken(granted(store.watch({ ...pods, namespace: 'x', resourceVersion: 3 })))).toEqual(['ADDED x/b@4', 'DELETED x/a@5']);
  expect(taken(granted(store.watch({ ...pods, resourceVersion: 5 })))).toEqual([]);
});

test('a watch from a revision that is compacted has expired; one from the compacted revision has not', () => {
  const store = newStore();
  write(store, 'x/a', 'x/b', 'x/c');
  store.compact(3);
  expect(problemOf(store.watch({ ...pods, resourceVersion: 2 }))).toEqual({ kind: 'Expired', message: 'too old resource version: 2 (3)' });
  expect(taken(granted(store.watch({ ...pods, resourceVersion: 3 })))).toEqual(['ADDED x/c@4']);
});

test('a watch from a revision that is still to come is silent until then', () => {
  const clock = new HandClock();
  const store = new Store({ clock });
  const watch = granted(store.watch({ ...pods, resourceVersion: 3, bookmarks: true }));
  write(store, 'x/a');
  clock.advance(60_000);
  write(store, 'x/b', 'x/c');
  clock.advance(60_000);
  expect(taken(watch)).toEqual(['ADDED x/c@4', 'BOOKMARK@4']);
});

test('initial events are the objects as of now, each with its own revision; then comes the mark, then what happens', () => {
  const store = newStore();
  write(store, 'x/b', 'x/a', 'y/c');
  const watch = granted(store.watch({ ...pods, namespace: 'x', sendInitialEvents: true, bookmarks: true }));
  write(store, 'x/c');
  expect(taken(watch)).toEqual(['ADDED x/a@3', 'ADDED x/b@2', 'BOOKMARK@4 end', 'ADDED x/c@5']);
  const plain = granted(
    store.watch({ ...pods, sendInitialEvents: true, matches: (object) => told({ type: 'ADDED', revision: 0, object }).includes('/a') }),
  );
  expect(taken(plain)).toEqual(['ADDED x/a@3']);
});

test('initial events that must not be older than a revision to come are refused', () => {
  expect(problemOf(newStore().watch({ ...pods, sendInitialEvents: true, resourceVersion: 9 }))).toMatchObject({
    kind: 'ResourceVersionTooLarge',
    current: 1,
  });
});

test('an object that begins to match is added, one that ceases to is deleted: the old one, with the new revision', () => {
  const store = newStore();
  const key = keyOf('x/a');
  const colors = ['blue', 'red', 'red', 'blue', 'green', 'red'];
  const live = granted(store.watch({ ...pods, matches: isRed }));
  store.create(key, pod('x/a', { color: 'white' }));
  for (const [n, color] of colors.entries()) store.update(key, pod('x/a', { color, n }));
  store.delete(key);
  const resumed = granted(store.watch({ ...pods, matches: isRed, resourceVersion: 1 }));
  const events = drain(live);
  expect(events.map(told)).toEqual(['ADDED x/a@4', 'MODIFIED x/a@5', 'DELETED x/a@6', 'ADDED x/a@8', 'DELETED x/a@9']);
  expect(events[2]).toMatchObject({ object: { color: 'red', n: 2, metadata: { resourceVersion: '6' } } });
  expect(drain(resumed)).toEqual(events);
});

test('events are shared by all who watch', () => {
  const store = newStore();
  const [one, other] = [granted(store.watch(pods)), granted(store.watch({ ...pods, namespace: 'x' }))];
  write(store, 'x/a');
  store.delete(keyOf('x/a'));
  const [ofOne, ofOther] = [drain(one), drain(other)];
  expect(ofOne.every((event, index) => event === ofOther[index])).toBe(true);
  expect(() => Object.assign((ofOne[1] as unknown as { object: object }).object, { kind: 'X' })).toThrow(TypeError);
});

describe('bookmarks', () => {
  test('come at the interval, to those that want them, with the revision of all resources', () => {
    const clock = new HandClock();
    const store = new Store({ clock, bookmarkIntervalMs: 1000 });
    const [wanted, unwanted] = [granted(store.watch({ ...pods, bookmarks: true })), granted(store.watch(pods))];
    store.create(keyOf('node'), { metadata: { name: 'node' } });
    clock.advance(999);
    expect(wanted.pending).toBe(0);
    clock.advance(1);
    write(store, 'x/a');
    clock.advance(1000);
    expect(taken(wanted)).toEqual(['BOOKMARK@2', 'ADDED x/a@3', 'BOOKMARK@3']);
    expect(taken(unwanted)).toEqual(['ADDED x/a@3']);
  });

  test('do not pile up where nobody takes them', () => {
    const clock = new HandClock();
    const store = new Store({ clock });
    const watch = granted(store.watch({ ...pods, bookmarks: true }));
    clock.advance(3_600_000);
    expect(taken(watch)).toEqual(['BOOKMARK@1']);
  });

  test('leave no timer behind when the last watch that wants them is gone', () => {
    const clock = new HandClock();
    const store = new Store({ clock });
    expect(clock.timers).toBe(0);
    const watches = [1, 2].map(() => granted(store.watch({ ...pods, bookmarks: true })));
    expect(clock.timers).toBe(1);
    for (const watch of watches) watch.close();
    expect(clock.timers).toBe(0);
  });

  test('the last one comes when the watch is ended in order', () => {
    const store = newStore();
    const watch = granted(store.watch({ ...pods, bookmarks: true }));
    write(store, 'x/a');
    watch.finish();
    write(store, 'x/b');
    expect([watch.isEnded, taken(watch), watch.isEnded]).toEqual([false, ['ADDED x/a@2', 'BOOKMARK@2'], true]);
  });

  test('one can be asked for out of turn', () => {
    const store = newStore();
    const watches = [granted(store.watch({ ...pods, bookmarks: true })), granted(store.watch(pods))];
    for (const watch of watches) watch.bookmark();
    expect(watches.map(taken)).toEqual([['BOOKMARK@1'], []]);
  });
});

describe('a watcher that does not take its events', () => {
  test('is ended at its limit, holds nothing then, and can resume from what it took', () => {
    const store = newStore();
    const watch = granted(store.watch({ ...pods, maxPendingEvents: 3 }));
    write(store, 'x/a', 'x/b');
    expect(told(watch.next() ?? fail())).toBe('ADDED x/a@2');
    write(store, 'x/c', 'x/d', 'x/e', 'x/f');
    expect([watch.pending, store.sizes.watches]).toEqual([1, 0]);
    expect([taken(watch), watch.isEnded]).toEqual([['ERROR SlowWatcher'], true]);
    expect(taken(granted(store.watch({ ...pods, resourceVersion: 2 })))).toHaveLength(5);
  });

  test('has its initial events beside the limit', () => {
    const store = newStore();
    write(store, 'x/a', 'x/b', 'x/c');
    const watch = granted(store.watch({ ...pods, sendInitialEvents: true, maxPendingEvents: 1 }));
    write(store, 'x/d');
    expect(taken(watch)).toHaveLength(4);
  });

  test('does not hold up the others', () => {
    const store = newStore();
    const [slow, quick] = [granted(store.watch({ ...pods, maxPendingEvents: 0 })), granted(store.watch(pods))];
    write(store, 'x/a', 'x/b');
    expect([taken(slow), taken(quick).length]).toEqual([['ERROR SlowWatcher'], 2]);
  });
});

describe('the listener', () => {
  const listen = (watch: Watch) => {
    const seen: string[] = [];
    const take = () => seen.push(...taken(watch));
    watch.onEvent(take);
    take();
    return seen;
  };

  test('is called once until all has been taken', () => {
    const store = newStore();
    const watch = granted(store.watch(pods));
    let calls = 0;
    watch.onEvent(() => calls++);
    write(store, 'x/a', 'x/b');
    expect(calls).toBe(1);
    watch.next();
    write(store, 'x/c');
    expect(calls).toBe(1);
    drain(watch);
    write(store, 'x/d');
    expect(calls).toBe(2);
  });

  test('that writes does not get its event before the others have the first', () => {
    const store = newStore();
    const writer = granted(store.watch(pods));
    writer.onEvent(() => {
      drain(writer);
      if (store.get(keyOf('x/b')) === undefined) write(store, 'x/b');
    });
    drain(writer);
    const others = [listen(granted(store.watch(pods))), listen(granted(store.watch({ ...pods, namespace: 'x' })))];
    write(store, 'x/a');
    expect(others).toEqual([
      ['ADDED x/a@2', 'ADDED x/b@3'],
      ['ADDED x/a@2', 'ADDED x/b@3'],
    ]);
  });

  test('that ends watches, or begins some, disturbs nobody', () => {
    const store = newStore();
    const first = granted(store.watch(pods));
    const second = granted(store.watch(pods));
    first.onEvent(() => {
      first.close();
      second.close();
      store.watch(pods);
    });
    second.onEvent(() => fail('closed'));
    write(store, 'x/a');
    expect([second.pending, second.isEnded, store.sizes.watches]).toEqual([0, true, 1]);
  });

  test('is told of the end', () => {
    const store = newStore();
    const watch = granted(store.watch(pods));
    const seen = listen(watch);
    watch.finish({ kind: 'Expired', message: 'gone' });
    watch.finish();
    expect([seen, watch.isEnded]).toEqual([['ERROR Expired'], true]);
  });

  test('that throws does not fail the write, nor the other watchers', async () => {
    const store = newStore();
    const thrown = new Promise((resolve) => {
      jest.spyOn(globalThis, 'queueMicrotask').mockImplementationOnce((task) => {
        try {
          task();
        } catch (error) {
          resolve(error);
        }
      });
    });
    granted(store.watch(pods)).onEvent(() => {
      throw new Error('broken');
    });
    const seen = listen(granted(store.watch(pods)));
    write(store, 'x/a');
    expect(seen).toEqual(['ADDED x/a@2']);
    await expect(thrown).resolves.toEqual(new Error('broken'));
  });
});

test('a closed store has ended all its watches', () => {
  const store = newStore();
  const watches = [granted(store.watch(pods)), granted(store.watch({ resource: 'nodes', bookmarks: true }))];
  store.close();
  write(store, 'x/a');
  expect(watches.every((watch) => watch.isEnded)).toBe(true);
  expect(store.sizes.watches).toBe(0);
});

function fail(text = 'must not happen'): never {
  throw new Error(text);
}

import { ConfigMap } from 'keelson/kinds/core/v1';
import { CacheStoppedError } from '../../../src/runtime/cache/index.js';
import { added, errors, key, object, scene, settle, stopAll } from './scene.js';

afterEach(stopAll);

const SELECTED = { kind: ConfigMap, select: { labels: { a: 'b' } } } as const;

test('what is borrowed is listed, but not waited for, unless it is named', async () => {
  const { cache, synced, api } = scene();
  await synced([], '5');
  const { informer } = cache.borrow(SELECTED);
  await cache.synced();
  const list = await api.next('list');
  expect(list.options.labelSelector).toBe('a=b');
  let isSynced = false;
  const waiting = cache.synced(undefined, [informer]).then(() => {
    isSynced = true;
  });
  await settle();
  expect(isSynced).toBe(false);
  list.page([object('a', 3)], '5');
  await waiting;
  expect(informer.list()).toHaveLength(1);
});

test('to wait for several is to wait for all of them', async () => {
  const { cache, synced, api, informer } = scene();
  await synced([], '5');
  const borrowed = cache.borrow(SELECTED);
  const list = await api.next('list');
  let isSynced = false;
  const waiting = cache.synced(undefined, [informer, borrowed.informer]).then(() => {
    isSynced = true;
  });
  await settle();
  expect(isSynced).toBe(false);
  list.page([], '5');
  await waiting;
});

test('two borrowers share one watch, which ends with the last of them, once', async () => {
  const { cache, synced, api } = scene();
  await synced([], '5');
  const first = cache.borrow(SELECTED);
  (await api.next('list')).page([object('a', 3)], '5');
  const watch = (await api.next('watch')).open();
  await settle();
  const second = cache.borrow(SELECTED);
  await settle();
  expect(api.unanswered).toBe(0);
  expect(second.informer.get(key('a'))).toBeDefined();
  first.end();
  // A second call must not give back what the other one has borrowed.
  first.end();
  await settle();
  expect(watch.isOpen).toBe(true);
  watch.send(added(object('b', 6)));
  await settle();
  expect(second.informer.list()).toHaveLength(2);
  second.end();
  await settle();
  expect(watch.isOpen).toBe(false);
  // What is held stays readable, and who comes later is given a list of his own.
  expect(second.informer.list()).toHaveLength(2);
  const third = cache.borrow(SELECTED);
  (await api.next('list')).page([], '9');
  await settle();
  expect(third.informer.list()).toEqual([]);
});

test('what is kept, before or after it was borrowed, does not end with its borrower', async () => {
  const { cache, synced, api } = scene();
  const watch = await synced([], '5');
  cache.borrow({ kind: ConfigMap }).end();
  const borrowed = cache.borrow(SELECTED);
  (await api.next('list')).page([], '5');
  const other = (await api.next('watch')).open();
  await settle();
  cache.informer(SELECTED);
  borrowed.end();
  await settle();
  expect([watch.isOpen, other.isOpen]).toEqual([true, true]);
});

test('what is given back does not take the other watches of its kind with it', async () => {
  const { cache, synced, api, informer } = scene();
  const watch = await synced([], '5');
  const borrowed = cache.borrow(SELECTED);
  const list = await api.next('list');
  borrowed.end();
  await settle();
  // Its list was under way: it is given up, and nothing follows.
  expect(list.options.signal?.aborted).toBe(true);
  expect(list.options.signal?.reason).toBeInstanceOf(CacheStoppedError);
  expect(api.unanswered).toBe(0);
  cache.informer({ kind: ConfigMap });
  watch.send(added(object('a', 6)));
  await settle();
  expect(informer.list()).toHaveLength(1);
  expect(api.unanswered).toBe(0);
});

test('the problems of what is borrowed are its own, and go when it is given back', async () => {
  const { cache, synced, api } = scene();
  const watch = await synced([], '5');
  const borrowed = cache.borrow(SELECTED);
  (await api.next('list')).fail(errors.forbidden());
  watch.fail(errors.tooMany(5));
  await settle();
  expect(borrowed.problems()).toMatchObject([{ reason: 'Forbidden' }]);
  expect(
    cache
      .problems()
      .map(({ reason }) => reason)
      .toSorted(),
  ).toEqual(['Busy', 'Forbidden']);
  borrowed.end();
  expect(cache.problems()).toMatchObject([{ reason: 'Busy' }]);
});

test('what is borrowed before the start is listed with it, and what is given back before is not', async () => {
  const { cache, api } = scene();
  cache.borrow(SELECTED);
  cache.borrow({ kind: ConfigMap, select: { labels: { c: 'd' } } }).end();
  expect(api.unanswered).toBe(0);
  cache.start();
  await settle();
  expect(api.requests.map(({ options }) => options.labelSelector)).toEqual([undefined, 'a=b']);
});

test('a cache that is stopped ends what is borrowed', async () => {
  const { cache, synced, api, clock } = scene();
  await synced([], '5');
  cache.borrow(SELECTED);
  (await api.next('list')).fail(errors.internal());
  await settle();
  expect(clock.pending).toBe(1);
  await cache.stop();
  expect(clock.pending).toBe(0);
});

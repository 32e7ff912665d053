import { CacheNotSyncedError } from '../../../src/runtime/cache/index.js';
import { ConnectionError, DeadlineExceededError, MalformedResponseError } from '../../../src/runtime/http/index.js';
import { added, bookmark, deleted, errors, key, modified, object, scene, settle, stopAll } from './scene.js';

afterEach(stopAll);

const broken = (): Error => new ConnectionError('watch', { sent: true, reusedSocket: false, cause: new Error('reset') });
const silent = (): Error => new DeadlineExceededError('watch', 'body', 295_000);

test('a list and then a watch from its resourceVersion keep the objects', async () => {
  const { api, synced, informer, told, cache } = scene();
  const watch = await synced([object('a', 3), object('b', 4)], '5');
  await cache.synced();
  expect(api.requests[1]?.options).toMatchObject({ resourceVersion: '5' });
  watch.send(added(object('c', 6)), modified(object('a', 7)), deleted(object('b', 8)));
  await settle();
  expect(told).toEqual(['added a@3', 'added b@4', 'added c@6', 'modified a@7', 'deleted b@8']);
  expect(informer.list().map(({ metadata }) => metadata.name)).toEqual(['a', 'c']);
  expect(informer.resourceVersion).toBe('8');
});

test.each(['status', 'event'])('H9 a 410 as %s: one relist, the old objects until it is complete, deletions found', async (form) => {
  const { api, synced, informer, told, changes, pass, clock } = scene();
  const watch = await synced([object('a', 3), object('b', 4)], '5');
  if (form === 'event') watch.fail(errors.expired());
  else {
    watch.fail(broken());
    await pass();
    (await api.next('watch')).fail(errors.expired());
  }
  await pass();
  const list = await api.next('list');
  expect(informer.list()).toHaveLength(2);
  expect(informer.isComplete).toBe(false);
  list.page([object('a', 3)], '9');
  expect((await api.next('watch')).options.resourceVersion).toBe('9');
  expect(told.slice(2)).toEqual(['deleted b@4']);
  expect(changes.at(-1)).toMatchObject({ isLastStateUnknown: true, isInitial: false });
  expect(informer.isComplete).toBe(true);
  expect(clock.pending).toBe(0);
});

test('H10 TR4 a server that closes each watch at once is asked ever more slowly, and then for a list', async () => {
  const { api, synced, pass, informer, cache } = scene();
  const watch = await synced([object('a', 3)], '5');
  watch.end();
  const pauses: number[] = [await pass()];
  for (let times = 0; times < 1; times += 1) {
    (await api.next('watch')).open().end();
    pauses.push(await pass());
  }
  expect(cache.problems()).toMatchObject([{ reason: 'Unavailable', hasSynced: true }]);
  (await api.next('watch')).open().end();
  pauses.push(await pass());
  (await api.next('list')).page([object('a', 7)], '9');
  await api.next('watch');
  expect(pauses).toEqual([400, 800, 1600]);
  expect(informer.get(key('a'))?.metadata.resourceVersion).toBe('7');
});

test('H10 watches that end at once after a single bookmark are not repeated at full speed', async () => {
  const { api, synced, pass } = scene();
  const watch = await synced([], '5');
  watch.send(bookmark(6));
  watch.end();
  expect(await pass()).toBeGreaterThan(0);
  const { options } = await api.next('watch');
  expect(options.resourceVersion).toBe('6');
});

test('H11 a silent watch is taken up from the last resourceVersion, with nothing lost', async () => {
  const { api, synced, pass, told } = scene();
  const watch = await synced([], '5');
  watch.send(bookmark(8));
  watch.fail(silent());
  await pass();
  const again = await api.next('watch');
  expect(again.options).toMatchObject({ resourceVersion: '8' });
  expect(again.options.sendInitialEvents).toBeUndefined();
  again.open().send(added(object('a', 9)));
  await settle();
  expect(told).toEqual(['added a@9']);
});

test('H11 a server that used to send bookmarks and has become mute is listed anew: it may have been set back', async () => {
  const { api, synced, pass, clock } = scene();
  const watch = await synced([], '5');
  watch.send(bookmark(8));
  clock.advance(290_000);
  watch.end();
  for (let times = 0; times < 3; times += 1) {
    const quiet = (await api.next('watch')).open();
    await settle();
    clock.advance(290_000);
    quiet.end();
    await settle();
  }
  await pass();
  (await api.next('list')).page([], '9');
});

test('H12 H29 a quiet day without faults costs one list, and one watch per time limit', async () => {
  const { api, synced, clock } = scene();
  let watch = await synced([], '5');
  for (let times = 0; times < 298; times += 1) {
    watch.send(bookmark(6 + times));
    clock.advance(290_000);
    watch.end();
    const next = await api.next('watch');
    expect(next.options.resourceVersion).toBe(String(6 + times));
    watch = next.open();
    await settle();
  }
  expect(api.requests.filter(({ verb }) => verb === 'list')).toHaveLength(1);
  expect(clock.pending).toBe(0);
});

test('H12 watches that say nothing but that nothing happens are healthy', async () => {
  const { api, synced, clock } = scene();
  let watch = await synced([], '5');
  for (let times = 0; times < 10; times += 1) {
    watch.send(bookmark(5));
    await settle();
    clock.advance(290_000);
    watch.end();
    const next = await api.next('watch');
    expect(next.options.resourceVersion).toBe('5');
    watch = next.open();
    await settle();
  }
});

test.each([
  ['a 500', () => errors.internal()],
  ['a 403', () => errors.forbidden()],
  ['a 429', () => errors.tooMany(1)],
  ['a reset connection', broken],
  ['garbage', () => new MalformedResponseError('watch', 'a line of the watch is not JSON')],
  ['anything else', () => new TypeError('oops')],
])('H13 after %s the watch comes back by itself', async (_, error) => {
  const { api, synced, pass, told, cache } = scene();
  const watch = await synced([object('a', 3)], '5');
  watch.fail(error());
  await pass();
  (await api.next('watch')).fail(error());
  await pass();
  const again = await api.next('watch');
  expect(again.options.resourceVersion).toBe('5');
  expect(cache.problems()).toHaveLength(1);
  again.open().send(modified(object('a', 6)));
  await settle();
  expect(told).toEqual(['added a@3', 'modified a@6']);
  expect(cache.problems()).toEqual([]);
});

test('H14 bookmarks move the resourceVersion and are told to nobody', async () => {
  const { api, synced, pass, told } = scene();
  const watch = await synced([object('a', 3)], '5');
  watch.send(bookmark(50), bookmark(70));
  watch.fail(broken());
  await pass();
  expect((await api.next('watch')).options.resourceVersion).toBe('70');
  expect(told).toEqual(['added a@3']);
});

test('H15 H16 a relist tells what went, and of a name that came back the end and the beginning', async () => {
  const { api, synced, pass, told, changes } = scene();
  const watch = await synced([object('gone', 3), object('same', 3), object('again', 3), object('changed', 3)], '5');
  watch.fail(errors.expired());
  await pass();
  (await api.next('list')).page([object('same', 3), object('again', 8, { uid: 'other' }), object('changed', 7), object('new', 9)], '9');
  await api.next('watch');
  expect(told.slice(4)).toEqual(['deleted gone@3', 'deleted again@3', 'added again@8', 'modified changed@7', 'added new@9']);
  expect(changes[5]).toMatchObject({ isLastStateUnknown: true, object: { metadata: { uid: 'uid-again' } } });
  expect(changes[6]).toMatchObject({ isInitial: false, previous: undefined });
});

test('H16 a watch that shows another uid under a name tells the end of the first', async () => {
  const { synced, told } = scene();
  const watch = await synced([object('a', 3)], '5');
  watch.send(modified(object('a', 8, { uid: 'other' })));
  await settle();
  expect(told).toEqual(['added a@3', 'deleted a@3', 'added a@8']);
});

test('H17 reads before the first complete list throw, and half a list is never seen', async () => {
  const { api, cache, informer, told, pass } = scene();
  expect(() => informer.list()).toThrow(CacheNotSyncedError);
  cache.start();
  (await api.next('list')).page([object('a', 3)], '5', 'more');
  const second = await api.next('list');
  expect(() => informer.get(key('a'))).toThrow(CacheNotSyncedError);
  second.fail(errors.internal());
  await pass();
  expect(told).toEqual([]);
  // Another list, not the rest of the broken one; and its first page is empty.
  const anew = await api.next('list');
  expect(anew.options.continue).toBeUndefined();
  anew.page([], '7', 'more');
  (await api.next('list')).page([object('b', 6)], '7');
  await api.next('watch');
  expect(informer.list().map(({ metadata }) => metadata.name)).toEqual(['b']);
});

test('H17 a relist whose second page fails takes nothing away', async () => {
  const { api, synced, pass, informer, told } = scene();
  const watch = await synced([object('a', 3), object('b', 4)], '5');
  watch.fail(errors.expired());
  await pass();
  (await api.next('list')).page([object('a', 3)], '9', 'more');
  (await api.next('list')).fail(errors.internal());
  await pass();
  await api.next('list');
  expect(informer.list()).toHaveLength(2);
  expect(informer.isComplete).toBe(false);
  expect(told).toHaveLength(2);
});

test('H18 listeners know all before the cache says that it is synced', async () => {
  const { api, cache, informer } = scene();
  const seen: string[] = [];
  const secondary = cache.informer({ kind: informer.kind, select: { labels: { a: 'b' } } });
  secondary.onChange(({ object: { metadata } }) => seen.push(metadata.name));
  cache.start();
  const synced = cache.synced().then(() => seen.push('synced'));
  const [first, second] = [await api.next('list'), await api.next('list')];
  expect([first.options.labelSelector, second.options.labelSelector]).toEqual([undefined, 'a=b']);
  first.page([], '5');
  await settle();
  expect(seen).toEqual([]);
  second.page(
    Array.from({ length: 1000 }, (_, index) => object(`o${index}`, 3, { labels: { a: 'b' } })),
    '5',
  );
  await synced;
  expect(seen).toHaveLength(1001);
  expect(seen.at(-1)).toBe('synced');
});

test('H19 an expired page begins the list anew', async () => {
  const { api, cache, informer, pass } = scene();
  cache.start();
  (await api.next('list')).page([object('a', 3)], '5', 'more');
  (await api.next('list')).fail(errors.expired());
  await pass();
  (await api.next('list')).page([object('b', 6)], '7');
  await api.next('watch');
  expect(informer.list().map(({ metadata }) => metadata.name)).toEqual(['b']);
});

describe('H20 a streamed list', () => {
  const streaming = () => scene({ streamLists: true });

  test('is whole at the bookmark, and the stream goes on as the watch', async () => {
    const { api, cache, informer, told } = streaming();
    cache.start();
    const request = await api.next('watch');
    expect(request.options).toMatchObject({ sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' });
    const watch = request.open();
    watch.send(added(object('a', 3)), added(object('b', 4)), modified(object('a', 6)), deleted(object('b', 7)), bookmark(5));
    await settle();
    expect(() => informer.list()).toThrow(CacheNotSyncedError);
    watch.send(bookmark(8, true), added(object('c', 9)));
    await cache.synced();
    await settle();
    expect(told).toEqual(['added a@6', 'added c@9']);
    expect(api.requests).toHaveLength(1);
  });

  test('is asked for again when it broke, but not when the watch is resumed', async () => {
    const { api, cache, pass, clock } = streaming();
    cache.start();
    const first = (await api.next('watch')).open();
    first.send(added(object('a', 3)));
    first.fail(broken());
    await settle();
    await pass();
    const second = await api.next('watch');
    expect(second.options.sendInitialEvents).toBe(true);
    const watch = second.open();
    watch.send(bookmark(8, true));
    await settle();
    clock.advance(5_000);
    watch.end();
    const third = await api.next('watch');
    expect(third.options).toMatchObject({ resourceVersion: '8' });
    expect(third.options.sendInitialEvents).toBeUndefined();
  });

  test('that is refused is read in pages at once, and other kinds do not ask again', async () => {
    const { api, cache, clock, informer } = streaming();
    cache.start();
    (await api.next('watch')).fail(errors.invalid());
    await api.next('list');
    expect(clock.pending).toBe(0);
    expect(cache.problems()).toEqual([]);
    cache.informer({ kind: informer.kind, select: { labels: { a: 'b' } } });
    await api.next('list');
  });

  test('that never ends, as from a server that does not know of it, is read in pages', async () => {
    const { api, cache, clock } = streaming();
    cache.start();
    const watch = (await api.next('watch')).open();
    watch.send(added(object('a', 3)));
    await settle();
    clock.advance(10_000);
    await api.next('list');
    expect(watch.isOpen).toBe(false);
    expect(clock.pending).toBe(0);
  });

  test('that breaks again and again is read in pages', async () => {
    const { api, cache, pass } = streaming();
    cache.start();
    for (let times = 0; times < 3; times += 1) {
      (await api.next('watch')).fail(broken());
      await pass();
    }
    await api.next('list');
  });
});

test('H22 a 429 with Retry-After is waited out and tells nobody of an event', async () => {
  const { api, synced, pass, told } = scene();
  const watch = await synced([object('a', 3)], '5');
  watch.fail(errors.tooMany(20));
  expect(await pass()).toBeGreaterThanOrEqual(20_000);
  await api.next('watch');
  expect(told).toEqual(['added a@3']);
});

test('H23 what a listener throws is reported with its stack, and the stream goes on', async () => {
  const { synced, told, log, informer } = scene();
  informer.onChange(() => {
    throw new Error('listener is broken');
  });
  const watch = await synced([object('a', 3)], '5');
  watch.send(modified(object('a', 6)), modified(object('a', 7)));
  await settle();
  expect(told).toEqual(['added a@3', 'modified a@6', 'modified a@7']);
  const reported = log.filter(({ level }) => level === 'error');
  expect(reported).toHaveLength(3);
  expect(reported[0]).toMatchObject({ message: expect.stringContaining('listener is broken') });
  expect(String(reported[0]?.fields?.['stack'])).toContain('watch.test');
});

test('H24 events are told in the order of their arrival, within a chunk and across', async () => {
  const { synced, told } = scene();
  const watch = await synced([], '5');
  watch.send(...Array.from({ length: 300 }, (_, index) => modified(object('a', 6 + index))));
  for (let index = 300; index < 600; index += 1) watch.send(modified(object('a', 6 + index)));
  await settle();
  expect(told).toEqual(Array.from({ length: 600 }, (_, index) => `${index === 0 ? 'added' : 'modified'} a@${6 + index}`));
});

test('events that come faster than they are taken in leave room for the event loop', async () => {
  const { clock, synced, informer } = scene();
  const watch = await synced([], '5');
  let [isOver, before, most] = [false, 0, 0];
  // Each takes a while.
  informer.onChange(() => clock.block(1));
  for (let version = 10; version < 510; version += 1) watch.send(added(object(`a${version}`, version)));
  const count = (): void => {
    const { length } = informer.list();
    [most, before] = [Math.max(most, length - before), length];
    isOver = length === 500;
    if (!isOver) setImmediate(count);
  };
  count();
  while (!isOver) await settle();
  expect(most).toBeLessThanOrEqual(11);
});

test('H26 a second start, also from within a listener, opens no second watch', async () => {
  const { api, cache, synced, informer } = scene();
  informer.onChange(() => cache.start());
  cache.start();
  const watch = await synced([object('a', 3)], '5');
  watch.fail(broken());
  cache.start();
  await settle();
  expect(api.requests).toHaveLength(2);
  expect(cache.informer({ kind: informer.kind }).get(key('a'))).toBeDefined();
  await settle();
  expect(api.requests).toHaveLength(2);
});

test('H27 a watch that comes and goes leaves the cache synced', async () => {
  const { api, cache, synced, pass, informer } = scene();
  let watch = await synced([object('a', 3)], '5');
  for (let times = 0; times < 60; times += 1) {
    watch.fail(broken());
    await pass();
    watch = (await api.next('watch')).open();
    expect(informer.hasSynced).toBe(true);
    expect(cache.problems().every(({ hasSynced }) => hasSynced)).toBe(true);
    await settle();
  }
  await cache.synced();
});

test('H28 a kind that is not served any more: said once, asked for every few seconds, and over when a complete list has told what is left', async () => {
  const { api, synced, informer, told, pass, log } = scene();
  const watch = await synced([object('a', 3), object('b', 4)], '5');
  expect(informer.isServed).toBe(true);
  watch.fail(errors.notFound());
  const pauses = [await pass()];
  for (let times = 0; times < 9; times += 1) {
    (await api.next('list')).fail(errors.notFound());
    pauses.push(await pass());
    expect(informer.isServed).toBe(false);
  }
  expect(pauses).toEqual([400, 800, 1600, 3200, 6400, 6400, 6400, 6400, 6400, 6400]);
  expect(informer.list()).toHaveLength(2);
  const servedWhenTold: boolean[] = [];
  informer.onChange(({ isInitial }) => isInitial || servedWhenTold.push(informer.isServed));
  (await api.next('list')).page([object('a', 3)], '9');
  (await api.next('watch')).open();
  await settle();
  expect(told.slice(2)).toEqual(['deleted b@4']);
  expect([servedWhenTold, informer.isServed]).toEqual([[false], true]);
  expect(log.filter(({ level }) => level === 'warn')).toHaveLength(1);
});

test.each([
  ['NotInstalled', () => errors.notFound(), 'CustomResourceDefinition'],
  ['Forbidden', () => errors.forbidden(), 'cannot list'],
  ['Busy', () => errors.tooMany(3), 'storage is (re)initializing'],
] as const)('H28 %s at start: waited for, said once, and over by itself', async (reason, error, said) => {
  const { api, cache, pass, log, clock, informer } = scene();
  cache.start();
  const from = clock.monotonicMs();
  let requests = 0;
  while (clock.monotonicMs() - from < 34_000) {
    (await api.next('list')).fail(error());
    requests += 1;
    await clock.timer(() => true);
    expect(cache.problems()).toMatchObject([{ reason, hasSynced: false, sinceMs: 0 }]);
    await pass();
  }
  expect(requests).toBeLessThan(12);
  const warnings = log.filter(({ level }) => level === 'warn');
  expect(warnings).toHaveLength(1);
  expect(warnings[0]?.message).toContain(said);
  expect(cache.problems()[0]?.message).toContain(said);
  (await api.next('list')).page([], '5');
  (await api.next('watch')).open();
  await cache.synced();
  await settle();
  expect(cache.problems()).toEqual([]);
  expect(informer.hasSynced).toBe(true);
  expect(log.at(-1)).toMatchObject({ level: 'info' });
});

test('watches that a proxy cuts every twenty seconds are taken up again without delay: pauses grow only where a watch fails to stand', async () => {
  const { api, clock, synced, informer, pass } = scene();
  let watch = await synced([object('a', 3)], '5');
  for (let version = 10; version < 16; version += 1) {
    watch.send(modified(object('a', version)));
    await settle();
    clock.advance(20_000);
    watch.fail(broken());
    expect(await pass()).toBe(400);
    watch = (await api.next('watch')).open();
  }
  expect(informer.get(key('a'))?.metadata.resourceVersion).toBe('15');
  const pauses: number[] = [];
  for (let times = 0; times < 4; times += 1) {
    watch.fail(broken());
    pauses.push(await pass());
    watch = (await api.next('watch')).open();
  }
  expect(pauses).toEqual([800, 1600, 3200, 6400]);
});

test.each([
  ['within two minutes', 120_000, [400, 800, 1_600, 3_200]],
  ['more than two minutes apart', 120_001, [400, 800, 1_600, 400]],
])('failures %s are one series, or two', async (_name, afterMs, expected) => {
  const { api, cache, pass, clock } = scene();
  cache.start();
  const pauses: number[] = [];
  for (let times = 0; times < 3; times += 1) {
    (await api.next('list')).fail(errors.internal());
    await clock.timer(() => true);
    pauses.push(await pass());
  }
  // The pause is part of the time between two failures.
  const list = await api.next('list');
  clock.advance(afterMs - 1_600);
  list.fail(errors.internal());
  await clock.timer(() => true);
  pauses.push(await pass());
  expect(pauses).toEqual(expected);
});

test('the error that interrupts a watch is logged with what caused it', async () => {
  const { api, cache, log } = scene();
  cache.start();
  const cause = errors.forbidden();
  (await api.next('list')).fail(cause);
  await settle();
  expect(log.filter(({ level }) => level === 'warn').map(({ fields }) => fields?.['error'])).toEqual([cause]);
});

test('H29 many that were cut off together do not list together', async () => {
  const dues = new Set<number>();
  for (let index = 0; index < 50; index += 1) {
    const one = scene({ random: () => index / 50 });
    const watch = await one.synced([], '5');
    watch.fail(errors.expired());
    await one.pass();
    dues.add(one.clock.monotonicMs());
  }
  expect(dues.size).toBeGreaterThan(10);
});

test('H6 a relist that shows the past is not believed', async () => {
  const { api, synced, pass, informer, told } = scene();
  const watch = await synced([object('a', 3)], '5');
  watch.send(modified(object('a', 9)));
  watch.fail(errors.expired());
  await pass();
  const list = await api.next('list');
  // No resourceVersion: the server answers with its newest state; `0` would be whatever it has at hand.
  expect(list.options.resourceVersion).toBeUndefined();
  list.page([object('a', 3)], '5');
  await pass();
  expect(informer.get(key('a'))?.metadata.resourceVersion).toBe('9');
  (await api.next('list')).page([object('a', 9)], '12');
  await api.next('watch');
  expect(told).toEqual(['added a@3', 'modified a@9']);
});

test('H7 a server that was set back is asked again after its delay, then listed, and believed in the end', async () => {
  const { api, synced, pass, informer, log } = scene();
  const watch = await synced([object('a', 3)], '900');
  watch.fail(errors.tooLarge());
  expect(await pass()).toBeGreaterThanOrEqual(1_000);
  const again = await api.next('watch');
  expect(again.options.resourceVersion).toBe('900');
  again.fail(errors.tooLarge());
  await pass();
  for (let times = 0; times < 2; times += 1) {
    (await api.next('list')).page([object('b', 4)], '7');
    await pass();
    expect(informer.get(key('a'))).toBeDefined();
  }
  (await api.next('list')).page([object('b', 4)], '7');
  expect((await api.next('watch')).options.resourceVersion).toBe('7');
  expect(informer.list().map(({ metadata }) => metadata.name)).toEqual(['b']);
  expect(log.some(({ level, message }) => level === 'warn' && message.includes('gone back'))).toBe(true);
});

test('H7 a bookmark from the past ends the watch and begins a list', async () => {
  const { api, synced, pass } = scene();
  const watch = await synced([], '900');
  watch.send(bookmark(7));
  await pass();
  await api.next('list');
  expect(watch.isOpen).toBe(false);
});

test('H8 resource versions beyond 2^53, and those that are not numbers, keep their order', async () => {
  const { synced, told } = scene();
  const watch = await synced([object('a', '9007199254740991')], '9007199254740992');
  watch.send(modified(object('a', '9007199254740992')), modified(object('a', '9007199254740993')));
  await settle();
  // As a number the second is the first.
  expect(told.slice(1)).toEqual(['modified a@9007199254740993']);
  const other = scene();
  const texts = await other.synced([object('a', 'x3')], 'x5');
  texts.send(modified(object('a', 'x3')), modified(object('a', 'b9')));
  await settle();
  expect(other.told).toEqual(['added a@x3', 'modified a@b9']);
});

test('an event that comes twice is told once', async () => {
  const { synced, told } = scene();
  const watch = await synced([], '5');
  watch.send(added(object('a', 6)), added(object('a', 6)), modified(object('a', 7)), added(object('a', 6)));
  await settle();
  expect(told).toEqual(['added a@6', 'modified a@7']);
});

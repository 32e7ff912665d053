import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Interner } from '../../../src/runtime/cache/interner.js';
import { MalformedResponseError } from '../../../src/runtime/http/index.js';
import { added, bookmark, deleted, errors, key, modified, object, scene, settle, stopAll } from './scene.js';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

afterEach(stopAll);

/** Metadata as no API server stores it. */
const odd = (name: string, metadata: object): never => object(name, 3, { metadata }) as never;

describe('a list', () => {
  test('whose pages go in a circle is given up and begun anew, and nobody is told of half of it', async () => {
    const { api, cache, told, log, pass, informer } = scene();
    cache.start();
    for (let page = 0; api.requests.length < 12 && cache.problems().length === 0; page += 1) {
      (await api.next('list')).page([object(`a${page}`, 3)], '5', `token-${page % 3}`);
      await settle();
    }
    expect(cache.problems()).toMatchObject([
      {
        reason: 'Unavailable',
        message: expect.stringMatching(/^list of configmaps: the list never ends: after page \d+ its pages begin anew$/),
      },
    ]);
    expect(log.filter(({ level }) => level === 'warn')).toHaveLength(1);
    expect(told).toEqual([]);
    await pass();
    const next = await api.next('list');
    expect(next.options.continue).toBeUndefined();
    next.page([object('b', 4)], '6');
    (await api.next('watch')).open();
    await settle();
    expect(informer.list().map(({ metadata }) => metadata.name)).toEqual(['b']);
  });

  test('that has an object twice has it once', async () => {
    const { synced, told, informer } = scene();
    await synced([object('a', 3), object('b', 3), object('a', 4)], '5');
    expect(told.sort()).toEqual(['added a@4', 'added b@3']);
    expect(informer.list()).toHaveLength(2);
  });

  test('H21 metadata of the wrong types is left out, named once, and stops nobody', async () => {
    const { synced, informer, log } = scene();
    const watch = await synced(
      [
        odd('a', { labels: ['x'], annotations: { a: 5 }, ownerReferences: 'x', finalizers: [5], deletionTimestamp: 5, generation: 'x' }),
        odd('b', { labels: null, finalizers: null, ownerReferences: null }),
        odd('c', { ownerReferences: [null] }),
        object('good', 3, { labels: { app: 'x' } }),
      ],
      '5',
    );
    expect(informer.list({ labels: { app: 'x' } })).toHaveLength(1);
    expect(informer.get(key('a'))).toEqual(object('a', 3));
    expect(informer.get(key('b'))).toEqual(object('b', 3));
    expect(informer.invalidObjects).toEqual([
      {
        key: key('a'),
        message: expect.stringMatching(/^metadata\.labels, metadata\.annotations, metadata\.finalizers, .*: of another type/),
      },
      { key: key('c'), message: 'metadata.ownerReferences: of another type than Kubernetes has; left out' },
    ]);
    expect(log.filter(({ level }) => level === 'error')).toHaveLength(2);
    watch.send(deleted(object('a', 6, { metadata: { labels: 5 } })));
    await settle();
    expect(informer.get(key('a'))).toBeUndefined();
  });

  test('keeps metadata that is as Kubernetes has it', async () => {
    const { synced, informer } = scene();
    const metadata = {
      labels: { app: 'x' },
      annotations: { note: '' },
      finalizers: ['example.com/a'],
      ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u', controller: true }],
      deletionTimestamp: '2030-01-01T00:00:00Z',
      creationTimestamp: '2029-01-01T00:00:00Z',
      generation: 7,
    };
    await synced([object('a', 3, { metadata })], '5');
    expect(informer.get(key('a'))?.metadata).toMatchObject(metadata);
    expect(informer.invalidObjects).toEqual([]);
  });

  test.each(['apiVersion', 'kind', 'name', 'uid'])('leaves out owners of which one has no %s', async (field) => {
    const { synced, informer } = scene();
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u' };
    await synced([odd('a', { ownerReferences: [owner, { ...owner, [field]: undefined }] })], '5');
    expect(informer.get(key('a'))?.metadata.ownerReferences).toBeUndefined();
    expect(informer.invalidObjects.map(({ message }) => message)).toEqual([
      'metadata.ownerReferences: of another type than Kubernetes has; left out',
    ]);
  });

  test.each<[string, object, string]>([
    ['a name that is a number', { name: 5 }, 'it has no metadata.name, but a value of type number there'],
    ['a namespace that is a list', { namespace: [] }, 'it has no metadata.namespace, but a list there'],
    ['a uid that is a number', { uid: 5 }, 'it has no metadata.uid, but a value of type number there'],
    ['a resourceVersion that is a number', { resourceVersion: 5 }, 'it has no metadata.resourceVersion, but a value of type number there'],
    ['an empty resourceVersion', { resourceVersion: '' }, 'it has no metadata.resourceVersion'],
  ])('H21 an object with %s is named and not held', async (_, metadata, message) => {
    const { synced, informer } = scene();
    await synced([odd('a', metadata), object('good', 3)], '5');
    expect(informer.list().map((one) => one.metadata.name)).toEqual(['good']);
    expect(informer.invalidObjects.map((one) => one.message)).toEqual([message]);
  });

  test.each([
    [null, ''],
    [5, ''],
    ['x', ''],
    [[], ''],
    [{}, ''],
    [{ metadata: null }, ''],
    [{ metadata: 'x' }, ', but a value of type string there'],
    [{ metadata: [] }, ', but a list there'],
  ])('H21 an item that is %j is none', async (item, found) => {
    const { synced, informer } = scene();
    await synced([item as never, object('good', 3)], '5');
    expect(informer.list()).toHaveLength(1);
    expect(informer.invalidObjects).toEqual([{ key: undefined, message: `it has no metadata${found}` }]);
  });

  test('many objects in trouble are told of once each, and those that never come again are forgotten', async () => {
    const { synced, informer, log, pass, api } = scene();
    const many = Array.from({ length: 3_000 }, (_, index) => odd(`a${index}`, index % 3 === 0 ? { name: 5 } : { resourceVersion: 5 }));
    const watch = await synced(many, '5');
    while (informer.invalidObjects.length === 0) await settle();
    expect(informer.invalidObjects.length).toBeLessThanOrEqual(1_000);
    expect(log.filter(({ level }) => level === 'error')).toHaveLength(2_001);
    watch.fail(errors.expired());
    await settle();
    await pass();
    (await api.next('list')).page([object('good', 6)], '7');
    (await api.next('watch')).open();
    await settle();
    expect(informer.invalidObjects).toEqual([]);
  });
});

describe('a watch', () => {
  test('that sends the same unreadable event from the same resourceVersion is left for a list, which leads past it', async () => {
    const { synced, api, pass, informer, log } = scene();
    let watch = await synced([object('a', 3)], '5');
    for (let attempt = 1; attempt < 3; attempt += 1) {
      watch.fail(new MalformedResponseError('watch of /api/v1/configmaps', 'an event of unknown type "NEWS"'));
      await settle();
      await pass();
      const request = await api.next('watch');
      expect(request.options.resourceVersion).toBe('5');
      watch = request.open();
      await settle();
    }
    watch.fail(new MalformedResponseError('watch of /api/v1/configmaps', 'an event of unknown type "NEWS"'));
    await settle();
    await pass();
    (await api.next('list')).page([object('b', 8)], '9');
    expect((await api.next('watch')).options.resourceVersion).toBe('9');
    await settle();
    expect(informer.list().map(({ metadata }) => metadata.name)).toEqual(['b']);
    expect(log.filter(({ level }) => level === 'warn').map(({ message }) => message)).toEqual([
      'ConfigMap: the watch is interrupted: watch of /api/v1/configmaps: an event of unknown type "NEWS"',
    ]);
  });

  test('that sends nothing but bookmarks for a day is quiet, not broken', async () => {
    const { synced, informer, cache, api } = scene();
    const watch = await synced([object('a', 3)], '5');
    for (let minute = 6; minute < 1_446; minute += 1) watch.send(bookmark(minute), bookmark(minute));
    await settle();
    while (informer.resourceVersion !== '1445') await settle();
    expect(cache.problems()).toEqual([]);
    expect(api.requests).toHaveLength(2);
  });

  test('H8 that claims a resourceVersion beyond all others is found out by its next bookmark', async () => {
    const { synced, api, pass, informer } = scene();
    const watch = await synced([object('a', 3)], '5');
    watch.send(modified(object('a', '9'.repeat(30))), modified(object('a', 7)), bookmark(8));
    await settle();
    for (let list = 0; list < 3; list += 1) {
      await pass();
      (await api.next('list')).page([object('a', 7)], '8');
      await settle();
    }
    expect((await api.next('watch')).options.resourceVersion).toBe('8');
    expect(informer.get(key('a'))?.metadata.resourceVersion).toBe('7');
  });

  test('a Retry-After of a year is not waited out', async () => {
    const { api, cache, clock } = scene();
    cache.start();
    (await api.next('list')).fail(errors.tooMany(365 * 24 * 3_600));
    await settle();
    clock.advance(61_000);
    await settle();
    expect((await api.next('list')).options.continue).toBeUndefined();
  });
});

describe('a streamed list', () => {
  test('in which changes and bookmarks go on, but no object comes any more, is read in pages', async () => {
    const { api, cache, clock } = scene({ streamLists: true });
    cache.start();
    const watch = (await api.next('watch')).open();
    watch.send(added(object('a', 3)));
    await settle();
    for (let second = 0; second < 10; second += 1) {
      clock.advance(1_000);
      watch.send(modified(object('a', 4 + second)), bookmark(4 + second));
      await settle();
    }
    expect((await api.next('list')).options.continue).toBeUndefined();
    expect(watch.isOpen).toBe(false);
  });

  test('that sends one more object for ever is read in pages', async () => {
    const { api, cache, clock, log } = scene({ streamLists: true });
    cache.start();
    const watch = (await api.next('watch')).open();
    for (let second = 0; api.unanswered === 0 && second < 400; second += 1) {
      watch.send(added(object(`a${second}`, second)));
      await settle();
      clock.advance(1_000);
      await settle();
    }
    expect(clock.monotonicMs()).toBeLessThan(305_000);
    await api.next('list');
    expect(log.every(({ level }) => level !== 'error')).toBe(true);
  });
});

test('H21 an object that nests thousands of levels deep is held, and harms no other', async () => {
  const { synced, informer, cache } = scene();
  const text = `{"a":${'['.repeat(9_000)}${']'.repeat(9_000)}}`;
  await synced([{ ...object('deep', 3), spec: JSON.parse(text) as object } as never, object('good', 3)], '5');
  expect(informer.list()).toHaveLength(2);
  expect(informer.get(key('deep'))).toHaveProperty('spec.a.0.0.0');
  expect(cache.problems()).toEqual([]);
});

test.each<[string, (text: string) => object]>([
  ['a map', (text) => ({ file: text })],
  ['a list', (text) => [text]],
  ['lists in maps', (text) => ({ files: [{ file: text }] })],
])('what large objects have been is not kept for sharing: %s', async (_, dataOf) => {
  const interner = new Interner();
  const large = 'x'.repeat(90_000);
  const versions = Array.from({ length: 400 }, (_, version) => {
    const data = dataOf(`${version}${large}`);
    interner.share({ kind: 'ConfigMap', data });
    return new WeakRef(data);
  });
  // A new reference of this kind keeps its object until the end of the turn.
  await settle();
  gc();
  // Two generations, each of some forty-five.
  expect(versions.filter((version) => version.deref() !== undefined).length).toBeLessThan(150);
  // It is in use: else all of them were gone.
  expect(interner.share({ data: dataOf(`399${large}`) })).toEqual({ data: dataOf(`399${large}`) });
});

test('own writes while the watch is away for long: the newest is read until the watch has come as far, and none is kept', async () => {
  const { synced, informer, told } = scene();
  const watch = await synced([object('a', 3)], '5');
  for (let version = 10; version < 2_000; version += 1) informer.written(object('a', version));
  expect(informer.get(key('a'))?.metadata.resourceVersion).toBe('1999');
  watch.send(modified(object('a', 10)), modified(object('a', 1_998)));
  await settle();
  expect(informer.get(key('a'))?.metadata.resourceVersion).toBe('1999');
  watch.send(modified(object('a', 1_999)), modified(object('a', 2_000)));
  await settle();
  expect(informer.get(key('a'))?.metadata.resourceVersion).toBe('2000');
  expect(told.slice(-4)).toEqual(['modified a@10', 'modified a@1998', 'modified a@1999', 'modified a@2000']);
});

import { ConfigMap, Namespace } from 'keelson/kinds/core/v1';
import { CacheRequestError, CacheStoppedError } from '../../../src/runtime/cache/index.js';
import { added, deleted, errors, key, modified, object, scene, settle, stopAll } from './scene.js';

afterEach(stopAll);

test('equal requests share one list and one watch; others do not', async () => {
  const { api, cache } = scene({}, { select: { labels: { a: 'b', c: 'd' } } });
  cache.informer({ kind: ConfigMap, select: { labelSelector: { matchLabels: { c: 'd', a: 'b' } } } });
  cache.informer({ kind: ConfigMap, select: { labels: { c: 'd', a: 'b' } } });
  cache.start();
  await settle();
  expect(api.requests.map(({ options }) => options.labelSelector)).toEqual(['a=b,c=d']);
  cache.informer({ kind: ConfigMap, select: { labels: { a: 'b', c: 'd' } }, metadataOnly: true });
  cache.informer({ kind: ConfigMap, select: { fields: { 'metadata.name': 'x' } } });
  await settle();
  expect(api.requests).toHaveLength(3);
});

test('several namespaces are watched one by one, behind one face', async () => {
  const { api, cache, informer, told } = scene({ namespaces: ['one', 'two'] });
  cache.start();
  const [first, second] = [await api.next('list'), await api.next('list')];
  expect([first.options.namespace, second.options.namespace]).toEqual(['one', 'two']);
  first.page([object('a', 3, { namespace: 'one' })], '5');
  await settle();
  expect(() => informer.list()).toThrow('ConfigMap');
  second.page([object('a', 4, { namespace: 'two' })], '6');
  await cache.synced();
  expect(informer.list().map(({ metadata }) => metadata.namespace)).toEqual(['one', 'two']);
  expect(informer.list({ namespace: 'two' })).toHaveLength(1);
  expect(informer.list({ namespace: 'three' })).toEqual([]);
  expect(informer.get(key('a', 'one'))?.metadata.resourceVersion).toBe('3');
  expect(informer.get(key('a', 'three'))).toBeUndefined();
  informer.written(object('b', 9, { namespace: 'two' }));
  informer.written(object('b', 9, { namespace: 'three' }));
  expect(informer.list()).toHaveLength(3);
  expect(told).toHaveLength(2);
});

test('a selected namespace narrows the operator’s, and none left is refused', async () => {
  const { cache, api } = scene({ namespaces: ['one', 'two'] }, { select: { namespaces: ['two', 'three'] } });
  cache.informer({ kind: Namespace });
  cache.start();
  await settle();
  expect(api.requests.map(({ options }) => options.namespace)).toEqual(['two', undefined]);
  expect(() => cache.informer({ kind: ConfigMap, select: { namespaces: ['three'] } })).toThrow(CacheRequestError);
  expect(() => cache.informer({ kind: ConfigMap, select: { labels: { a: 'not valid!' } } })).toThrow(CacheRequestError);
});

test('listeners that come late are told of what is there, and each change once', async () => {
  const { synced, informer } = scene();
  const watch = await synced([object('a', 3)], '5');
  const late: string[] = [];
  const end = informer.onChange((change) => late.push(`${change.type} ${change.object.metadata.name} ${change.isInitial}`));
  expect(late).toEqual(['added a true']);
  watch.send(modified(object('a', 6)));
  await settle();
  end();
  watch.send(modified(object('a', 7)));
  await settle();
  expect(late).toEqual(['added a true', 'modified a false']);
});

test('a listener that comes while a long list is told hears of everything once', async () => {
  const { api, cache, informer } = scene();
  const names: string[] = [];
  let isFirst = true;
  informer.onChange(() => {
    if (!isFirst) return;
    isFirst = false;
    informer.onChange(({ object: { metadata } }) => names.push(metadata.name));
  });
  cache.start();
  (await api.next('list')).page(
    Array.from({ length: 900 }, (_, index) => object(`o${index}`, 3)),
    '5',
  );
  await cache.synced();
  expect(names).toHaveLength(900);
  expect(new Set(names).size).toBe(900);
});

test('indexes follow the objects, and each request has its own names', async () => {
  const { synced, cache, informer } = scene();
  const byData = cache.informer({ kind: ConfigMap, indexes: { by: (one) => Object.keys((one['data'] ?? {}) as object) } });
  const byName = cache.informer({ kind: ConfigMap, indexes: { by: ({ metadata }) => [metadata.name] } });
  const watch = await synced([object('a', 3, { data: { x: '1', y: '2' } }), object('b', 3, { data: { y: '3' } })], '5');
  const names = (by: string) => byData.list({ index: { by } }).map(({ metadata }) => metadata.name);
  expect([names('x'), names('y'), names('a')]).toEqual([['a'], ['a', 'b'], []]);
  expect(byName.list({ index: { by: 'a' } })).toHaveLength(1);
  watch.send(modified(object('a', 6, { data: { z: '1' } })), deleted(object('b', 7)), added(object('c', 8, { data: { x: '' } })));
  await settle();
  expect([names('x'), names('y'), names('z')]).toEqual([['c'], [], ['a']]);
  const late = cache.informer({ kind: ConfigMap, indexes: { late: (one) => Object.keys((one['data'] ?? {}) as object) } });
  expect(late.list({ index: { late: 'z' }, namespace: 'default' })).toHaveLength(1);
  expect(() => informer.list({ index: { by: 'x' } })).toThrow(CacheRequestError);
});

test('lists are narrowed by labels and selectors', async () => {
  const { synced, informer } = scene();
  await synced([object('a', 3, { labels: { tier: 'x' } }), object('b', 3, { labels: { tier: 'y' } }), object('c', 3)], '5');
  const names = (options: Parameters<typeof informer.list>[0]) => informer.list(options).map(({ metadata }) => metadata.name);
  expect(names({ labels: { tier: 'x' } })).toEqual(['a']);
  expect(names({ labelSelector: { matchExpressions: [{ key: 'tier', operator: 'NotIn', values: ['x'] }] } })).toEqual(['b', 'c']);
  expect(names({ labels: { tier: 'y' }, labelSelector: { matchExpressions: [{ key: 'tier', operator: 'Exists' }] } })).toEqual(['b']);
  expect(() => informer.list({ labels: { 'not a key': 'x' } })).toThrow(CacheRequestError);
});

test('managedFields are dropped, objects are transformed, and metadata alone is kept where it was asked for', async () => {
  const { synced, informer } = scene({ transform: (one) => ({ ...one, data: { kept: 'yes' } }) });
  await synced([object('a', 3, { data: { secret: 'x' }, metadata: { managedFields: [{ manager: 'me' }] } })], '5');
  expect(informer.get(key('a'))).toEqual(object('a', 3, { data: { kept: 'yes' } }));
  const bare = scene({}, { metadataOnly: true });
  await bare.synced([object('a', 3, { data: { secret: 'x' } })], '5');
  bare.informer.written(object('b', 7, { data: { secret: 'x' } }));
  expect(bare.informer.list().map((one) => Object.keys(one))).toEqual([
    ['apiVersion', 'kind', 'metadata'],
    ['apiVersion', 'kind', 'metadata'],
  ]);
});

test('H21 objects that cannot be taken in are named, once, and stop nothing', async () => {
  const { synced, informer, log, cache } = scene({
    transform: (one) => {
      (one as Record<string, unknown>)['data'] = {};
      if (one.metadata.name === 'bad') throw new Error('cannot transform');
      if (one.metadata.name === 'worse') return { ...one, metadata: { ...one.metadata, uid: 'changed' } };
      return one;
    },
  });
  cache.informer({
    kind: ConfigMap,
    indexes: {
      by: ({ metadata }) => {
        if (metadata.name === 'ugly') throw new Error('cannot index');
        return ['all'];
      },
    },
  });
  const nameless = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { uid: 'x', resourceVersion: '3' } } as never;
  const watch = await synced(
    [object('bad', 3, { data: { a: 'b' } }), object('worse', 3), object('ugly', 3), nameless, object('good', 3)],
    '5',
  );
  // As it came, not half transformed.
  expect(informer.get(key('bad'))).toMatchObject({ data: { a: 'b' } });
  expect(informer.list()).toHaveLength(4);
  expect(informer.invalidObjects).toEqual([
    { key: undefined, message: 'it has no metadata.name' },
    { key: key('bad'), message: 'transform: Error: cannot transform' },
    { key: key('worse'), message: expect.stringContaining('uid') },
    { key: key('ugly'), message: 'index: Error: cannot index' },
  ]);
  watch.send({ type: 'ADDED', object: {} as never }, modified(object('good', 6)), deleted(object('bad', 7)));
  await settle();
  expect(informer.get(key('good'))?.metadata.resourceVersion).toBe('6');
  expect(informer.invalidObjects.map((one) => one.key?.name)).toEqual([undefined, 'worse', 'ugly']);
  expect(log.filter(({ level }) => level === 'error').map(({ fields }) => fields?.['object'])).toContainEqual(key('ugly'));
});

test('what is handed out is frozen where that is asked for', async () => {
  const { synced, informer } = scene();
  await synced([object('a', 3, { data: { x: '1' } })], '5');
  const found = informer.get(key('a')) as unknown as { data: Record<string, string> };
  expect(() => {
    found.data['x'] = '2';
  }).toThrow(TypeError);
});

test('H64 stopping ends requests and pauses, and rejects who waits', async () => {
  const { api, cache, clock } = scene();
  cache.informer({ kind: Namespace });
  cache.start();
  (await api.next('list')).page([], '5');
  (await api.next('list')).fail(errors.internal());
  const watch = (await api.next('watch')).open();
  await settle();
  expect(clock.pending).toBe(1);
  const waiting = cache.synced();
  await Promise.all([expect(waiting).rejects.toThrow(CacheStoppedError), cache.stop()]);
  expect(clock.pending).toBe(0);
  expect(watch.isOpen).toBe(false);
  cache.start();
  cache.informer({ kind: ConfigMap, select: { labels: { a: 'b' } } });
  await settle();
  expect(api.unanswered).toBe(0);
  await expect(cache.synced()).rejects.toThrow(CacheStoppedError);
});

test('waiting for the cache ends with the signal', async () => {
  const { cache } = scene();
  const controller = new AbortController();
  const waiting = cache.synced(controller.signal);
  controller.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  await expect(cache.synced(controller.signal)).rejects.toThrow('enough');
});

test('what is asked for after the start is listed, and waited for', async () => {
  const { api, cache, synced } = scene();
  await synced([], '5');
  await cache.synced();
  const late = cache.informer({ kind: Namespace });
  let isSynced = false;
  const waiting = cache.synced().then(() => {
    isSynced = true;
  });
  const list = await api.next('list');
  await settle();
  expect(isSynced).toBe(false);
  list.page([], '5');
  await waiting;
  expect(late.list()).toEqual([]);
});

test('H13 a mistake inside the cache does not end it', async () => {
  let draws = 0;
  const { api, synced, pass, log } = scene({
    random: () => {
      draws += 1;
      if (draws === 1) throw new Error('no more random numbers');
      return 0.5;
    },
  });
  const watch = await synced([], '5');
  watch.fail(errors.internal());
  const again = await api.next('watch');
  again.fail(errors.internal());
  await pass();
  await api.next('watch');
  expect(log.filter(({ level }) => level === 'error')).toMatchObject([{ message: expect.stringContaining('the cache failed') }]);
});

test('an observer that throws is reported and changes nothing', async () => {
  const { synced, told, log } = scene({
    observer: {
      changed: () => {
        throw new Error('observer is broken');
      },
    },
  });
  const watch = await synced([object('a', 3)], '5');
  watch.send(modified(object('a', 6)));
  await settle();
  expect(told).toEqual(['added a@3', 'modified a@6']);
  expect(log.filter(({ level }) => level === 'error')).toHaveLength(2);
});

test('the observer hears of lists, watches, failures and changes', async () => {
  const heard: string[] = [];
  const { synced, pass } = scene({
    observer: {
      listed: ({ kind }, { objects, isInitial }) => heard.push(`listed ${objects} ${kind} ${isInitial}`),
      watching: ({ kind }) => heard.push(`watching ${kind}`),
      failed: (_, reason) => heard.push(`failed ${reason}`),
      changed: (_, type, count) => heard.push(`${type} ${count}`),
    },
  });
  const watch = await synced([object('a', 3), object('b', 4)], '5');
  watch.fail(errors.internal());
  await pass();
  expect(heard).toEqual(['listed 2 ConfigMap true', 'added 2', 'watching ConfigMap', 'failed Unavailable']);
});

import { added, bookmark, deleted, errors, key, modified, object, scene, settle, stopAll } from './scene.js';

afterEach(stopAll);

const SIGNAL = new AbortController().signal;
const shown = (informer: ReturnType<typeof scene>['informer']): readonly string[] =>
  informer.list().map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion} ${metadata.uid}`);

test('H6 what a refresh finds is read at once, however far the watch is behind; listeners are told by the watch', async () => {
  const { synced, api, informer, told } = scene();
  const watch = await synced([object('a', 3), object('b', 4), object('c', 4), object('d', 5)], '5');
  const refreshed = informer.refresh(SIGNAL);
  const list = await api.next('list');
  expect(list.options).toMatchObject({ limit: 250, continue: undefined });
  expect(list.options.resourceVersion).toBeUndefined();
  list.page([object('a', 3), object('b', 9)], '12', 'next');
  const second = await api.next('list');
  expect(second.options.continue).toBe('next');
  second.page([object('d', 8, { uid: 'other' }), object('e', 10)], '12');
  await refreshed;
  const state = ['a@3 uid-a', 'b@9 uid-b', 'd@8 other', 'e@10 uid-e'];
  expect([...shown(informer)].sort()).toEqual(state);
  expect(informer.get(key('c'))).toBeUndefined();
  expect(told).toEqual(['added a@3', 'added b@4', 'added c@4', 'added d@5']);

  watch.send(deleted(object('d', 6)), deleted(object('c', 7)), added(object('d', 8, { uid: 'other' })));
  watch.send(modified(object('b', 9)), added(object('e', 10)), bookmark(12));
  await settle();
  expect([...shown(informer)].sort()).toEqual(state);
  expect(told.slice(4)).toEqual(['deleted d@6', 'deleted c@7', 'added d@8', 'modified b@9', 'added e@10']);
});

test('H4 what was made or deleted since the moment of the refresh stays as the watch has told it', async () => {
  const { synced, api, informer } = scene();
  const watch = await synced([object('a', 3), object('b', 4)], '5');
  const refreshed = informer.refresh(SIGNAL);
  const list = await api.next('list');
  watch.send(added(object('new', 14)), deleted(object('a', 15)));
  await settle();
  list.page([object('a', 3), object('b', 4)], '12');
  await refreshed;
  expect([...shown(informer)].sort()).toEqual(['b@4 uid-b', 'new@14 uid-new']);
});

test('what it fails with is thrown, and what is held stays', async () => {
  const { synced, api, informer } = scene();
  await synced([object('a', 3), object('b', 4)], '5');
  const refreshed = informer.refresh(SIGNAL);
  (await api.next('list')).page([object('a', 3)], '12', 'next');
  (await api.next('list')).fail(errors.expired());
  await expect(refreshed).rejects.toThrow('too old resource version');
  expect([...shown(informer)].sort()).toEqual(['a@3 uid-a', 'b@4 uid-b']);
});

test('each namespace is asked for by itself', async () => {
  const { cache, api, informer } = scene({ namespaces: ['one', 'two'] });
  cache.start();
  for (const namespace of ['one', 'two']) (await api.next('list')).page([object('a', 3, { namespace, uid: namespace })], '5');
  for (let watches = 0; watches < 2; watches += 1) (await api.next('watch')).open();
  await cache.synced();
  const refreshed = informer.refresh(SIGNAL);
  for (const namespace of ['one', 'two']) {
    const list = await api.next('list');
    expect(list.options.namespace).toBe(namespace);
    list.page(namespace === 'one' ? [] : [object('a', 9, { namespace, uid: namespace })], '12');
  }
  await refreshed;
  expect(shown(informer)).toEqual(['a@9 two']);
});

import { ConfigMap } from 'keelson/kinds/core/v1';
import { added, errors, key, object, scene, settle, stopAll } from './scene.js';

afterEach(stopAll);

/** A scene whose only request is that of a kind that may be missing. */
function optionalScene() {
  const failed: string[] = [];
  const observer = { failed: ({ kind }: { readonly kind: string }, reason: string) => void failed.push(`${kind} ${reason}`) };
  const made = scene({ observer }, { kind: { ...ConfigMap, plural: 'others' } });
  const { cache } = made;
  const informer = cache.optional({ kind: ConfigMap });
  const heard: boolean[] = [];
  informer.onServed(() => heard.push(informer.isServed));
  return { ...made, informer, heard, failed };
}

test('H28: an optional kind that is not served is known to have nothing, and is no problem', async () => {
  const { api, cache, informer, heard, log, failed } = optionalScene();
  expect(informer.hasSynced).toBe(false);
  cache.start();
  // The other kind.
  await api.next('list');
  (await api.next('list')).fail(errors.notFound());
  await settle();
  await cache.synced(undefined, [informer]);
  expect([informer.hasSynced, informer.isServed, informer.isComplete]).toEqual([true, false, true]);
  expect([informer.get(key('a')), informer.list(), heard]).toEqual([undefined, [], []]);
  expect(cache.problems()).toEqual([]);
  expect([log.map(({ level }) => level), failed]).toEqual([['info'], []]);
  // Nothing is asked for that the server would answer with 404.
  await informer.refresh(new AbortController().signal);
});

test('H28: a kind that is not served stays so, whatever else fails, until its list is complete; its end is told as well', async () => {
  const { api, cache, clock, informer, heard } = optionalScene();
  cache.start();
  const other = await api.next('list');
  (await api.next('list')).fail(errors.notFound());
  await settle();
  const again = async () => {
    await clock.timer(() => true);
    while (clock.pending > 0) clock.advance(50);
    return api.next('list');
  };
  (await again()).fail(errors.internal());
  await settle();
  expect([informer.isServed, informer.hasSynced, informer.list()]).toEqual([false, true, []]);
  (await again()).page([object('a', 1)], '1');
  const watch = (await api.next('watch')).open();
  await settle();
  expect([informer.isServed, informer.list().length, heard]).toEqual([true, 1, [true]]);
  watch.send(added(object('b', 2)));
  watch.end();
  await settle();
  while (clock.pending > 0) clock.advance(50);
  (await api.next('watch')).fail(errors.notFound());
  await settle();
  expect([informer.isServed, informer.get(key('b')), informer.list(), heard]).toEqual([false, undefined, [], [true, false]]);
  other.fail(errors.internal());
});

test('a kind that one needs and another does not is one watch, and a problem for the one alone', async () => {
  const { api, cache, informer, log } = scene();
  const optional = cache.optional({ kind: ConfigMap });
  cache.start();
  (await api.next('list')).fail(errors.notFound());
  await settle();
  expect([informer.hasSynced, optional.hasSynced]).toEqual([false, true]);
  expect(cache.problems()).toMatchObject([{ reason: 'NotInstalled' }]);
  expect(log.map(({ level }) => level)).toEqual(['warn']);
  expect(api.requests).toHaveLength(1);
});

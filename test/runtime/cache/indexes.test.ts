import { ConfigMap } from 'keelson/kinds/core/v1';
import { type CacheClient, CacheRequestError, type IndexFunction, type StoredObject } from '../../../src/runtime/cache/index.js';
import { added, deleted, errors, key, modified, object, scene, settle, stopAll } from './scene.js';

afterEach(stopAll);

const dataKeys: IndexFunction = (one) => Object.keys((one['data'] ?? {}) as object);
const labels: IndexFunction = ({ metadata }) => Object.keys(metadata.labels ?? {});

describe('a read by index', () => {
  const indexed = async () => {
    const made = scene();
    const informer = made.cache.informer({ kind: ConfigMap, indexes: { data: dataKeys, label: labels } });
    const watch = await made.synced(
      [
        object('a', 3, { data: { x: '' }, labels: { l: '' } }),
        object('b', 3, { data: { x: '', y: '' } }),
        object('c', 3, { labels: { l: '' }, namespace: 'other' }),
        object('d', 3, { data: { x: '' }, labels: { l: '' }, namespace: 'other' }),
      ],
      '5',
    );
    const names = (options: Parameters<typeof informer.list>[0]): readonly string[] =>
      informer.list(options).map(({ metadata }) => metadata.name);
    return { ...made, informer, watch, names };
  };

  test('takes what all of several indexes have, narrowed by namespace', async () => {
    const { names } = await indexed();
    expect(names({ index: { data: 'x', label: 'l' } })).toEqual(['a', 'd']);
    expect(names({ index: { label: 'l', data: 'x' } })).toEqual(['a', 'd']);
    expect(names({ index: { data: 'y', label: 'l' } })).toEqual([]);
    expect(names({ index: { data: 'x', label: 'l' }, namespace: 'other' })).toEqual(['d']);
    expect(names({ index: { data: 'none', label: 'l' } })).toEqual([]);
  });

  test('with a value that is left open is a read without it', async () => {
    const { names } = await indexed();
    expect(names({ index: { data: undefined, label: 'l' } })).toEqual(['a', 'c', 'd']);
  });

  test('that is not declared names those that are, inherited names not among them', async () => {
    const { informer, cache } = await indexed();
    expect(() => informer.list({ index: { toString: 'x' } })).toThrow(CacheRequestError);
    expect(() => informer.list({ index: { by: 'x' } })).toThrow('ConfigMap: there is no index "by"; declared are data, label');
    expect(() => cache.informer({ kind: ConfigMap }).list({ index: { by: 'x' } })).toThrow(
      'ConfigMap: there is no index "by"; none is declared',
    );
  });

  test('finds own writes where all of its indexes have them', async () => {
    const { informer, names } = await indexed();
    informer.written(object('e', 9, { data: { x: '' } }));
    expect(names({ index: { data: 'x' } })).toEqual(['a', 'b', 'd', 'e']);
    expect(names({ index: { data: 'x', label: 'l' } })).toEqual(['a', 'd']);
  });

  test('whose function says something else the second time leaves no object behind', async () => {
    const { cache, synced } = scene();
    let times = 0;
    const by = (): readonly string[] => {
      times += 1;
      return [String(times)];
    };
    const informer = cache.informer({ kind: ConfigMap, indexes: { by } });
    const watch = await synced([object('a', 3)], '5');
    watch.send(modified(object('a', 6)), deleted(object('a', 7)));
    await settle();
    for (let value = 1; value <= times; value += 1) expect(informer.list({ index: { by: String(value) } })).toEqual([]);
    expect(times).toBe(2);
  });

  test('has an object once whose function names a value twice', async () => {
    const { cache, synced } = scene();
    const informer = cache.informer({ kind: ConfigMap, indexes: { by: () => ['x', 'x'] } });
    await synced([object('a', 3)], '5');
    expect(informer.list({ index: { by: 'x' } })).toHaveLength(1);
  });
});

describe('a listener', () => {
  test.each([1, 500])('that ends itself at its first change hears of no other, of %d', async (count) => {
    const { cache, api, informer } = scene();
    let heard = 0;
    const end = informer.onChange(() => {
      heard += 1;
      end();
    });
    cache.start();
    (await api.next('list')).page(
      Array.from({ length: count + 1 }, (_, index) => object(`a${index}`, 3)),
      '5',
    );
    await cache.synced();
    expect(heard).toBe(1);
  });

  test('that fails is reported with the change, and those behind it hear of it', async () => {
    const { synced, informer, log } = scene();
    const heard: string[] = [];
    informer.onChange(() => {
      throw new TypeError('not again');
    });
    informer.onChange(({ type }) => heard.push(type));
    const watch = await synced([object('a', 3)], '5');
    watch.send(deleted(object('a', 6)));
    await settle();
    expect(heard).toEqual(['added', 'deleted']);
    expect(log).toMatchObject([
      {
        level: 'error',
        message: 'ConfigMap: a listener failed: TypeError: not again',
        fields: { kind: 'ConfigMap', object: key('a'), change: 'added', stack: expect.stringContaining('not again') },
      },
      { fields: { change: 'deleted' } },
    ]);
  });

  test('that throws nothing is reported all the same', async () => {
    const { synced, informer, log } = scene();
    informer.onChange(() => {
      // oxlint-disable-next-line typescript/only-throw-error
      throw undefined;
    });
    await synced([object('a', 3)], '5');
    expect(log).toMatchObject([{ message: 'ConfigMap: a listener failed: undefined', fields: { stack: undefined } }]);
  });
});

describe('a list', () => {
  test('without namespaces: a read of one finds nothing, and of none all', async () => {
    const { synced, informer } = scene();
    const cluster = [object('a', 3), object('b', 3)].map(({ metadata: { namespace: _, ...metadata }, ...rest }) => ({ ...rest, metadata }));
    const watch = await synced(cluster as readonly StoredObject[], '5');
    expect(informer.list()).toHaveLength(2);
    expect(informer.list({ namespace: 'default' })).toEqual([]);
    expect(informer.get({ name: 'a', namespace: undefined })).toBeDefined();
    watch.fail(errors.expired());
    await settle();
    expect(informer.get({ name: 'a', namespace: undefined })).toBeDefined();
  });

  test('of many pages that come at once lets others have their turn between them', async () => {
    let pages = 0;
    const client = {
      list: () => {
        pages += 1;
        return Promise.resolve({
          items: [object(`a${pages}`, 3)],
          resourceVersion: '5',
          continue: pages % 20 === 0 ? undefined : `${pages}`,
        });
      },
      watch: (_: unknown, { signal }: { signal: AbortSignal }) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
    } as unknown as CacheClient;
    const { cache, informer } = scene({ client });
    cache.start();
    await cache.synced();
    let [before, most, isOver] = [pages, 0, false];
    const count = (): void => {
      [most, before] = [Math.max(most, pages - before), pages];
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    await informer.refresh(new AbortController().signal);
    isOver = true;
    expect(pages).toBe(40);
    expect(Math.max(most, pages - before)).toBeLessThanOrEqual(2);
  });
});

test('what is watched in one namespace is told and read by its own name alone', async () => {
  const { synced, informer, told } = scene({ namespaces: ['one'] });
  const watch = await synced([object('a', 3, { namespace: 'one' })], '5');
  watch.send(added(object('b', 6, { namespace: 'one' })));
  await settle();
  expect(told).toEqual(['added a@3', 'added b@6']);
  expect(informer.resourceVersion).toBe('6');
  expect(informer.get(key('a'))).toBeUndefined();
  expect(informer.list({ namespace: 'one' })).toHaveLength(2);
});

import type { StoredObject } from '../../../src/runtime/cache/index.js';
import { mutableParts } from '../harness/mutable-parts.js';
import { added, key, modified, object, scene, settle, stopAll } from './scene.js';

afterEach(stopAll);

interface Tagged {
  readonly metadata: { labels: Record<string, string>; finalizers: string[] };
  readonly spec: { tags: string[]; nested: { deep: Record<string, string> } };
}

function tagged(name: string, namespace: string, resourceVersion = 3): StoredObject {
  const labels = { application: 'a label that is shared' };
  const spec = { tags: ['a tag that is shared'], nested: { deep: { key: 'a value that is shared' } } };
  return { ...object(name, resourceVersion, { namespace, labels, metadata: { finalizers: ['example.com/hold'] } }), spec } as StoredObject;
}

const read = (found: StoredObject | undefined): Tagged => found as unknown as Tagged;

describe('an object of the cache cannot be changed, in production either: equal parts of objects are one part in memory', () => {
  const changes: readonly (readonly [string, (object: Tagged) => void])[] = [
    ['a list', ({ spec }) => void spec.tags.push('mine')],
    [
      'an item of a list',
      ({ spec }) => {
        spec.tags[0] = 'mine';
      },
    ],
    [
      'a field',
      ({ spec }) => {
        spec.nested.deep['key'] = 'mine';
      },
    ],
    [
      'a new field',
      ({ spec }) => {
        spec.nested.deep['other'] = 'mine';
      },
    ],
    [
      'a field that is deleted',
      ({ spec }) => {
        delete spec.nested.deep['key'];
      },
    ],
    [
      'a part',
      (found) => {
        (found as { spec: unknown }).spec = {};
      },
    ],
    [
      'labels',
      ({ metadata }) => {
        metadata.labels['application'] = 'mine';
      },
    ],
    [
      'metadata',
      ({ metadata }) => {
        metadata.finalizers = [];
      },
    ],
  ];

  test.each(changes)('%s', async (_, change) => {
    const { synced, informer } = scene();
    await synced([tagged('a', 'one'), tagged('b', 'two')], '5');
    const text = JSON.stringify(informer.list());
    expect(() => change(read(informer.get(key('a', 'one'))))).toThrow(TypeError);
    expect(JSON.stringify(informer.list())).toBe(text);
  });

  test('a change that came by the watch, and what listeners and indexes are given', async () => {
    const given: object[] = [];
    const byTag = (found: StoredObject): string[] => {
      given.push(found);
      return read(found).spec.tags;
    };
    const { synced, informer, changes: told } = scene({}, { indexes: { tag: byTag } });
    const watch = await synced([tagged('a', 'one')], '5');
    watch.send(added(tagged('b', 'two', 6)), modified(tagged('a', 'one', 7)));
    await settle();
    expect(told).toHaveLength(3);
    expect(informer.list()).toHaveLength(2);
    for (const one of [...given, ...told.flatMap(({ object, previous }) => (previous === undefined ? [object] : [object, previous]))])
      expect(mutableParts(one)).toEqual([]);
  });

  test('the answer of an own write, for who wrote it and for who reads it', async () => {
    const { synced, informer } = scene();
    await synced([tagged('a', 'one')], '5');
    const answer = tagged('a', 'one', 9);
    informer.written(answer);
    expect(informer.get(key('a', 'one'))?.metadata.resourceVersion).toBe('9');
    expect(mutableParts(informer.get(key('a', 'one')))).toEqual([]);
    expect(mutableParts(answer)).toEqual([]);
  });

  test('what a transform has made', async () => {
    const template = { tags: ['of the transform'] };
    const { synced, informer } = scene({ transform: (found) => ({ ...found, spec: template }) as never });
    await synced([tagged('a', 'one'), tagged('b', 'two')], '5');
    informer.written(tagged('b', 'two', 9));
    for (const one of informer.list()) expect(mutableParts(one)).toEqual([]);
  });

  test('a part that nests too deep to be shared, or is too large', async () => {
    const { synced, informer } = scene();
    const deep = JSON.parse(`{"a":${'[{"b":'.repeat(4_500)}{}${'}]'.repeat(4_500)}}`) as object;
    const large = Object.fromEntries(Array.from({ length: 120_000 }, (_, at) => [`key-${at}`, { at }]));
    await synced([{ ...object('deep', 3), spec: deep } as never, { ...object('large', 3), spec: large } as never], '5');
    for (const one of informer.list()) expect(mutableParts(one)).toEqual([]);
  });
});

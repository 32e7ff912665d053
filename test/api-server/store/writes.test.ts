import type { StoredObject } from '../../../src/api-server/store/index.js';
import { granted, keyOf, newStore, pod, problemOf } from './fixtures.js';

const a = keyOf('default/a');
const metadataOf = (object: StoredObject) => object['metadata'] as Record<string, unknown>;

test('one counter numbers the writes of all resources, and stamps them', () => {
  const store = newStore();
  expect(granted(store.create(a, pod('default/a'))).revision).toBe(2);
  expect(granted(store.create(keyOf('node'), { kind: 'Node', metadata: { name: 'node' } })).revision).toBe(3);
  expect(metadataOf(granted(store.update(a, pod('default/a', { spec: 1 }))).object)['resourceVersion']).toBe('4');
  expect(metadataOf(granted(store.delete(a)).object)['resourceVersion']).toBe('5');
  expect(store.revision).toBe(5);
});

test('refusals spend no revision', () => {
  const store = newStore();
  store.create(a, pod('default/a'));
  const { revision } = store;
  expect(problemOf(store.create(a, pod('default/a')))).toMatchObject({ kind: 'AlreadyExists', current: { kind: 'Pod' } });
  expect(problemOf(store.update(a, pod('default/a', { spec: 1 }), { revision: revision + 1 }))).toMatchObject({ kind: 'Conflict' });
  expect(problemOf(store.delete(a, { revision: revision - 1 }))).toMatchObject({ kind: 'Conflict' });
  expect(problemOf(store.update(keyOf('default/b'), pod('default/b')))).toMatchObject({ kind: 'NotFound' });
  expect(problemOf(store.delete(keyOf('default/b')))).toMatchObject({ kind: 'NotFound' });
  expect(store.revision).toBe(revision);
});

test('a guard that holds lets the write pass', () => {
  const store = newStore();
  const created = granted(store.create(a, pod('default/a')));
  const updated = granted(store.update(a, pod('default/a', { spec: 1 }), { revision: created.revision }));
  expect(granted(store.delete(a, { revision: updated.revision })).revision).toBe(4);
  expect(store.get(a)).toBeUndefined();
});

test('an update that changes nothing is not a write: same object, same revision, no event, whatever the order of keys and the revision sent', () => {
  const store = newStore();
  const created = granted(store.create(a, { kind: 'Pod', metadata: { name: 'a', namespace: 'default', labels: { x: '1', y: '2' } } }));
  const watch = granted(store.watch({ resource: 'pods' }));
  const same = { metadata: { labels: { y: '2', x: '1' }, namespace: 'default', resourceVersion: '99', name: 'a' }, kind: 'Pod' };
  const written = granted(store.update(a, same));
  expect(written).toEqual({ object: created.object, revision: created.revision, isChanged: false });
  expect(written.object).toBe(store.get(a));
  expect([store.revision, watch.pending]).toEqual([2, 0]);
});

test.each([
  ['a list that is shorter', [1, 2], [1]],
  ['a list that is longer', [1], [1, 2]],
  ['a list in another order', [1, 2], [2, 1]],
  ['a list in place of an object', {}, []],
  ['an object in place of a list', [], {}],
  ['null in place of nothing', {}, { x: null }],
  ['a key fewer', { x: 1, y: 1 }, { x: 1 }],
  ['another key', { x: 1 }, { y: 1 }],
  ['a name that objects inherit', {}, { toString: 1 }],
  ['text in place of a number', 1, '1'],
  ['__proto__ as a key', JSON.parse('{"__proto__":{"x":1}}'), JSON.parse('{"__proto__":{"x":2}}')],
])('%s is a change', (_, before, after) => {
  const store = newStore();
  store.create(a, pod('default/a', { spec: before }));
  expect(granted(store.update(a, pod('default/a', { spec: after }))).isChanged).toBe(true);
  expect(JSON.stringify(store.get(a)?.['spec'])).toBe(JSON.stringify(after));
});

test('what is stored cannot be changed, and shares with the version before what is equal', () => {
  const store = newStore();
  const first = granted(store.create(a, pod('default/a', { spec: { list: [{ x: 1 }, { x: 2 }] }, status: { n: 1 } }))).object;
  const second = granted(store.update(a, pod('default/a', { spec: { list: [{ x: 1 }, { x: 2 }] }, status: { n: 2 } }))).object;
  expect(second['spec']).toBe(first['spec']);
  expect(first['status']).toEqual({ n: 1 });
  expect(() => (((second['spec'] as Record<string, unknown>)['list'] as { x: number }[])[1] as { x: number }).x++).toThrow(TypeError);
  expect(() => Object.assign(metadataOf(second), { name: 'b' })).toThrow(TypeError);
});

test('the size is that of the JSON in bytes', () => {
  const store = newStore();
  const { object } = granted(store.create(a, pod('default/a', { spec: 'ä€😀' })));
  expect(store.bytesOf(a)).toBe(new TextEncoder().encode(JSON.stringify(object)).length);
  store.delete(a);
  expect(store.bytesOf(a)).toBeUndefined();
});

test('an object that is not JSON leaves the store as it was', () => {
  const store = newStore();
  const cyclic: Record<string, unknown> = { metadata: {} };
  cyclic['self'] = cyclic;
  expect(() => store.create(a, cyclic as StoredObject)).toThrow();
  expect([store.revision, store.get(a), store.sizes.logEvents]).toEqual([1, undefined, 0]);
  expect(granted(store.create(a, pod('default/a'))).revision).toBe(2);
});

test('resources with objects are named, in the order of their first use', () => {
  const store = newStore();
  store.create(a, pod('default/a'));
  store.create(keyOf('node'), { metadata: { name: 'node' } });
  store.list({ resource: 'secrets' });
  store.delete(a);
  expect(store.resources).toEqual(['nodes']);
  expect(store.sizes).toMatchObject({ objects: 1, logEvents: 3 });
});

import { granted, keyOf, newStore, pod, problemOf, taken } from './fixtures.js';

const pods = { resource: 'pods' };
const a = keyOf('x/a');

test('the log keeps so many events; what it gave up has expired, what it kept has not', () => {
  const store = newStore({ maxEvents: 10 });
  store.create(a, pod('x/a'));
  for (let n = 0; n < 100; n += 1) store.update(a, pod('x/a', { n }));
  expect([store.sizes.logEvents, store.compactedRevision, store.revision]).toEqual([10, 92, 102]);
  expect(taken(granted(store.watch({ ...pods, resourceVersion: 92 })))).toHaveLength(10);
  expect(problemOf(store.watch({ ...pods, resourceVersion: 91 }))).toMatchObject({ kind: 'Expired' });
});

test('the log keeps so many bytes, deletions included', () => {
  const store = newStore({ maxBytes: 10_000 });
  for (let n = 0; n < 300; n += 1) {
    store.create(a, pod('x/a', { text: 'x'.repeat(500) }));
    store.delete(a);
    expect(store.sizes.logBytes).toBeLessThanOrEqual(10_000);
  }
  expect(store.sizes.logEvents).toBeGreaterThan(20);
});

test('an object greater than the log is stored and told, and has no history', () => {
  const store = newStore({ maxBytes: 100 });
  const watch = granted(store.watch({ ...pods, matches: (object) => object['n'] === 1 }));
  for (const n of [0, 1, 2]) {
    const object = pod('x/a', { n, text: 'x'.repeat(500) });
    granted(n === 0 ? store.create(a, object) : store.update(a, object));
  }
  expect(taken(watch)).toEqual(['ADDED x/a@3', 'DELETED x/a@4']);
  expect([store.sizes.logEvents, store.compactedRevision]).toEqual([0, 4]);
  expect(granted(store.list(pods)).items).toHaveLength(1);
});

test('compaction goes up to now and never back', () => {
  const store = newStore();
  store.create(a, pod('x/a'));
  store.compact(99);
  expect(store.compactedRevision).toBe(2);
  store.compact(1);
  expect([store.compactedRevision, store.sizes.logEvents, store.sizes.logBytes]).toEqual([2, 0, 0]);
});

test('a key that is deleted and made again keeps its history apart', () => {
  const store = newStore();
  for (const n of [1, 2, 3]) {
    store.create(a, pod('x/a', { n }));
    store.delete(a);
  }
  const at = (resourceVersion: number) =>
    granted(store.list({ ...pods, resourceVersion, resourceVersionMatch: 'Exact' })).items.map((object) => object['n']);
  expect([1, 2, 3, 4, 5, 6, 7].map(at)).toEqual([[], [1], [], [2], [], [3], []]);
  store.compact(5);
  store.create(a, pod('x/a', { n: 4 }));
  expect([5, 6, 7, 8].map(at)).toEqual([[], [3], [], [4]]);
});

test('what is deleted or overwritten, and compacted, leaves nothing behind', () => {
  const store = newStore({ maxEvents: 50 });
  const kept = keyOf('x/kept');
  store.create(kept, pod('x/kept'));
  const settle = () => {
    for (let n = 0; n < 10_000; n += 1) {
      const key = keyOf(`x/n${n}`);
      store.create(key, pod(`x/n${n}`, { data: { text: `${n} ${'x'.repeat(200)}` } }));
      store.delete(key);
      store.update(kept, pod('x/kept', { data: { text: `${n} ${'x'.repeat(200)}` } }));
    }
    return heap();
  };
  const before = settle();
  expect(settle() - before).toBeLessThan(1_000_000);
  expect(store.sizes).toMatchObject({ objects: 1, watches: 0, logEvents: 50 });
});

/** Bytes that are alive. */
function heap(): number {
  const { setFlagsFromString } = jest.requireActual<typeof import('node:v8')>('node:v8');
  const { runInNewContext } = jest.requireActual<typeof import('node:vm')>('node:vm');
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

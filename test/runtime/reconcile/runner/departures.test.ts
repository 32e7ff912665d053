import type { ObjectKey } from '@keelson/kubernetes/apimachinery';
import type { StoredObject } from '../../../../src/runtime/cache/index.js';
import { Departures } from '../../../../src/runtime/reconcile/runner/departures.js';
import { FakeClock } from '../../clock/fake-clock.js';
import { keptLog } from '../../outside/kept-log.js';
import { Widget } from '../widget.js';
import { objectNamed } from './parts.js';

const KEY = { namespace: 'shop', name: 'a' };
const { signal } = new AbortController();

/** What a departed object is when it is looked at, and what a list of all objects has. */
function scene(found: StoredObject | undefined, listed: readonly StoredObject[] = [], refusals = 0) {
  const clock = new FakeClock();
  const { log, lines } = keptLog();
  const added: ObjectKey[] = [];
  const asked: string[] = [];
  let left = refusals;
  const finalizer = {
    letGo: ({ metadata }: StoredObject) => {
      asked.push(metadata.name);
      return Promise.resolve(found);
    },
    isMine: ({ metadata }: StoredObject) => metadata.labels?.['class'] === 'mine',
    isMarked: ({ metadata }: StoredObject) => metadata.finalizers?.includes('mine') === true,
  };
  const client = {
    async *pages() {
      left -= 1;
      if (left >= 0) throw new Error('no route');
      yield { items: listed };
    },
  };
  const primary = {
    get: ({ name }: ObjectKey) => listed.find(({ metadata }) => metadata.name === name && metadata.labels?.['class'] === 'mine'),
  };
  const queue = { add: (key: ObjectKey) => void added.push(key) };
  const departures = new Departures({ kind: Widget, client, clock, log, finalizer, primary, queue } as never);
  return { clock, departures, added, asked, lines };
}

test('outside of a term nothing is remembered: a standby would never forget it', async () => {
  const { departures, added } = scene(undefined);
  departures.left(objectNamed('a'));
  expect([departures.has(KEY), added]).toEqual([false, []]);
  await departures.begin(signal);
  departures.left(objectNamed('a'));
  expect([departures.has(KEY), added]).toEqual([true, [KEY]]);
  departures.end();
  expect(departures.has(KEY)).toBe(false);
});

test('another instance has its time to take the object, before anything is asked', async () => {
  const { clock, departures, asked } = scene(undefined);
  await departures.begin(signal);
  departures.left(objectNamed('a'));
  expect(await departures.step(KEY, signal)).toEqual({ type: 'later', afterMs: 5_000 });
  clock.advance(4_000);
  expect(await departures.step(KEY, signal)).toEqual({ type: 'later', afterMs: 1_000 });
  expect(asked).toEqual([]);
  clock.advance(1_000);
  expect([await departures.step(KEY, signal), asked, departures.has(KEY)]).toEqual([{ type: 'done' }, ['a'], false]);
});

test.each<[string, StoredObject | undefined, string, boolean]>([
  ['that is gone', undefined, 'done', false],
  ['that is back', objectNamed('a', { labels: { class: 'mine' }, finalizers: ['mine'] }), 'done', false],
  ['that another instance has taken', objectNamed('a', { finalizers: ['theirs'] }), 'done', true],
  ['that is being deleted under the finalizer of this instance', objectNamed('a', { finalizers: ['mine'] }), 'finalize', false],
])('an object %s', async (_, found, type, isLogged) => {
  const { clock, departures, lines } = scene(found);
  await departures.begin(signal);
  departures.left(objectNamed('a'));
  clock.advance(5_000);
  expect((await departures.step(KEY, signal)).type).toBe(type);
  expect(lines.some(({ message }) => message.startsWith('let go'))).toBe(isLogged);
  // Until it is finalized it is asked for again.
  expect(departures.has(KEY)).toBe(type === 'finalize');
});

test('a term begins with what left before it: objects with the finalizer of this instance that it does not see', async () => {
  const { departures, added } = scene(undefined, [
    objectNamed('a', { finalizers: ['mine'] }),
    objectNamed('b', { finalizers: ['theirs'] }),
    objectNamed('c', { finalizers: ['mine'], labels: { class: 'mine' } }),
  ]);
  await departures.begin(signal);
  expect(added).toEqual([KEY]);
});

test('a list that fails is made again, and is told', async () => {
  const { clock, departures, added, lines } = scene(undefined, [objectNamed('a', { finalizers: ['mine'] })], 1);
  const begun = departures.begin(signal);
  while (lines.length === 0) await Promise.resolve();
  expect([lines[0]?.level, added]).toEqual(['warn', []]);
  while (added.length === 0) {
    clock.advance(30_000);
    await Promise.resolve();
  }
  await begun;
});

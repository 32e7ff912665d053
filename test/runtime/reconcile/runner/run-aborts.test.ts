import { getEventListeners } from 'node:events';
import type { CacheChange } from '../../../../src/runtime/cache/index.js';
import { RunAbortedError } from '../../../../src/runtime/reconcile/errors.js';
import { RunAborts } from '../../../../src/runtime/reconcile/runner/run-aborts.js';
import { deferred, objectNamed } from './parts.js';

type Events = ConstructorParameters<typeof RunAborts>[0];

/** A run of `shop/a` under way. */
function running(abortOn: Events, mayLeave = false) {
  const outer = new AbortController();
  const aborts = new RunAborts(abortOn, mayLeave);
  const returned = deferred();
  let signal: AbortSignal = AbortSignal.abort();
  const ended = aborts.during('shop/a', outer.signal, (own) => {
    signal = own;
    return returned.promise;
  });
  return { aborts, outer, signal, ended, returned };
}

const change = (type: CacheChange['type'], object = objectNamed('a'), previous?: CacheChange['previous']): CacheChange => ({
  type,
  object,
  previous,
  isInitial: false,
  isLastStateUnknown: false,
});
const CHANGES: Readonly<Record<string, CacheChange>> = {
  'its deletion': change('deleted'),
  'a deletionTimestamp': change(
    'modified',
    objectNamed('a', { deletionTimestamp: '2030-01-01T00:00:00Z', generation: 2 }),
    objectNamed('a'),
  ),
  'a new generation': change('modified', objectNamed('a', { generation: 2 }), objectNamed('a')),
  'a new label': change('modified', objectNamed('a', { labels: { a: 'b' } }), objectNamed('a')),
  'a change of another object': change('deleted', objectNamed('b')),
};

test.each<[string, Events, string | undefined]>([
  ['its deletion', ['deletion'], 'the object is being deleted'],
  ['a deletionTimestamp', ['deletion'], 'the object is being deleted'],
  ['a new generation', ['spec'], 'the spec of the object has changed'],
  ['its deletion', ['spec'], undefined],
  ['a deletionTimestamp', ['spec'], undefined],
  ['a new generation', ['deletion'], undefined],
  ['a new label', ['spec', 'deletion'], undefined],
  ['a change of another object', ['spec', 'deletion'], undefined],
  ['its deletion', [], undefined],
])('%s aborts a run only where abortOn names it: %j', async (name, abortOn, message) => {
  const { aborts, signal, returned, ended } = running(abortOn);
  aborts.changed(CHANGES[name] as CacheChange);
  expect(signal.aborted).toBe(message !== undefined);
  if (message !== undefined) {
    expect(signal.reason).toBeInstanceOf(RunAbortedError);
    expect(signal.reason).toHaveProperty('message', message);
  }
  returned.resolve();
  await ended;
});

test.each<[Events]>([[[]], [['spec']]])('the end of the term aborts a run whatever abortOn names: %j', (abortOn) => {
  const { outer, signal } = running(abortOn);
  const reason = new Error('leadership is over');
  outer.abort(reason);
  expect(signal.reason).toBe(reason);
});

test('where abortOn names nothing, no signal is made for each run', () => {
  const { outer, signal } = running([]);
  expect(signal).toBe(outer.signal);
});

test('a run that has ended is not aborted by what comes after, and leaves no listener', async () => {
  const { aborts, outer, signal, ended, returned } = running(['deletion']);
  returned.reject(new Error('it failed'));
  await expect(ended).rejects.toThrow('it failed');
  aborts.changed(CHANGES['its deletion'] as CacheChange);
  expect([signal.aborted, getEventListeners(outer.signal, 'abort').length]).toEqual([false, 0]);
});

test('a run is given up when its object becomes one of another instance, and not because it is gone', async () => {
  const leaving = running([], true);
  leaving.aborts.changed(CHANGES['its deletion'] as CacheChange);
  expect(String(leaving.signal.reason)).toContain('no longer one of this instance');
  const going = running([], true);
  going.aborts.changed(change('deleted', objectNamed('a', { deletionTimestamp: '2030-01-01T00:00:00Z' })));
  expect(going.signal.aborted).toBe(false);
  for (const { returned, ended } of [leaving, going]) {
    returned.resolve();
    await ended;
  }
});

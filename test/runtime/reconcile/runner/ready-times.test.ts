import type { CacheChange, StoredObject } from '../../../../src/runtime/cache/index.js';
import { ReadyTimes } from '../../../../src/runtime/reconcile/runner/ready-times.js';
import { objectNamed } from './parts.js';

const START = '2026-01-01T00:00:00Z';
const MINUTE = 60_000;

function scene({ summary }: { readonly summary: string | undefined } = { summary: 'Ready' }) {
  let now = Date.parse(START);
  const seconds: number[] = [];
  const paused = new Set<string>();
  const times = new ReadyTimes({
    controller: 'widget',
    summary,
    isPaused: ({ metadata }) => paused.has(metadata.name),
    clock: { wallMs: () => now },
    observer: { becameReady: (_, after) => void seconds.push(after) },
  });
  times.begin();
  const move = (ms: number): void => {
    now += ms;
  };
  return { times, seconds, paused, move };
}

/** An object with conditions, `Ready` as `True` or `False` of a minute. */
function widget(name: string, conditions: Readonly<Record<string, 'True' | 'False'>> = {}, metadata = {}): StoredObject {
  const status = Object.entries(conditions).map(([type, value]) => ({
    type,
    status: value,
    reason: 'R',
    message: '',
    lastTransitionTime: START,
  }));
  return { ...objectNamed(name, { creationTimestamp: START, ...metadata }), status: { conditions: status } } as unknown as StoredObject;
}

const change = (type: CacheChange['type'], object: StoredObject, isInitial = false): CacheChange =>
  ({ type, object, isInitial, isLastStateUnknown: false }) as CacheChange;

describe('the time until an object is ready', () => {
  test('is reported once, from its creation', () => {
    const { times, seconds, move } = scene();
    times.changed(change('added', widget('a')));
    move(2 * MINUTE);
    times.changed(change('modified', widget('a', { Ready: 'False' })));
    times.changed(change('modified', widget('a', { Ready: 'True' })));
    move(MINUTE);
    times.changed(change('modified', widget('a', { Ready: 'False' })));
    times.changed(change('modified', widget('a', { Ready: 'True' })));
    expect(seconds).toEqual([120]);
  });

  test('of an object that is ready when it is created is reported, and is never below zero', () => {
    const { times, seconds, move } = scene();
    move(-5_000);
    times.changed(change('added', widget('a', { Ready: 'True' })));
    expect(seconds).toEqual([0]);
  });

  test.each([
    [
      'was created before the term, and came by its labels',
      (times: ReadyTimes) => times.changed(change('added', widget('a', {}, { creationTimestamp: '2025-12-31T23:59:59Z' }))),
    ],
    ['existed before the process', (times: ReadyTimes) => times.changed(change('added', widget('a'), true))],
    [
      'was created while another process led',
      (times: ReadyTimes) => {
        times.end();
        times.changed(change('added', widget('a')));
        times.begin();
      },
    ],
    [
      'outlived the term in which it was created',
      (times: ReadyTimes) => {
        times.changed(change('added', widget('a')));
        times.end();
        times.begin();
      },
    ],
    [
      'was deleted, and has a successor that is not new',
      (times: ReadyTimes) => {
        times.changed(change('added', widget('a')));
        times.changed(change('deleted', widget('a', { Ready: 'True' })));
      },
    ],
  ])('is not known of one that %s', (_, before) => {
    const { times, seconds } = scene();
    before(times);
    times.changed(change('modified', widget('a', { Ready: 'True' })));
    expect(seconds).toEqual([]);
  });

  test('is that of the condition of the controller, and none without a condition', () => {
    const named = scene({ summary: 'Counted' });
    named.times.changed(change('added', widget('a', { Ready: 'True' })));
    expect(named.seconds).toEqual([]);
    named.times.changed(change('modified', widget('a', { Counted: 'True' })));
    expect(named.seconds).toEqual([0]);
    const silent = scene({ summary: undefined });
    silent.times.changed(change('added', widget('a', { Ready: 'True' })));
    expect([silent.seconds, silent.times.notReady([widget('a', { Ready: 'False' })])]).toEqual([[], { count: 0, longestMs: 0 }]);
  });
});

test('of the objects that are not ready, those count that somebody has to look after', () => {
  const { times, paused, move } = scene();
  move(10 * MINUTE);
  expect(times.notReady([widget('a', { Ready: 'True' }), widget('without')])).toEqual({ count: 0, longestMs: 0 });
  paused.add('paused');
  const others = [
    widget('paused', { Ready: 'False' }),
    widget('stalled', { Ready: 'False', Stalled: 'True' }),
    widget('deleted', { Ready: 'False' }, { deletionTimestamp: START }),
  ];
  expect(times.notReady(others)).toEqual({ count: 0, longestMs: 0 });
  expect(times.notReady([...others, widget('b', { Ready: 'False' }), widget('c', { Ready: 'False', Stalled: 'False' })])).toEqual({
    count: 2,
    longestMs: 10 * MINUTE,
  });
});

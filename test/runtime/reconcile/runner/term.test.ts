import { getEventListeners } from 'node:events';
import { messageOf } from '../../../../src/kubernetes/apimachinery/index.js';
import type { Informer } from '../../../../src/runtime/cache/index.js';
import { RunningTerm } from '../../../../src/runtime/reconcile/runner/term.js';
import { FakeClock } from '../../clock/fake-clock.js';
import { flush } from '../../outside/flush.js';
import { keptLog } from '../../outside/kept-log.js';
import { deferred } from './parts.js';

function scene({ isElected = false }: { readonly isElected?: boolean } = {}) {
  const [stop, abort] = [new AbortController(), new AbortController()];
  const term = new RunningTerm({ stop: stop.signal, abort: abort.signal, isElected });
  const synced = deferred();
  const refreshing = deferred();
  const calls: string[] = [];
  const informer = (name: string): Informer =>
    ({
      refresh: () => {
        calls.push(`refresh ${name}`);
        return refreshing.promise;
      },
    }) as Partial<Informer> as Informer;
  const [widgets, pods] = [informer('widgets'), informer('pods')];
  const cache = {
    synced: (_: AbortSignal | undefined, of: readonly Informer[] = []) => {
      calls.push(`synced ${of.length}`);
      return synced.promise;
    },
  };
  const results: unknown[] = [];
  const begin = (): void => {
    const reads = { cache, reads: [widgets, pods], refreshed: [widgets], clock: new FakeClock(), log: keptLog().log };
    term.begin(reads).then(
      (goesOn) => results.push(goesOn),
      (error: unknown) => results.push(messageOf(error)),
    );
  };
  return { stop, abort, term, synced, refreshing, calls, results, begin };
}

test('H18: a term does not begin before its own reads are complete', async () => {
  const { begin, synced, results, calls } = scene();
  begin();
  await flush();
  expect([calls, results]).toEqual([['synced 2'], []]);
  synced.resolve();
  await flush();
  expect([calls, results]).toEqual([['synced 2'], [true]]);
});

test('H6: an elected process does not begin before it has asked what there is', async () => {
  const { begin, synced, refreshing, results, calls } = scene({ isElected: true });
  begin();
  synced.resolve();
  await flush();
  expect([calls, results]).toEqual([['synced 2', 'refresh widgets'], []]);
  refreshing.resolve();
  await flush();
  expect(results).toEqual([true]);
});

test.each(['stop', 'abort'] as const)(
  'a term that ends by %s while its reads fill does not begin, and asks for nothing',
  async (signal) => {
    const { begin, synced, results, calls, ...scened } = scene({ isElected: true });
    begin();
    scened[signal].abort(new Error('over'));
    synced.reject(new Error('over'));
    await flush();
    expect([calls, results, scened.term.ended.aborted]).toEqual([['synced 2'], [false], true]);
  },
);

test('a term that ends while it asks what there is does not begin', async () => {
  const { begin, synced, refreshing, results, abort } = scene({ isElected: true });
  begin();
  synced.resolve();
  await flush();
  abort.abort();
  refreshing.reject(new Error('over'));
  await flush();
  expect(results).toEqual([false]);
});

test('a cache that stops during a term is not taken for the end of the term', async () => {
  const { begin, synced, results } = scene();
  begin();
  synced.reject(new Error('the cache has been stopped'));
  await flush();
  expect(results).toEqual(['the cache has been stopped']);
});

test('stop ends a term without giving up what is under way', () => {
  const { stop, term } = scene();
  stop.abort();
  expect([term.ended.aborted, term.abort.aborted]).toEqual([true, false]);
});

test('after many terms no listener is left on the signals of the process', () => {
  const { stop, abort, term } = scene();
  term.close();
  expect([stop, abort].map(({ signal }) => getEventListeners(signal, 'abort').length)).toEqual([0, 0]);
});

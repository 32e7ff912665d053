import { getEventListeners } from 'node:events';
import { Waits } from '../../../../src/runtime/reconcile/runner/waits.js';
import { FakeClock } from '../../clock/fake-clock.js';
import { flush } from '../../outside/flush.js';
import { keptLog } from '../../outside/kept-log.js';
import { deferred, objectNamed } from './parts.js';

function scene({ tell = () => Promise.resolve() }: { readonly tell?: () => Promise<void> } = {}) {
  const clock = new FakeClock();
  const { log, at } = keptLog();
  const told: string[] = [];
  const waits = new Waits({
    clock,
    log,
    tell: (object, problem) => {
      told.push(`${object.metadata.name}: ${problem}`);
      return tell();
    },
  });
  const stop = new AbortController();
  const ends: (readonly [object: string, isDue: boolean])[] = [];
  const problems: string[] = [];
  /** What is read for, as the cache does: the wait's end rejects it. */
  const begin = (name = 'a', onEnd?: () => void) => {
    const read = deferred();
    const isWaiting = waits.begin({
      object: objectNamed(name),
      hold: {
        problems: () => problems,
        ready: (signal) => {
          signal.addEventListener('abort', () => read.reject(new Error('aborted')));
          return read.promise;
        },
      },
      stop: stop.signal,
      onEnd: (isDue) => {
        ends.push([name, isDue]);
        onEnd?.();
      },
    });
    return { read, isWaiting };
  };
  return { clock, waits, stop, ends, problems, told, begin, errors: () => at('error') };
}

test('an object whose named objects have been read does not wait', () => {
  const { waits, stop, ends, clock } = scene();
  const hold = { problems: () => [], ready: () => undefined };
  expect(waits.begin({ object: objectNamed('a'), hold, stop: stop.signal, onEnd: (isDue) => ends.push(['a', isDue]) })).toBe(false);
  expect([waits.size, clock.pending, getEventListeners(stop.signal, 'abort').length, ends]).toEqual([0, 0, 0, []]);
});

test('H18: a wait does not end before all is read; the object is due then', async () => {
  const { begin, waits, ends, stop, clock } = scene();
  const { read, isWaiting } = begin();
  await flush();
  expect([isWaiting, waits.size, ends]).toEqual([true, 1, []]);
  read.resolve();
  await flush();
  expect([waits.size, ends]).toEqual([0, [['a', true]]]);
  expect([clock.pending, getEventListeners(stop.signal, 'abort').length]).toEqual([0, 0]);
});

test('a wait that another one overtakes is not due, and does not end the other', async () => {
  const { begin, waits, ends } = scene();
  begin();
  const second = begin();
  await flush();
  expect([waits.size, ends]).toEqual([1, [['a', false]]]);
  second.read.resolve();
  await flush();
  expect([waits.size, ends]).toEqual([
    0,
    [
      ['a', false],
      ['a', true],
    ],
  ]);
});

test('the wait of an object that is gone is not due; that of another object goes on', async () => {
  const { begin, waits, ends } = scene();
  begin('a');
  begin('b');
  waits.end('shop/a');
  await flush();
  expect([waits.size, ends]).toEqual([1, [['a', false]]]);
});

test('the end of a term ends its waits, and loses none for the next term', async () => {
  const { begin, stop, waits, ends } = scene();
  begin();
  stop.abort();
  await flush();
  expect([waits.size, ends]).toEqual([0, [['a', true]]]);
});

test('a short wait is not told, and one without a problem is not either', async () => {
  const { begin, clock, problems, told } = scene();
  const { read } = begin();
  clock.advance(5_000);
  expect(told).toEqual([]);
  read.resolve();
  await flush();
  problems.push('Secret tls cannot be read');
  clock.advance(5_000);
  expect(told).toEqual([]);
});

test('a wait with a problem is told on the object, once', () => {
  const { begin, clock, problems, told } = scene();
  begin();
  problems.push('Secret tls cannot be read: Forbidden', 'Secret ca cannot be read: Forbidden');
  clock.advance(999);
  expect(told).toEqual([]);
  clock.advance(10_000);
  expect(told).toEqual(['a: Secret tls cannot be read: Forbidden']);
});

test('a problem that comes late is not missed', () => {
  const { begin, clock, problems, told } = scene();
  begin();
  clock.advance(2_500);
  problems.push('Secret tls cannot be read: Forbidden');
  clock.advance(500);
  expect(told).toEqual(['a: Secret tls cannot be read: Forbidden']);
});

test('a wait does not end before it has been told: the words of the run come after', async () => {
  const telling = deferred();
  const { begin, clock, problems, ends } = scene({ tell: () => telling.promise });
  const { read } = begin();
  problems.push('Secret tls cannot be read');
  clock.advance(1_000);
  read.resolve();
  await flush();
  expect(ends).toEqual([]);
  telling.resolve();
  await flush();
  expect(ends).toEqual([['a', true]]);
});

test('a wait whose end throws is not lost in silence', async () => {
  const { begin, errors } = scene();
  const { read } = begin('a', () => {
    throw new Error('no');
  });
  read.resolve();
  await flush();
  expect(errors()).toEqual(['a wait could not be ended']);
});

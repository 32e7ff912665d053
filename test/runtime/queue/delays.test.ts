import fc from 'fast-check';
import { Delays } from '../../../src/runtime/queue/delays.js';
import { FakeClock } from '../clock/fake-clock.js';

function scene(): { readonly delays: Delays; readonly clock: FakeClock; readonly due: string[] } {
  const clock = new FakeClock();
  const due: string[] = [];
  return { delays: new Delays(clock, (id) => due.push(`${id}@${clock.monotonicMs()}`)), clock, due };
}

test('whatever is set, changed and taken back in whatever order, each is due at its own time, once, the earliest first', () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ id: fc.nat(30), delayMs: fc.nat(1_000) }) },
    { weight: 1, arbitrary: fc.record({ id: fc.nat(30) }) },
    { weight: 1, arbitrary: fc.record({ waitMs: fc.nat(100) }) },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      const { delays, clock, due } = scene();
      const expected = new Map<string, number>();
      const past: [string, number][] = [];
      for (const one of steps) {
        if ('waitMs' in one) {
          clock.advance(one.waitMs);
          const now = [...expected].filter(([, dueMs]) => dueMs <= clock.monotonicMs());
          past.push(...now);
          // Only those: an identity that was due before may wait for its next time.
          for (const [id] of now) expected.delete(id);
        } else if ('delayMs' in one) {
          expect(delays.set(String(one.id), one.delayMs)).toBe(true);
          expected.set(String(one.id), clock.monotonicMs() + one.delayMs);
        } else {
          delays.remove(String(one.id));
          expected.delete(String(one.id));
        }
        expect(delays.size).toBe(expected.size);
        expect(clock.pending).toBe(expected.size === 0 ? 0 : 1);
      }
      clock.advance(2_000);
      const all = [...past, ...expected].map(([id, dueMs]) => `${id}@${dueMs}`);
      expect([...due].sort()).toEqual([...all].sort());
      const times = due.map((text) => Number(text.split('@')[1]));
      expect(times).toEqual([...times].sort((one, other) => one - other));
    }),
  );
});

test('a delay that is over later does not set the timer anew, and one that is over sooner does', () => {
  const { delays, clock } = scene();
  delays.set('first', 1_000);
  for (let index = 0; index < 50; index += 1) delays.set(`later${index}`, 1_001 + index);
  delays.remove('later7');
  expect([clock.timesSet(1_000), clock.pending]).toEqual([1, 1]);
  delays.set('sooner', 10);
  expect([clock.timesSet(10), clock.pending]).toEqual([1, 1]);
});

test.each([
  ['a time that has passed', -5],
  ['no time at all', 0],
  ['what is not a number', Number.NaN],
])('%s is due at once', (_, delayMs) => {
  const { delays, clock, due } = scene();
  clock.advance(100);
  expect(delays.set('a', delayMs)).toBe(true);
  clock.advance(0);
  expect(due).toEqual(['a@100']);
});

test('never takes the delay back that there was', () => {
  const { delays, clock, due } = scene();
  delays.set('a', 10);
  expect(delays.set('a', Number.POSITIVE_INFINITY)).toBe(false);
  expect([delays.size, clock.pending]).toEqual([0, 0]);
  clock.advance(100);
  expect(due).toEqual([]);
});

test('after clearing nothing is due, and what is set then is', () => {
  const { delays, clock, due } = scene();
  delays.set('a', 10);
  delays.set('b', 20);
  delays.clear();
  expect([delays.size, clock.pending]).toEqual([0, 0]);
  delays.set('b', 30);
  clock.advance(100);
  expect(due).toEqual(['b@30']);
});

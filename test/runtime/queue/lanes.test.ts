import { Lanes } from '../../../src/runtime/queue/lanes.js';

/** Any moment but zero: differences count. */
const NOW = 1_000_000;

test.each(['fresh', 'slow'] as const)('what is put into the %s lane again keeps its place and its time of arrival', (lane) => {
  const lanes = new Lanes(10_000);
  lanes.put('a', lane, NOW);
  lanes.put('b', lane, NOW + 1);
  lanes.put('a', lane, NOW + 2);
  expect([lanes.next(NOW + 5), lanes.next(NOW + 5), lanes.next(NOW + 5)]).toEqual([
    { id: 'a', lane, waitedMs: 5 },
    { id: 'b', lane, waitedMs: 4 },
    undefined,
  ]);
});

test('H35: the slow lane has the first turn as soon as it has waited long enough, and not before', () => {
  const lanes = new Lanes(10_000);
  lanes.put('slow', 'slow', NOW);
  for (const id of ['a', 'b']) lanes.put(id, 'fresh', NOW);
  expect(lanes.next(NOW + 9_999)?.id).toBe('a');
  expect(lanes.next(NOW + 10_000)?.id).toBe('slow');
  expect(lanes.next(NOW + 10_000)?.id).toBe('b');
});

test('H35: a queue whose very first turn comes late begins with the slow lane', () => {
  const lanes = new Lanes(10_000);
  lanes.put('slow', 'slow', NOW);
  lanes.put('a', 'fresh', NOW);
  expect(lanes.next(NOW + 10_000)?.id).toBe('slow');
});

import { LeftRuns } from '../../../../src/runtime/reconcile/runner/left-runs.js';
import { FakeClock } from '../../clock/fake-clock.js';
import { flush } from '../../outside/flush.js';
import { keptLog } from '../../outside/kept-log.js';
import { deferred } from './parts.js';

function scene() {
  const clock = new FakeClock();
  clock.advance(5_000);
  const { log, at } = keptLog();
  const seen: string[] = [];
  const note = (what: string) => (controller: string) => void seen.push(`${what} ${controller}`);
  const left = new LeftRuns({ controller: 'widgets', clock, log, observer: { left: note('left'), returned: note('returned') } });
  const returned = deferred();
  left.leave('shop/a', returned.promise, () => seen.push('end'));
  return { clock, left, seen, returned, warned: () => at('warn') };
}

test('the object of a run that was given up is not free before the function has returned', async () => {
  const { left, seen, returned, clock } = scene();
  clock.advance(90_000);
  await flush();
  expect(seen).toEqual(['left widgets']);
  expect(left.unreturned).toEqual([{ object: 'shop/a', forMs: 90_000 }]);
  returned.resolve();
  await flush();
  expect(seen).toEqual(['left widgets', 'returned widgets', 'end']);
  expect(left.unreturned).toEqual([]);
});

test('a run that does not return within a second is not passed over in silence', () => {
  const { clock, warned } = scene();
  clock.advance(999);
  expect(warned()).toEqual([]);
  clock.advance(1);
  expect(warned()).toEqual([expect.stringMatching(/^a run was given up and has not returned: .*heed the signal/)]);
});

test('a run that heeds its signal is not warned about', async () => {
  const { clock, warned, returned } = scene();
  returned.resolve();
  await flush();
  expect(clock.pending).toBe(0);
  clock.advance(60_000);
  expect(warned()).toEqual([]);
});

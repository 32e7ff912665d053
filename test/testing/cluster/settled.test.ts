import { waitUntilSettled } from '../../../src/testing/cluster/settled.js';

test('time in which nothing could be heard is not quiet', async () => {
  let [looks, events] = [0, 0];
  await waitUntilSettled({
    quietMs: 50,
    timeoutMs: 10_000,
    busyWith: () => {
      looks += 1;
      if (looks !== 2) return undefined;
      // What has arrived meanwhile is taken in after this.
      setImmediate(() => {
        events += 1;
      });
      for (const end = performance.now() + 60; performance.now() < end; );
      return undefined;
    },
    activity: () => events,
    background: () => ({ running: 0, signs: 0 }),
    lasting: {},
  });
  expect(events).toBe(1);
});

const BASE = { quietMs: 10, timeoutMs: 10_000, busyWith: () => undefined, activity: () => 0 };
/** Looks until 10 ms have been quiet, at least 4 ms apart. Two seconds take hundreds. */
const A_FEW_LOOKS = 10;

test('background work that is silent for two seconds is not waited for, nor once more while nothing is heard of it', async () => {
  let signs = 1;
  let looks = 0;
  const busyWith = (): undefined => {
    looks += 1;
  };
  const wait = { ...BASE, busyWith, background: () => ({ running: 1, signs }), lasting: {} };
  const timed = async (): Promise<number> => {
    const startMs = performance.now();
    await waitUntilSettled(wait);
    return performance.now() - startMs;
  };
  expect(await timed()).toBeGreaterThanOrEqual(2_000);
  looks = 0;
  await waitUntilSettled(wait);
  expect(looks).toBeLessThan(A_FEW_LOOKS);
  signs += 1;
  expect(await timed()).toBeGreaterThanOrEqual(2_000);
});

test('background work that ends is waited for', async () => {
  let running = 1;
  setTimeout(() => {
    running = 0;
  }, 300).unref();
  await waitUntilSettled({ ...BASE, background: () => ({ running, signs: 1 - running }), lasting: {} });
  expect(running).toBe(0);
});

test('work that reports progress without end is said to be what goes on', async () => {
  let signs = 0;
  const background = () => {
    signs += 1;
    return { running: 1, signs };
  };
  const settled = waitUntilSettled({ ...BASE, timeoutMs: 200, background, lasting: {} });
  await expect(settled).rejects.toThrow('background work began, ended or reported progress');
});

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
  });
  expect(events).toBe(1);
});

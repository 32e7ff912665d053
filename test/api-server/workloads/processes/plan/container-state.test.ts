import { nextPauseMs, pauseAfterRun } from '../../../../../src/api-server/workloads/processes/plan/index.js';

test('pauses double up to five minutes, and begin anew after a run of ten', () => {
  const pauses = [0, 10, 20, 40, 80, 160, 300, 300].map((seconds) => seconds * 1000);
  expect(pauses.slice(0, -1).map(nextPauseMs)).toEqual(pauses.slice(1));
  expect([pauseAfterRun(160_000, 599_999), pauseAfterRun(160_000, 600_000)]).toEqual([160_000, 0]);
});

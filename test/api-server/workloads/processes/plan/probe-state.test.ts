import { afterProbe, UNPROBED } from '../../../../../src/api-server/workloads/processes/plan/index.js';

test('a probe changes its result when a threshold is reached in a row', () => {
  const settings = { successThreshold: 2, failureThreshold: 3 };
  let state = UNPROBED;
  const results = [true, true, false, false, true, false, false, false].map((answer) => {
    state = afterProbe(state, answer, settings);
    return state.result;
  });
  expect(results).toEqual([undefined, true, true, true, true, true, true, false]);
});

import { recordedTransitions, transitions, transitionVerdictOf } from './judged-transitions.js';

/** The recorded words of a real API server (test/cluster/cel-transitions.cluster.test.ts records and rechecks them). */
const recorded = recordedTransitions();

test.each(transitions.map((transition) => [transition.name, transition] as const))('%s', (name, transition) => {
  expect(transitionVerdictOf(transition)).toEqual(recorded[name]);
});

import type { StructuralSchema } from '../../../../src/kubernetes/apimachinery/index.js';
import { createValidator } from '../../../../src/kubernetes/structural/index.js';
import { recordedTransitions, transitions, transitionVerdictOf } from '../judged-transitions.js';

/** The recorded words of a real API server (test/cluster/cel-transitions.cluster.test.ts records and rechecks them). */
const recorded = recordedTransitions();

test.each(transitions.map((transition) => [transition.name, transition] as const))('%s', (name, transition) => {
  expect(transitionVerdictOf(transition)).toEqual(recorded[name]);
});

/** It can be stored before the format comes: Go's parser takes it for the epoch (`schema/judge` says so). */
test('an empty time equals itself', () => {
  const spec: StructuralSchema = {
    type: 'object',
    properties: { at: { type: 'string', format: 'date-time' } },
    'x-kubernetes-validations': [{ rule: 'self == oldSelf' }],
  };
  const validator = createValidator({ type: 'object', properties: { spec } });
  expect(validator.validate({ spec: { at: '' } }, { old: { spec: { at: '' } } })).toEqual([]);
  expect(validator.validate({ spec: { at: '' } }, { old: { spec: { at: '2026-01-01T00:00:00Z' } } })).not.toEqual([]);
});

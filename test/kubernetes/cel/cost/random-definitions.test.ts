import { checkStructural } from '../../../../src/kubernetes/structural/index.js';
import { randomDefinition } from './random-definitions.js';
import { RECORDED_SEEDS, recordedRefusals, shortLines } from './refusals.js';

const recorded = recordedRefusals();

test('the record holds every definition', () => {
  expect(Object.keys(recorded)).toEqual(RECORDED_SEEDS.map(String));
});

// The words of a real API server: test/cluster/cel-costs.cluster.test.ts records and rechecks them.
test.each(RECORDED_SEEDS)('the rules of definition %i cost what the API server says', (seed) => {
  const errors = checkStructural(randomDefinition(seed), { path: 'spec.validation.openAPIV3Schema' });
  expect(shortLines(errors)).toEqual(recorded[seed]);
});

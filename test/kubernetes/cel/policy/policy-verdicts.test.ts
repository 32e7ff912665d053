import { knownPolicyDifferences, type PolicyVerdicts, recordedPolicyVerdicts } from '../judged-policies.js';
import { policyVerdictOf } from './policy-verdicts.js';

/** The recorded words of a real API server (test/cluster/cel-policies.cluster.test.ts records and rechecks them). */
const recorded = recordedPolicyVerdicts();

describe.each(Object.keys(recorded) as (keyof PolicyVerdicts)[])('of %s', (group) => {
  test.each(Object.keys(recorded[group]).filter((expression) => !knownPolicyDifferences.has(expression)))('%s', (expression) => {
    expect(policyVerdictOf(group, expression)).toEqual(recorded[group][expression]);
  });
});

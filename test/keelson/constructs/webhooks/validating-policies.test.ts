import { Chart, Testing } from 'cdk8s';
import { findResource, ValidatingPolicies } from 'keelson/constructs';
import { fullOperator } from '../models';

const [policy] = fullOperator.policies;

function specOf(change: object): Readonly<Record<string, unknown>> {
  const chart = new Chart(Testing.app(), 'chart', { namespace: 'system' });
  new ValidatingPolicies(chart, 'policies', {
    operator: { ...fullOperator, policies: [{ ...(policy as NonNullable<typeof policy>), ...change }] },
  });
  return findResource(chart.toJson() as object[], 'ValidatingAdmissionPolicy').spec;
}

test('a policy without variables and conditions has no such fields, and one with them has', () => {
  expect(Object.keys(specOf({ variables: [] })).toSorted()).toEqual(['failurePolicy', 'matchConstraints', 'validations']);
  const matchConditions = [{ name: 'not-exempt', expression: 'true' }];
  expect(specOf({ matchConditions })).toMatchObject({ matchConditions, variables: [{ name: 'limit', expression: '5' }] });
});

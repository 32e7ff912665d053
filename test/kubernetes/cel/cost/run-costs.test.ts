import { createValidator } from '../../../../src/kubernetes/structural/index.js';
import { dearMessageSchema, type GrowingCase, growing, manyOf, manySchema, recordedSizes, sizeTooDear } from './run-cost-cases.js';

// The sizes that a real API server refuses: test/cluster/cel-run-costs.cluster.test.ts records and rechecks them.
const recorded = recordedSizes();

test('the record holds every rule', () => {
  expect(Object.keys(recorded)).toEqual(growing.map(({ rule }) => rule));
});

test.each(growing.map((growingCase): [string, GrowingCase] => [growingCase.rule, growingCase]))('%s', (rule, growingCase) => {
  expect(sizeTooDear(growingCase)).toBe(recorded[rule]);
});

test('what all rules of an object cost together is bounded, and ends its validation', () => {
  const validator = createValidator(manySchema);
  expect(validator.validate(manyOf(10), { isResourceRoot: false })).toEqual([]);
  const errors = validator.validate(manyOf(400), { isResourceRoot: false });
  expect(errors).toHaveLength(1);
  expect(errors[0]?.field).toMatch(/^\[\d+\]$/);
  expect(errors[0]?.message).toBe(
    'Invalid value: "object": validation failed due to running out of cost budget, no further validation rules will be run',
  );
});

test('a message that costs too much ends the validation too', () => {
  const validate = (size: number) =>
    createValidator(dearMessageSchema).validate(new Array<number>(size).fill(1), { isResourceRoot: false });
  expect(validate(3)).toMatchObject([{ message: 'Invalid value: one' }]);
  expect(validate(1100)).toMatchObject([
    {
      message: expect.stringContaining(
        'no further validation rules will be run due to call cost exceeds limit for messageExpression: "sets.contains',
      ),
    },
  ]);
});

import { z } from 'zod';
import { k, structuralSchemaOf } from '../../../../src/keelson/schema/index.js';
import { validate } from '../../../../src/kubernetes/structural/index.js';

const converted = (schema: z.ZodType) => structuralSchemaOf(schema, { path: 'spec', resolveBuiltin: () => undefined });

/** The API server cuts a fractional bound to a whole number before it compares a whole value with it. */
test.each<[string, z.ZodType, object]>([
  [
    'a lower bound above zero',
    z.number().min(0.5),
    { minimum: 0.5, 'x-kubernetes-validations': [{ rule: 'self >= 0.5', message: 'must be at least 0.5' }] },
  ],
  ['a lower bound below zero', z.number().min(-0.5), { minimum: -0.5 }],
  [
    'an upper bound below zero',
    z.number().max(-0.5),
    { maximum: -0.5, 'x-kubernetes-validations': [{ rule: 'self <= -0.5', message: 'must be at most -0.5' }] },
  ],
  ['an upper bound above zero', z.number().max(2.5), { maximum: 2.5 }],
  [
    'an exclusive upper bound above zero',
    z.number().lt(2.5),
    { 'x-kubernetes-validations': [{ rule: 'self < 2.5', message: 'must be less than 2.5' }] },
  ],
  ['an exclusive lower bound above zero', z.number().gt(0.5), { minimum: 0.5, exclusiveMinimum: true }],
])('%s', (_name, schema, expected) => {
  expect(converted(schema)).toEqual({ type: 'number', ...expected });
  for (const value of [-3, -1, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 1, 2, 2.25, 2.5, 3]) {
    const errors = validate(converted(schema), value, { isResourceRoot: false });
    expect({ value, accepted: errors.length === 0 }).toEqual({ value, accepted: schema.safeParse(value).success });
  }
});

test('fractional bounds of whole numbers are rounded', () => {
  expect(converted(k.int32().gt(0.5).max(2.5))).toEqual({ type: 'integer', format: 'int32', minimum: 1, maximum: 2 });
});

test('the narrower of two bounds counts', () => {
  expect(converted(k.int32().min(1).min(3).max(9).lt(7))).toEqual({
    type: 'integer',
    format: 'int32',
    minimum: 3,
    maximum: 7,
    exclusiveMaximum: true,
  });
});

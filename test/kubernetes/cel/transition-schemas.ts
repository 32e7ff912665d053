import type { Json, StructuralSchema, ValidationRule } from '../../../src/kubernetes/apimachinery/index.js';

/** A field, and what it is changed from and to; `undefined`: absent. */
export interface TransitionCase {
  readonly schema: StructuralSchema;
  readonly changes: readonly (readonly [before: Json | undefined, after: Json | undefined])[];
}

export const string: StructuralSchema = { type: 'string', maxLength: 100 };
export const int: StructuralSchema = { type: 'integer' };
export const withRule = (schema: StructuralSchema, rule: string, rest: Partial<ValidationRule> = {}): StructuralSchema => ({
  ...schema,
  'x-kubernetes-validations': [{ rule, ...rest }],
});
export const immutable = (schema: StructuralSchema): StructuralSchema => withRule(schema, 'self == oldSelf', { message: 'immutable' });
export const long = (schema: StructuralSchema): StructuralSchema => withRule(schema, 'self.size() > 3', { message: 'too short' });
export const object = (properties: Readonly<Record<string, StructuralSchema>>, rest: Partial<StructuralSchema> = {}): StructuralSchema => ({
  type: 'object',
  properties,
  ...rest,
});
export const map = (value: StructuralSchema, rest: Partial<StructuralSchema> = {}): StructuralSchema => ({
  type: 'object',
  maxProperties: 5,
  additionalProperties: value,
  ...rest,
});
export const list = (items: StructuralSchema, type?: 'atomic' | 'set'): StructuralSchema => ({
  type: 'array',
  maxItems: 5,
  items,
  ...(type !== undefined && { 'x-kubernetes-list-type': type }),
});
export const listMap = (properties: Readonly<Record<string, StructuralSchema>>, rule?: ValidationRule): StructuralSchema => ({
  type: 'array',
  maxItems: 5,
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['n'],
  items: { ...object({ n: string, ...properties }, { required: ['n'] }), ...(rule && { 'x-kubernetes-validations': [rule] }) },
});
export const atomic = { 'x-kubernetes-map-type': 'atomic' } as const;
export const failing = (messageExpression: string, rest: Partial<ValidationRule> = {}): TransitionCase => ({
  schema: withRule(object({ a: string, n: int }), 'self.n < 0', { messageExpression, ...rest }),
  changes: [
    [
      { a: 'x', n: -1 },
      { a: 'y', n: 1 },
    ],
    [undefined, { n: 1 }],
  ],
});
export const told = (rest: Partial<ValidationRule>): TransitionCase => ({
  schema: withRule(object({ a: string, 'b.c': string, m: map(string), l: list(string), o: object({ p: string }) }), "self.a == 'x'", rest),
  changes: [[{ a: 'x' }, { a: 'y' }]],
});

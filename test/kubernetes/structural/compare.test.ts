import type { StructuralSchema } from '../../../src/kubernetes/apimachinery/index.js';
import { compareSchemas, interchangeProblems } from '../../../src/kubernetes/structural/index.js';

const object = (properties: Record<string, StructuralSchema>, rest: Partial<StructuralSchema> = {}): StructuralSchema => ({
  type: 'object',
  properties,
  ...rest,
});

const string: StructuralSchema = { type: 'string' };

test.each<[string, StructuralSchema, StructuralSchema, string[]]>([
  ['nothing', object({ a: string }), object({ a: { type: 'string', description: 'words' } }), []],
  ['a field goes', object({ a: string }), object({}), ['a field-removed breaking: is gone: its values are pruned from stored objects']],
  [
    'a field goes into the unknown',
    object({ a: string }),
    object({}, { 'x-kubernetes-preserve-unknown-fields': true }),
    [
      'the root pruning-changed: unknown fields are kept now',
      'a field-removed: is not declared any more; its values are kept as unknown fields',
    ],
  ],
  ['a field comes', object({}), object({ a: string }), ['a field-added: is new']],
  [
    'a required field comes',
    object({}),
    object({ a: string }, { required: ['a'] }),
    ['a field-added: is new', 'a required-added breaking: is required now: stored objects without it cannot be updated'],
  ],
  [
    'a required field comes with a default',
    object({}),
    object({ a: { type: 'string', default: '' } }, { required: ['a'] }),
    ['a field-added: is new'],
  ],
  [
    'another type',
    object({ a: string }),
    object({ a: { type: 'integer' } }),
    ['a type-changed breaking: the type was string and is integer: stored values do not fit'],
  ],
  ['a wider number', object({ a: { type: 'integer' } }), object({ a: { type: 'number' } }), []],
  [
    'narrower and wider bounds',
    object({ a: { type: 'integer', minimum: 1, maximum: 5 } }),
    object({ a: { type: 'integer', minimum: 2, maximum: 6 } }),
    ['a bound-narrowed breaking: minimum was 1 and is 2: stored values may not fit', 'a bound-widened: maximum was 5 and is 6'],
  ],
  [
    'an exclusive bound',
    object({ a: { type: 'integer', minimum: 1 } }),
    object({ a: { type: 'integer', minimum: 1, exclusiveMinimum: true } }),
    ['a bound-narrowed breaking: minimum was 1 and is 1 (exclusive): stored values may not fit'],
  ],
  [
    'another enum',
    object({ a: { type: 'string', enum: ['x', 'y'] } }),
    object({ a: { type: 'string', enum: ['y', 'z'] } }),
    ['a values-narrowed breaking: "x" is not allowed any more', 'a values-widened: "z" is allowed now: clients must expect it'],
  ],
  [
    'a new pattern',
    object({ a: string }),
    object({ a: { type: 'string', pattern: '^a' } }),
    ['a pattern-changed breaking: pattern "^a" is new: stored values may not fit'],
  ],
  [
    'another default',
    object({ a: { type: 'string', default: 'x' } }),
    object({ a: { type: 'string', default: 'y' } }),
    ['a default-changed breaking: the default was "x" and is "y": objects that leave it out change their meaning'],
  ],
  [
    'null no more',
    object({ a: { type: 'string', nullable: true } }),
    object({ a: string }),
    ['a nullable-removed breaking: null was allowed: stored nulls are dropped or defaulted'],
  ],
  [
    'another list type, deep below',
    object({ m: { type: 'object', additionalProperties: { type: 'array', items: string } } }),
    object({ m: { type: 'object', additionalProperties: { type: 'array', items: string, 'x-kubernetes-list-type': 'set' } } }),
    [
      'm.* topology-changed breaking: x-kubernetes-list-type was atomic and is set: server-side apply merges differently, and what managers own is laid out anew',
    ],
  ],
  [
    'a rule comes, another goes',
    object({ a: { ...string, 'x-kubernetes-validations': [{ rule: 'self != "x"' }] } }),
    object({ a: { ...string, 'x-kubernetes-validations': [{ rule: 'self != "y"' }] } }),
    [
      'a rule-added breaking: the rule self != "y" is new: stored objects may break it (unchanged parts are spared)',
      'a rule-removed: the rule self != "x" is gone',
    ],
  ],
])('%s', (_name, before, after, changes) => {
  const texts = compareSchemas(before, after).map(
    ({ path, change, breaking, explanation }) => `${path || 'the root'} ${change}${breaking ? ' breaking' : ''}: ${explanation}`,
  );
  expect(texts).toEqual(changes);
});

test('versions are interchangeable while only their validations differ', () => {
  expect(interchangeProblems(object({ a: { type: 'string', maxLength: 3 } }, { required: ['a'] }), object({ a: string }))).toEqual([]);
});

test('a field of one version only is told with what happens to it', () => {
  const problems = interchangeProblems(object({ a: string, b: string }), object({ a: string, c: string }));
  expect(problems.map(({ path, explanation }) => `${path} ${explanation}`)).toEqual([
    'c exists in the stored version only: a client of this version deletes it with each update',
    'b exists in this version only: it is pruned when the object is stored',
  ]);
});

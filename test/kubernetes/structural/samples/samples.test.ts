import type { StructuralSchema } from '../../../../src/kubernetes/apimachinery/index.js';
import { type Fullness, Sampler, validate } from '../../../../src/kubernetes/structural/index.js';
import { textForPattern } from '../../../../src/kubernetes/structural/samples/text-for-pattern.js';

const schema: StructuralSchema = {
  type: 'object',
  required: ['name', 'size'],
  properties: {
    name: { type: 'string', minLength: 5, maxLength: 8 },
    size: { type: 'integer', minimum: 4, maximum: 10, exclusiveMinimum: true, multipleOf: 2 },
    share: { type: 'number', minimum: 0.25, maximum: 0.75 },
    mode: { type: 'string', enum: ['Fast', 'Slow'] },
    since: { type: 'string', format: 'date-time' },
    zone: { type: 'string', pattern: '^[a-c]{2}-(?:east|west)\\d+$' },
    port: { 'x-kubernetes-int-or-string': true },
    labels: { type: 'object', minProperties: 1, additionalProperties: { type: 'string' } },
    parts: {
      type: 'array',
      minItems: 2,
      maxItems: 3,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['id'],
      items: { type: 'object', required: ['id'], properties: { id: { type: 'string' }, on: { type: 'boolean' } } },
    },
    child: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
  },
};
const drawn = (seed: number, fullness: Fullness): unknown => new Sampler(seed).sample(schema, fullness);

test.each<Fullness>(['least', 'most', 'drawn'])('samples that are full as %s says fit their schema', (fullness) => {
  for (let seed = 0; seed < 50; seed += 1) {
    const sample = new Sampler(seed).sample(schema, fullness);
    expect(sample).toBeDefined();
    expect(validate(schema, sample ?? null, { isResourceRoot: false })).toEqual([]);
  }
});

test('the least sample has the required fields alone, the fullest has all', () => {
  expect(Object.keys(drawn(1, 'least') as object).sort()).toEqual(['name', 'size']);
  expect(Object.keys(drawn(1, 'most') as object).sort()).toEqual(Object.keys(schema.properties ?? {}).sort());
});

test('a seed gives the same sample each time, and another seed another one', () => {
  expect(drawn(7, 'drawn')).toEqual(drawn(7, 'drawn'));
  expect(new Set(Array.from({ length: 20 }, (_, seed) => JSON.stringify(drawn(seed, 'drawn')))).size).toBeGreaterThan(10);
});

test('texts and numbers of one sample differ, so that a value in a wrong field shows', () => {
  const fields = ['a', 'b', 'c', 'd'];
  const texts = Object.fromEntries(fields.map((name) => [name, { type: 'string' as const }]));
  const numbers = Object.fromEntries(fields.map((name) => [`${name}n`, { type: 'integer' as const }]));
  const sample = new Sampler(3).sample({ type: 'object', properties: { ...texts, ...numbers } }, 'most');
  expect(new Set(Object.values(sample as object)).size).toBe(8);
});

test.each<StructuralSchema>([
  { minimum: 3, exclusiveMinimum: true, multipleOf: 2, maximum: 9 },
  { minimum: 4, exclusiveMinimum: true, multipleOf: 2, maximum: 6 },
  { minimum: 3, multipleOf: 2, maximum: 9, exclusiveMaximum: true },
  { minimum: 2, multipleOf: 2, maximum: 8, exclusiveMaximum: true },
  { minimum: -8, multipleOf: 4, maximum: -4, exclusiveMaximum: true },
  { maximum: 5 },
])('a number lies within its bounds: %j', (bounds) => {
  const integer: StructuralSchema = { type: 'integer', ...bounds };
  const sampler = new Sampler(1);
  const numbers = Array.from({ length: 20 }, () => sampler.sample(integer, 'most') ?? null);
  expect(numbers.flatMap((number) => validate(integer, number, { isResourceRoot: false }))).toEqual([]);
});

test('a required field for which no value can be made up leaves no sample', () => {
  const lookahead: StructuralSchema = { type: 'object', required: ['a'], properties: { a: { type: 'string', pattern: '^\\p{Greek}+$' } } };
  expect(new Sampler(1).sample(lookahead, 'least')).toBeUndefined();
});

describe('a text for a pattern', () => {
  const numbers = [0, 0.3, 0.6, 0.99];
  test.each(['^a$', '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', '^(?:v\\d+|latest)$', '^(?P<n>x{2,4}y+)$', '^[^/]+/\\w?$', '^a\\.b\\s*c$'])(
    'matches %s, whatever is drawn',
    (pattern) => {
      for (const number of numbers) expect(textForPattern(pattern, () => number)).toMatch(new RegExp(pattern.replace('?P<', '?<')));
    },
  );

  test.each(['\\bword\\b', '^\\D+$', '^\\p{Greek}$', '^(?i)abc$'])('is not made up for %s', (pattern) => {
    expect(textForPattern(pattern, () => 0.5)).toBeUndefined();
  });
});

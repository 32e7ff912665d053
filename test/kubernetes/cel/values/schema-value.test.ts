import type { Json, StructuralSchema } from '../../../../src/kubernetes/apimachinery/index.js';
import {
  type CelMap,
  type CelValue,
  equal,
  formatTimestamp,
  isError,
  kindOf,
  valueBySchema,
} from '../../../../src/kubernetes/cel/values/index.js';

const map = (value: Json, schema: StructuralSchema): CelMap => valueBySchema(value, schema) as CelMap;
const errorOf = (value: CelValue | undefined): string | undefined => (value !== undefined && isError(value) ? value.message : undefined);

test('a field that the schema does not name stays unseen, but counts in the size', () => {
  const value = map({ known: 1, other: 2 }, { type: 'object', properties: { known: { type: 'integer' } } });
  expect(value.get('known')).toBe(1n);
  expect(value.get('other')).toBeUndefined();
  expect([...value.keys()]).toEqual(['known']);
  expect(value.size).toBe(2);
});

test('a null field of an object is absent, and a null entry of a map is not', () => {
  const nullable: StructuralSchema = { type: 'string', nullable: true };
  expect(map({ a: null }, { type: 'object', properties: { a: nullable } }).get('a')).toBeUndefined();
  expect(map({ a: null }, { type: 'object', additionalProperties: nullable }).get('a')).toBeNull();
});

test('a field is found by its escaped name, and the key of a map by its own', () => {
  const fields = map({ 'x-y': 'a' }, { type: 'object', properties: { 'x-y': { type: 'string' } } });
  expect(fields.get('x__dash__y')).toBe('a');
  expect(map({ 'x-y': 'a' }, { type: 'object', additionalProperties: { type: 'string' } }).get('x-y')).toBe('a');
  expect(map({ 'x-y': 'a' }, { type: 'object', additionalProperties: { type: 'string' } }).get('x__dash__y')).toBeUndefined();
});

test.each<[string, Json, StructuralSchema, string]>([
  ['a fraction for an integer', 1.5, { type: 'integer' }, 'invalid data, expected int, got float64'],
  ['an object for a string', {}, { type: 'string' }, 'invalid data, expected string, got map[string]interface {}'],
  ['null where the schema is not nullable', null, { type: 'string' }, 'invalid data, got null for schema with nullable=false'],
  ['a day that the calendar lacks', '2026-02-30', { type: 'string', format: 'date' }, 'Invalid date formatted string 2026-02-30'],
])('%s is a value that fails when it is read, and does not throw', (_, value, schema, expected) => {
  expect(errorOf(valueBySchema(value, schema))).toBe(expected);
});

test('strings of a format have the type of the format', () => {
  const time = valueBySchema('2026-11-29T01:00:00+01:00', { type: 'string', format: 'date-time' });
  expect(kindOf(time)).toBe('timestamp');
  expect(formatTimestamp((time as { nanoseconds: bigint }).nanoseconds)).toBe('2026-11-29T00:00:00Z');
  expect(valueBySchema('_-8=', { type: 'string', format: 'byte' })).toEqual(Uint8Array.of(0xff, 0xef));
});

test.each<[string, StructuralSchema, boolean]>([
  ['a set', { 'x-kubernetes-list-type': 'set' }, true],
  ['an atomic list', { 'x-kubernetes-list-type': 'atomic' }, false],
  ['a list without a type', {}, false],
])('the order of the elements of %s counts only where it should', (_, type, equalsInAnyOrder) => {
  const schema: StructuralSchema = { type: 'array', items: { type: 'string' }, ...type };
  expect(equal(valueBySchema(['a', 'b'], schema), valueBySchema(['b', 'a'], schema))).toBe(equalsInAnyOrder);
});

test('elements of a list-map are the same by their keys, and equal by all of their fields', () => {
  const element: StructuralSchema = { type: 'object', properties: { name: { type: 'string' }, size: { type: 'integer' } } };
  const schema: StructuralSchema = {
    type: 'array',
    items: element,
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
  };
  const [a1, a2, b] = [
    { name: 'a', size: 1 },
    { name: 'a', size: 2 },
    { name: 'b', size: 1 },
  ].map((value): Json => value) as [Json, Json, Json];
  expect(equal(valueBySchema([a1, b], schema), valueBySchema([b, a1], schema))).toBe(true);
  expect(equal(valueBySchema([a1, b], schema), valueBySchema([b, a2], schema))).toBe(false);
});

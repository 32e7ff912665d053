import { z } from 'zod';
import { builtinSchema } from '../../src/kinds/index.js';
import type { StructuralSchema } from '../../src/kubernetes/index.js';
import { k, structuralSchemaOf } from '../../src/schema/index.js';

const converted = (schema: unknown): StructuralSchema =>
  structuralSchemaOf(schema as z.ZodType, { path: 'spec', resolveBuiltin: () => undefined });
const message = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error?.issues.map((issue) => issue.message);

/** A mark that got lost would change the CRD in silence. */
describe('a mark survives', () => {
  const ruled = z.string().check(k.rule('self != "x"'));
  const rules = [{ rule: 'self != "x"' }];
  test.each<[string, () => z.ZodType]>([
    ['checks', () => ruled.min(1).max(9).regex(/a/)],
    ['a description', () => ruled.describe('d')],
    ['metadata', () => ruled.meta({ title: 't' })],
    ['optional', () => ruled.optional()],
    ['nullable', () => ruled.nullable()],
    ['a default', () => ruled.default('a')],
    ['readonly', () => ruled.readonly()],
    ['brand', () => ruled.brand('B')],
  ])('%s', (_name, schema) => {
    expect(converted(schema())).toMatchObject({ 'x-kubernetes-validations': rules });
  });

  const object = z.object({ a: z.string() }).check(k.rule('self.a != "x"'));
  test.each<[string, () => z.ZodType]>([
    ['safeExtend', () => object.safeExtend({ b: z.string() })],
    ['required', () => object.required()],
  ])('%s', (_name, schema) => {
    expect(converted(schema())).toMatchObject({ 'x-kubernetes-validations': [{ rule: 'self.a != "x"' }] });
  });
});

test('a description survives the checks behind it', () => {
  expect(converted(z.string().describe('d').min(1).optional())).toMatchObject({ description: 'd', minLength: 1 });
});

test('the outermost description counts', () => {
  expect(converted(z.string().describe('inner').optional().describe('outer'))).toMatchObject({ description: 'outer' });
});

/** Samples and unit tests parse with zod: what the API server would refuse should fail there already. */
describe('marks are checked in JavaScript', () => {
  test.each<[string, z.ZodType, unknown, string[] | undefined]>([
    ['a set', k.set(z.string()), ['a', 'b'], undefined],
    ['a set with a duplicate', k.set(z.string()), ['a', 'a'], ['item 1 is a duplicate: "a"']],
    [
      'a set of objects in another order of keys',
      k.set(k.atomic(z.object({ a: z.int(), b: z.int() }))),
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      ['item 1 is a duplicate: {"a":1,"b":2}'],
    ],
    [
      'a list-map',
      k.listMap(z.object({ a: z.string(), b: z.string() }), 'a'),
      [
        { a: 'x', b: '' },
        { a: 'x', b: 'y' },
      ],
      ['item 1 is a duplicate: {"a":"x"}'],
    ],
    ['a quantity', k.quantity(), '1.5Gx', ["must be a quantity, for example '500m', '2Gi' or 3"]],
    ['a duration', k.duration(), '3 days', ["must be a duration, for example '30s' or '1h30m'"]],
    [
      'a name',
      k.name(),
      'A',
      ['must be lower case letters, digits and dashes, beginning and ending with a letter or digit (DNS-1123 label)'],
    ],
    ['a label key', k.labelKey(), 'example.com/name', undefined],
    ['a format', k.ipv4(), '::1', ['must be of format ipv4']],
    [
      'one of two',
      z.object({ a: z.string().optional(), b: z.string().optional() }).check(k.oneOf('a', 'b')),
      {},
      ['exactly one of the fields in [a b] must be set'],
    ],
    [
      'at most one of two',
      z.object({ a: z.string().optional(), b: z.string().optional() }).check(k.atMostOneOf('a', 'b')),
      { a: '', b: '' },
      ['at most one of the fields in [a b] may be set'],
    ],
    [
      'at least one of two',
      z.object({ a: z.string().optional(), b: z.string().optional() }).check(k.atLeastOneOf('a', 'b')),
      {},
      ['at least one of the fields in [a b] must be set'],
    ],
    ['too few properties', z.record(z.string(), z.string()).check(k.minProperties(1)), {}, ['should have at least 1 properties']],
    [
      'too many properties',
      z.record(z.string(), z.string()).check(k.maxProperties(1)),
      { a: '', b: '' },
      ['must have at most 1 properties'],
    ],
    ['JSON', k.json(), null, ['must be a JSON value other than null']],
    ['an embedded object', k.embedded(), { kind: 'A' }, ['must be an object with apiVersion and kind']],
    ['a built-in type', k.builtin('PodSpec'), undefined, ['must be a PodSpec']],
    ['unknown fields are kept', k.preserveUnknown(z.object({ a: z.string() })), { a: '', b: 1 }, undefined],
  ])('%s', (_name, schema, value, expected) => {
    expect(message(schema, value)).toEqual(expected);
  });

  test('zod keeps the unknown fields that the API server keeps', () => {
    expect(k.preserveUnknown(z.object({ a: z.string() })).parse({ a: '', b: 1 })).toEqual({ a: '', b: 1 });
  });
});

describe('k.builtin with open enumerations', () => {
  const converted = (schema: z.ZodType): StructuralSchema =>
    structuralSchemaOf(schema, { path: 'spec', resolveBuiltin: (name) => builtinSchema(name as 'PodSpec') });
  const enums = (schema: unknown): number => [...JSON.stringify(schema).matchAll(/"enum":/g)].length;

  test('differs from the closed type in the lists of values alone, at any depth', () => {
    const closed = converted(k.builtin('PodTemplateSpec'));
    const open = converted(k.builtin('PodTemplateSpec', { open: true }));
    expect(enums(closed)).toBeGreaterThan(50);
    expect(enums(open)).toBe(0);
    const withoutLists = JSON.parse(JSON.stringify(closed), (key, value: unknown) =>
      key === 'enum' && Array.isArray(value) ? undefined : value,
    );
    expect(open).toEqual(withoutLists);
    expect(converted(k.builtin('PodTemplateSpec', { open: false }))).toEqual(closed);
  });

  test('keeps a field that is called enum', () => {
    expect(converted(k.builtin('CustomResourceSubresources', { open: true }))).toEqual(converted(k.builtin('CustomResourceSubresources')));
    const selector = converted(k.builtin('NodeSelectorRequirement', { open: true }));
    expect(selector).toMatchObject({ properties: { operator: { type: 'string' }, values: { type: 'array', items: { type: 'string' } } } });
  });

  test('takes a value of a later version', () => {
    const toleration: z.ZodType = k.builtin('Toleration', { open: true });
    expect(toleration.parse({ operator: 'Gt' })).toEqual({ operator: 'Gt' });
  });
});

test('two copies of keelson understand each other', () => {
  let other: typeof k | undefined;
  jest.isolateModules(() => {
    other = (require('../../src/schema/index.js') as { k: typeof k }).k;
  });
  expect(other).not.toBe(k);
  expect(converted(other?.set(z.string()))).toEqual(converted(k.set(z.string())));
});

test('below an atomic object or record values keep their older selves, as the API server has it', () => {
  const rule = { 'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'field is immutable' }] };
  const spec = converted(k.atomic(z.record(z.string(), k.immutable(z.string()))));
  expect(spec).toEqual({ type: 'object', 'x-kubernetes-map-type': 'atomic', additionalProperties: { type: 'string', ...rule } });
});

import { z } from 'zod';
import { k } from '../../../../src/keelson/schema/index.js';

const message = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error?.issues.map((issue) => issue.message);

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

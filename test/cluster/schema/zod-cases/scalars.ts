import { z } from 'zod';
import { k } from '../../../../src/keelson/schema/index.js';
import { UNCHECKED, type ZodCases } from './zod-case.js';

/** As TypeScript compiles `enum Level` and `enum Order`. */
const Level = { Low: 'low', High: 'high' } as const;
const Order = { First: 1, Second: 2, 1: 'First', 2: 'Second' } as const;

/** What zod has for strings, numbers and fixed values. */
export const scalars: ZodCases = {
  text: {
    schema: z.string(),
    valid: [{ value: '' }, { value: 'a' }],
    invalid: [
      { value: 1, refusals: ['spec.text: Invalid value: "integer": spec.text in body must be of type string: "integer"', UNCHECKED] },
    ],
  },
  bounded: {
    schema: z.string().min(2).max(4),
    valid: [{ value: 'ab' }, { value: 'abcd' }],
    invalid: [
      { value: 'a', refusals: ['spec.bounded: Invalid value: "a": spec.bounded in body should be at least 2 chars long'] },
      { value: 'abcde', refusals: ['spec.bounded: Too long: may not be more than 4 bytes', UNCHECKED] },
    ],
  },
  exact: {
    schema: z.string().length(3),
    valid: [{ value: 'abc' }],
    invalid: [
      { value: 'ab', refusals: ['spec.exact: Invalid value: "ab": spec.exact in body should be at least 3 chars long'] },
      { value: 'abcd', refusals: ['spec.exact: Too long: may not be more than 3 bytes', UNCHECKED] },
    ],
  },
  pattern: {
    schema: z.string().regex(/^[a-z]+$/),
    valid: [{ value: 'abc' }],
    invalid: [{ value: 'A', refusals: ['spec.pattern: Invalid value: "A": spec.pattern in body should match \'^[a-z]+$\''] }],
  },
  caseless: {
    schema: z.string().regex(/^[a-z]+$/i),
    valid: [{ value: 'AbC' }],
    invalid: [{ value: '1', refusals: ['spec.caseless: Invalid value: "1": spec.caseless in body should match \'^[a-zA-Z]+$\''] }],
  },
  twoPatterns: {
    schema: z.string().regex(/^a/).regex(/z$/),
    valid: [{ value: 'abz' }],
    invalid: [
      {
        value: 'az!',
        refusals: [
          'spec.twoPatterns: Invalid value: "az!": spec.twoPatterns in body should match \'z$\'',
          '<nil>: Invalid value: "": "spec.twoPatterns" must validate all the schemas (allOf). None validated',
        ],
      },
    ],
  },
  affixes: {
    schema: z.string().startsWith('a.').endsWith('.z').includes('+'),
    valid: [{ value: 'a.+.z' }],
    invalid: [
      {
        value: 'axz',
        refusals: [
          'spec.affixes: Invalid value: "axz": spec.affixes in body should match \'\\.z$\'',
          'spec.affixes: Invalid value: "axz": spec.affixes in body should match \'\\+\'',
          '<nil>: Invalid value: "": "spec.affixes" must validate all the schemas (allOf). None validated',
          'spec.affixes: Invalid value: "axz": spec.affixes in body should match \'^a\\.\'',
        ],
      },
      {
        value: 'a..z',
        refusals: [
          'spec.affixes: Invalid value: "a..z": spec.affixes in body should match \'\\+\'',
          '<nil>: Invalid value: "": "spec.affixes" must validate all the schemas (allOf)',
        ],
      },
    ],
  },
  cases: {
    schema: z.string().lowercase(),
    valid: [{ value: 'abc1' }],
    invalid: [{ value: 'aBc', refusals: ['spec.cases: Invalid value: "aBc": spec.cases in body should match \'^[^A-Z]*$\''] }],
  },
  email: {
    schema: z.email(),
    valid: [{ value: 'a@example.com' }],
    invalid: [
      {
        value: 'a',
        refusals: [
          'spec.email: Invalid value: "a": spec.email in body must be of type email: "a"',
          "spec.email: Invalid value: \"a\": spec.email in body should match '^([A-Za-z0-9_'+-]+\\.)*[A-Za-z0-9_'+-]*[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9-]*\\.)+[A-Za-z]{2,}$'",
          UNCHECKED,
        ],
      },
    ],
  },
  url: {
    schema: k.uri(),
    valid: [{ value: 'https://example.com/' }],
    invalid: [
      { value: 'nonsense', refusals: ['spec.url: Invalid value: "nonsense": spec.url in body must be of type uri: "nonsense"', UNCHECKED] },
    ],
  },
  uuid: {
    schema: z.uuid(),
    valid: [{ value: '123e4567-e89b-42d3-a456-426614174000' }],
    invalid: [
      {
        value: '1',
        refusals: [
          'spec.uuid: Invalid value: "1": spec.uuid in body should match \'^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|0{8}-0{4}-0{4}-0{4}-0{12}|f{8}-f{4}-f{4}-f{4}-f{12})$\'',
          'spec.uuid: Invalid value: "1": spec.uuid in body must be of type uuid: "1"',
          UNCHECKED,
        ],
      },
    ],
  },
  uuidv4: {
    schema: z.uuidv4(),
    valid: [{ value: '123e4567-e89b-42d3-a456-426614174000' }],
    invalid: [
      {
        value: '123e4567-e89b-12d3-a456-426614174000',
        refusals: [
          'spec.uuidv4: Invalid value: "123e4567-e89b-12d3-a456-426614174000": spec.uuidv4 in body should match \'^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-4[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$\'',
        ],
      },
    ],
  },
  guid: {
    schema: z.guid(),
    valid: [{ value: '123e4567-e89b-02d3-0456-426614174000' }],
    invalid: [
      {
        value: '1',
        refusals: [
          'spec.guid: Invalid value: "1": spec.guid in body should match \'^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$\'',
        ],
      },
    ],
  },
  ipv4: {
    schema: z.ipv4(),
    valid: [{ value: '10.0.0.1' }],
    invalid: [
      {
        value: '::1',
        refusals: [
          'spec.ipv4: Invalid value: "::1": spec.ipv4 in body must be of type ipv4: "::1"',
          'spec.ipv4: Invalid value: "::1": spec.ipv4 in body should match \'^((25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])\\.){3}(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])$\'',
          UNCHECKED,
        ],
      },
    ],
  },
  ipv6: {
    schema: z.ipv6(),
    valid: [{ value: 'fe80::1' }],
    invalid: [
      {
        value: '10.0.0.1',
        refusals: ['spec.ipv6: Invalid value: "10.0.0.1": spec.ipv6 in body must be of type ipv6: "10.0.0.1"', UNCHECKED],
      },
    ],
  },
  cidrv4: {
    schema: z.cidrv4(),
    valid: [{ value: '10.0.0.0/8' }],
    invalid: [
      {
        value: 'fd00::/8',
        refusals: [
          'spec.cidrv4: Invalid value: "fd00::/8": spec.cidrv4 in body should match \'^((25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])\\.){3}(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])/(3[0-2]|[12]?[0-9])$\'',
        ],
      },
    ],
  },
  cidrv6: {
    schema: z.cidrv6(),
    valid: [{ value: 'fd00::/8' }],
    invalid: [
      {
        value: '10.0.0.0/8',
        refusals: [
          'spec.cidrv6: Invalid value: "10.0.0.0/8": spec.cidrv6 in body should match \'^[0-9a-fA-F:]*:([0-9a-fA-F]*|((25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])\\.){3}(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9]))/(12[0-8]|1[01][0-9]|[1-9]?[0-9])$\'',
        ],
      },
    ],
  },
  mac: {
    schema: z.mac(),
    valid: [{ value: '00:00:5E:00:53:01' }],
    invalid: [
      {
        value: '00',
        refusals: [
          'spec.mac: Invalid value: "00": spec.mac in body should match \'^([0-9A-F]{2}:){5}[0-9A-F]{2}$|^([0-9a-f]{2}:){5}[0-9a-f]{2}$\'',
          'spec.mac: Invalid value: "00": spec.mac in body must be of type mac: "00"',
          UNCHECKED,
        ],
      },
    ],
  },
  hostname: {
    schema: z.hostname(),
    valid: [{ value: 'example.com' }],
    invalid: [
      {
        value: 'a b',
        refusals: [
          'spec.hostname: Invalid value: "a b": spec.hostname in body should match \'^[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(\\.[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*\\.?$\'',
        ],
      },
    ],
  },
  base64: {
    schema: z.base64().min(1),
    valid: [{ value: 'aGVsbG8=' }],
    invalid: [
      {
        value: '*',
        refusals: [
          'spec.base64: Invalid value: "*": spec.base64 in body should match \'^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$\'',
        ],
      },
    ],
  },
  base64url: {
    schema: z.base64url(),
    valid: [{ value: 'aGVsbG8' }],
    invalid: [
      {
        value: 'a+/=',
        refusals: [
          'spec.base64url: Invalid value: "a+/=": spec.base64url in body should match \'^([A-Za-z0-9_-]{4})*([A-Za-z0-9_-]{2,3})?$\'',
        ],
      },
    ],
  },
  date: {
    schema: z.iso.date(),
    valid: [{ value: '2024-02-29' }],
    invalid: [
      {
        value: '2024-13-01',
        refusals: ['spec.date: Invalid value: "2024-13-01": spec.date in body must be of type date: "2024-13-01"', UNCHECKED],
      },
    ],
  },
  utc: {
    schema: z.iso.datetime(),
    valid: [{ value: '2024-01-01T00:00:00Z' }],
    invalid: [
      {
        value: '2024-01-01T00:00:00+01:00',
        refusals: [
          'spec.utc: Invalid value: "2024-01-01T00:00:00+01:00": spec.utc in body should match \'^[0-9-]+T[0-9:]+(\\.[0-9]+)?Z$\'',
        ],
      },
      {
        value: 'x',
        refusals: [
          'spec.utc: Invalid value: "x": spec.utc in body should match \'^[0-9-]+T[0-9:]+(\\.[0-9]+)?Z$\'',
          'spec.utc: Invalid value: "x": spec.utc in body must be of type date-time: "x"',
          UNCHECKED,
        ],
      },
    ],
  },
  template: {
    schema: z.templateLiteral(['v', z.number().int()]),
    valid: [{ value: 'v1' }],
    invalid: [{ value: 'x1', refusals: ['spec.template: Invalid value: "x1": spec.template in body should match \'^v-?\\d+$\''] }],
  },
  choice: {
    schema: z.enum(['red', 'green']),
    valid: [{ value: 'red' }],
    invalid: [{ value: 'blue', refusals: ['spec.choice: Unsupported value: "blue": supported values: "red", "green"', UNCHECKED] }],
  },
  nativeEnum: {
    schema: z.enum(Level),
    valid: [{ value: 'low' }],
    invalid: [{ value: 'mid', refusals: ['spec.nativeEnum: Unsupported value: "mid": supported values: "low", "high"', UNCHECKED] }],
  },
  numericEnum: {
    schema: z.enum(Order),
    valid: [{ value: 1 }],
    invalid: [{ value: 3, refusals: ['spec.numericEnum: Unsupported value: 3: supported values: "1", "2"', UNCHECKED] }],
  },
  literal: {
    schema: z.literal('only'),
    valid: [{ value: 'only' }],
    invalid: [{ value: 'other', refusals: ['spec.literal: Unsupported value: "other": supported values: "only"', UNCHECKED] }],
  },
  literals: {
    schema: z.literal([1, 2]),
    valid: [{ value: 2 }],
    invalid: [{ value: 3, refusals: ['spec.literals: Unsupported value: 3: supported values: "1", "2"', UNCHECKED] }],
  },
  unionOfLiterals: {
    schema: z.union([z.literal('a'), z.literal('b')]),
    valid: [{ value: 'b' }],
    invalid: [{ value: 'c', refusals: ['spec.unionOfLiterals: Unsupported value: "c": supported values: "a", "b"', UNCHECKED] }],
  },
  maybeChoice: {
    schema: z.enum(['red', 'green']).nullable(),
    valid: [{ value: 'red' }, { value: null }],
    invalid: [
      { value: 'blue', refusals: ['spec.maybeChoice: Invalid value: "blue": spec.maybeChoice in body should match \'^(red|green)$\''] },
    ],
  },
  maybeDigit: {
    schema: z.literal([3, 1, 2]).nullable(),
    valid: [{ value: 2 }, { value: null }],
    invalid: [{ value: 4, refusals: ['spec.maybeDigit: Invalid value: 4: spec.maybeDigit in body should be less than or equal to 3'] }],
  },
  maybePower: {
    schema: z.literal([1, 2, 4]).nullable(),
    valid: [{ value: 4 }, { value: null }],
    invalid: [{ value: 3, refusals: ['spec.maybePower: Invalid value: 3: must be one of 1, 2, 4'] }],
  },
  maybeText: {
    schema: z.string().nullable(),
    valid: [{ value: 'a' }, { value: null }],
    invalid: [
      {
        value: 1,
        refusals: ['spec.maybeText: Invalid value: "integer": spec.maybeText in body must be of type string: "integer"', UNCHECKED],
      },
    ],
  },
  nullish: {
    schema: z.string().nullish(),
    valid: [{ value: null }, { value: 'x' }],
    invalid: [
      { value: 1, refusals: ['spec.nullish: Invalid value: "integer": spec.nullish in body must be of type string: "integer"', UNCHECKED] },
    ],
  },
  number: {
    schema: z.number(),
    valid: [{ value: 1.5 }],
    invalid: [
      { value: 'x', refusals: ['spec.number: Invalid value: "string": spec.number in body must be of type number: "string"', UNCHECKED] },
    ],
  },
  between: {
    schema: z.number().gt(0).lt(1),
    valid: [{ value: 0.5 }],
    invalid: [
      { value: 0, refusals: ['spec.between: Invalid value: 0: spec.between in body should be greater than 0'] },
      { value: 1, refusals: ['spec.between: Invalid value: 1: spec.between in body should be less than 1'] },
    ],
  },
  multiple: {
    schema: z.int().multipleOf(5),
    valid: [{ value: 10 }],
    invalid: [{ value: 7, refusals: ['spec.multiple: Invalid value: 7: spec.multiple in body should be a multiple of 5'] }],
  },
  positive: {
    schema: z.int().positive(),
    valid: [{ value: 1 }],
    invalid: [{ value: 0, refusals: ['spec.positive: Invalid value: 0: spec.positive in body should be greater than 0'] }],
  },
  int: {
    schema: z.int(),
    valid: [{ value: 9007199254740991 }],
    invalid: [
      {
        value: 1.5,
        refusals: [
          '<nil>: Invalid value: "": Checked value must be of type integer with format int64 in spec.int',
          'spec.int: Invalid value: "float64": spec.int in body must be of type int64: "float64"',
          UNCHECKED,
        ],
      },
    ],
  },
  boolean: {
    schema: z.boolean(),
    valid: [{ value: true }],
    invalid: [
      {
        value: 'true',
        refusals: ['spec.boolean: Invalid value: "string": spec.boolean in body must be of type boolean: "string"', UNCHECKED],
      },
    ],
  },
  readonly: { schema: z.string().readonly(), valid: [{ value: 'a' }] },
  branded: { schema: z.string().brand('Id'), valid: [{ value: 'a' }] },
  described: {
    schema: z
      .string()
      .describe('A text.')
      .meta({ title: 'Text', example: 'x', externalDocs: { url: 'https://example.com' } }),
    valid: [{ value: 'a' }],
  },
};

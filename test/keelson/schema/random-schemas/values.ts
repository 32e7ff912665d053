import fc from 'fast-check';
import type { Json, StructuralSchema } from '../../../../src/kubernetes/apimachinery/index.js';

type Values = fc.Arbitrary<Json>;

/** At the edges of the formats, and beyond them. */
const TEXTS: readonly string[] = [
  ...[
    '',
    'a',
    'b',
    'ab',
    'ba',
    'A',
    'aa',
    'auto',
    '1',
    '-1',
    '0.5',
    'v1',
    'v-1',
    'x',
    'y',
    'z',
    'é',
    'É',
    'a b',
    ' a',
    'a\n',
    '\n',
    'abcd',
    'abcde',
  ],
  ...[
    '\u00a0',
    '\v',
    '\u017f',
    '\u212a',
    'k',
    's',
    'K',
    'S',
    '\u2028',
    '\ufeff',
    '_',
    '-',
    '.',
    '\u0085',
    'true',
    'null',
    '$',
    'ß',
    '\u0000',
  ],
  ...[
    'a@b.de',
    'a@b',
    'Barry <bg@example.com>',
    "o'hara@x.org",
    'a..b@c.de',
    '.a@b.de',
    'a.@b.de',
    "a'@b.de",
    'ä@b.de',
    'a+b@c.de',
    'a@-b.de',
    'a@b_c.de',
  ],
  ...[
    'http://a.de',
    'http://a.de/b?c=d',
    'http://a.de#f',
    '/path',
    '//host/x',
    'http://',
    'http://a.de:99999',
    ' http://a.de',
    'mailto:a@b.de',
    'a:b',
    '/%zz',
  ],
  ...[
    '1.2.3.4',
    '01.2.3.4',
    '1.2.3',
    '256.1.1.1',
    '1.2.3.4.5',
    '::1',
    '::',
    '1::',
    'fe80::1%eth0',
    '::ffff:1.2.3.4',
    '1:2:3:4:5:6:7:8',
    '1:2:3:4:5:6:7::',
  ],
  ...[
    '12345::',
    '1:2:3:4:5:6:7:8:9',
    ':1',
    '10.0.0.0/8',
    '010.0.0.0/8',
    '10.0.0.0/08',
    '10.0.0.0/33',
    '10.0.0.1/8',
    'fd00::/8',
    '::/0',
    '::/129',
    '::/08',
    '::1.2.3.4/96',
  ],
  ...[
    'aa:bb:cc:dd:ee:ff',
    'AA:BB:CC:DD:EE:FF',
    'aA:bb:cc:dd:ee:ff',
    'aa-bb-cc-dd-ee-ff',
    'aabb.ccdd.eeff',
    'aa:bb:cc:dd:ee',
    'aabbccddeeff',
  ],
  ...[
    'a.b.c',
    'example.com',
    'example.com.',
    'a_b',
    '-a',
    'a-',
    'xn--a',
    'EXAMPLE.com',
    'a..b',
    `${'a'.repeat(63)}.de`,
    `${'a'.repeat(64)}.de`,
    `${'a.'.repeat(126)}a`,
  ],
  ...[`${'a.'.repeat(126)}ab`, `${'a.'.repeat(127)}`, 'aGk=', 'aGk', 'aGkA', 'aG==', 'aGl=', 'aGk=\n', 'a===', 'YQ', 'YWI', '-_-_', 'YQ=='],
  ...[
    '123e4567-e89b-12d3-a456-426614174000',
    '123e4567e89b12d3a456426614174000',
    '00000000-0000-0000-0000-000000000000',
    '123E4567-E89B-42D3-A456-426614174000',
  ],
  ...[
    '123e4567-e89b-42d3-c456-426614174000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
    'g23e4567-e89b-42d3-a456-426614174000',
  ],
  ...['2026-01-31', '2026-02-30', '2024-02-29', '2023-02-29', '0000-02-29', '2026-1-1', '12:00:00', '12:00', '24:00:00', '12:00:00.5'],
  ...[
    '2026-01-31T12:00:00Z',
    '2026-01-31t12:00:00Z',
    '2026-01-31T12:00:00z',
    '2026-01-31T12:00:00.5Z',
    '2026-01-31T12:00:00,5Z',
    '2026-01-31T12:00:00x1Z',
  ],
  ...[
    '2026-01-31T12:00:00+24:00',
    '2026-01-31T12:00:00-99:99',
    '2026-01-31T12:00:00+02:00',
    '2026-01-31T12:00:00.123Z',
    '2026-01-31T12:00:00.123+00:00',
  ],
  ...[
    '2026-01-31T12:00:00.123456Z',
    '2026-01-31T24:00:00Z',
    '2026-01-31T12:60:00Z',
    '2026-01-31T23:59:60Z',
    '2026-02-30T12:00:00Z',
    '2026-01-31T12:00:00',
  ],
  ...[
    '30s',
    '1h30m',
    '3 days',
    '1.5h',
    '0',
    '-1s',
    '1d',
    '500m',
    '2Gi',
    '1e3',
    '1E',
    '+1',
    '.5',
    '1.',
    'Mi',
    'example.com/name',
    'a/b/c',
    'Name',
    'name',
  ],
  ...['+4915112345678', '+04915', 'abcdef0123', 'ABC', 'deadbee', 'a/b', 'A1_', '\t'],
];

const ALPHABET = [
  'a',
  'b',
  'k',
  's',
  'A',
  'K',
  'S',
  '1',
  '_',
  '-',
  ' ',
  '.',
  '\n',
  '\t',
  '\v',
  '\r',
  '\u00a0',
  '\u017f',
  '\u212a',
  'é',
  'É',
  '\u2028',
  '\ufeff',
  'x',
];
const word = fc.array(fc.constantFrom(...ALPHABET), { maxLength: 5 }).map((letters) => letters.join(''));
const text: fc.Arbitrary<Json> = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...TEXTS) }, { weight: 2, arbitrary: word });

const NUMBERS = [
  0,
  1,
  2,
  3,
  4,
  5,
  6,
  10,
  12,
  -1,
  -2,
  -3,
  -10,
  0.5,
  -0.5,
  1.5,
  2.5,
  2.25,
  65535,
  65536,
  1e3,
  2 ** 31,
  2 ** 31 - 1,
  -(2 ** 31),
  2 ** 32,
  2 ** 53 - 1,
];
const number: fc.Arbitrary<Json> = fc.constantFrom(...NUMBERS, 1_000_000_000.5, -1e12, 12.000000001);

const KEYS = ['a', 'b', 'c', 'x-y', 'namespace', 'in', '@type', 'constructor', 't', 'x-t', 'name', 'other', 'matchLabels'];

/** Any JSON at all. */
const { any } = fc.letrec<{ any: Json }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', maxDepth: 3 },
    { weight: 2, arbitrary: text },
    { weight: 2, arbitrary: number },
    fc.constantFrom<Json>(true, false, null),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...KEYS), tie('any'), { maxKeys: 3, noNullPrototype: true }),
  ),
}));

/** Values that fit a schema more often than chance would have it, and miss it often enough. */
export function valuesOf(schema: StructuralSchema): Values {
  const nullable: fc.WeightedArbitrary<Json> = { weight: schema.nullable === true ? 3 : 1, arbitrary: fc.constant(null) };
  return fc.oneof({ weight: 14, arbitrary: fitting(schema) }, { weight: 1, arbitrary: any }, nullable);
}

function fitting(schema: StructuralSchema): Values {
  const { type } = schema;
  if (schema.enum !== undefined) return fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...schema.enum) }, text, number);
  if (schema['x-kubernetes-int-or-string'] === true) return fc.oneof(text, number);
  if (type === 'string') return text;
  if (type === 'integer' || type === 'number') return numbersOf(schema);
  if (type === 'boolean') return fc.boolean();
  if (type === 'array')
    return schema.items === undefined ? fc.array(any, { maxLength: 3 }) : fc.array(valuesOf(schema.items), { maxLength: 4 });
  return type === 'object' ? fieldsOf(schema) : any;
}

/** Every number that the schema names, and its neighbours. */
function numbersOf(schema: StructuralSchema): Values {
  const named = [schema, ...(schema.anyOf ?? []), ...(schema.allOf ?? [])].flatMap((part) => [part.minimum, part.maximum, part.multipleOf]);
  const near = named.flatMap((bound) =>
    bound === undefined || Math.abs(bound) > 2 ** 52 ? [] : [bound, bound + 1, bound - 1, bound + 0.5],
  );
  return near.length === 0 ? number : fc.oneof(number, fc.constantFrom<Json>(...near));
}

function fieldsOf({ properties = {}, additionalProperties, required = [] }: StructuralSchema): Values {
  if (typeof additionalProperties === 'object')
    return fc.dictionary(fc.constantFrom(...KEYS), valuesOf(additionalProperties), { maxKeys: 3, noNullPrototype: true });
  const known = fc.record(Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, valuesOf(property)])), {
    requiredKeys: [],
    noNullPrototype: true,
  });
  const demanded = fc.record(Object.fromEntries(required.map((name) => [name, valuesOf(properties[name] ?? {})])), {
    noNullPrototype: true,
  });
  const unknown = fc.dictionary(fc.constantFrom('other', 'a'), any, { maxKeys: 1, noNullPrototype: true });
  return fc
    .tuple(known, demanded, fc.oneof({ weight: 6, arbitrary: fc.constant({}) }, unknown), fc.integer({ min: 0, max: 9 }))
    .map(([some, all, other, luck]) => ({ ...other, ...some, ...(luck === 0 ? {} : all) }) as Json);
}

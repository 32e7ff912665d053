import { z } from 'zod';
import { k } from '../../../src/keelson/schema/index.js';

/** What zod takes and the API server does not, or the other way round: refused when it is defined. */
export const disagreementCases: readonly (readonly [name: string, schema: () => unknown, problems: readonly string[]])[] = [
  [
    'negative multipleOf',
    () => z.number().multipleOf(-2),
    ['spec: .multipleOf(-2): the API server refuses every value unless the factor is above 0; write 2'],
  ],
  [
    'multipleOf zero',
    () => z.number().multipleOf(0),
    ['spec: .multipleOf(0): the API server refuses every value unless the factor is above 0; write 1'],
  ],
  ['huge multipleOf', () => z.number().multipleOf(1e21), ['spec: .multipleOf(1e+21): write a whole number from 1 to 2^53 - 1']],
  [
    'fraction as a minimum length',
    () => z.string().min(1.5),
    ['spec: 1.5 as the minimum number of characters: the API server takes whole numbers alone; write 2'],
  ],
  [
    'fraction as a maximum of items',
    () => z.array(z.string()).max(0.5),
    ['spec: 0.5 as the maximum number of items: the API server takes whole numbers alone; write 0'],
  ],
  [
    'fraction of a field',
    () => z.record(z.string(), z.string()).check(k.minProperties(0.5)),
    ['spec: 0.5 as the minimum number of fields: the API server takes whole numbers alone; write 1'],
  ],
  [
    'huge maximum length',
    () => z.string().max(1e21),
    [
      'spec: 1e+21 as the maximum number of characters: the API server takes whole numbers alone; write a whole number from 0 to 2^53 - 1, or leave it out',
    ],
  ],
  [
    'NaN as a maximum length',
    () => z.string().max(Number.NaN),
    [
      'spec: NaN as the maximum number of characters: the API server takes whole numbers alone; write a whole number from 0 to 2^53 - 1, or leave it out',
    ],
  ],
  ['NaN as a maximum', () => z.number().max(Number.NaN), ['spec: NaN is not a bound: nothing is compared with it; write a number']],
  [
    'infinite minimum',
    () => z.number().min(Number.POSITIVE_INFINITY),
    ['spec: the bound Infinity leaves no number of 64 bits, which is what the API server compares; write a smaller one'],
  ],
  [
    'length above the maximum',
    () => z.string().max(2).length(3),
    ['spec: no value has at least 3 and at most 2 characters; mend the bounds'],
  ],
  [
    'length below the minimum',
    () => z.string().min(5).length(3),
    ['spec: no value has at least 5 and at most 3 characters; mend the bounds'],
  ],
  [
    'items above the maximum',
    () => z.array(z.string()).max(1).length(2),
    ['spec: no value has at least 2 and at most 1 items; mend the bounds'],
  ],
  ['minimum above the maximum', () => k.int32().min(5).max(3), ['spec: no number is within the bounds 5 and 3; mend them']],
  ['bounds that exclude each other', () => z.number().gt(3).max(3), ['spec: no number is within the bounds 3 and 3; mend them']],
  ['enum without values', () => z.enum([]), ['spec: an enum without values accepts nothing; name the values, or write z.string()']],
  [
    'default that is undefined in part',
    () => z.object({ a: z.object({ b: z.string().optional() }).default({ b: undefined }) }),
    ['spec.a: .default(): the field "b" is undefined, which JSON cannot say; leave the field out'],
  ],
  [
    'default below a default',
    () => z.object({ a: z.object({ x: k.int32().default(3).optional() }).default({}) }),
    [
      'spec.a: .default({}): the API server fills in the defaults below and stores {"x":3}, zod does not; write .prefault({}), or the whole value',
    ],
  ],
  [
    'default below a list that is a default',
    () => z.object({ a: z.array(z.object({ x: k.int32().default(3).optional() })).default([{}]) }),
    [
      'spec.a: .default([{}]): the API server fills in the defaults below and stores [{"x":3}], zod does not; write .prefault([{}]), or the whole value',
    ],
  ],
  [
    'default in a partial record',
    () => z.partialRecord(z.enum(['a']), k.int32().default(1)),
    [
      'spec.a: a default in z.partialRecord(): the API server fills it in, zod leaves the key out; leave the default out, or write z.object() with named fields',
    ],
  ],
  [
    'discriminator that CEL cannot reach',
    () => z.discriminatedUnion('@type', [z.object({ '@type': z.literal('a') }), z.object({ '@type': z.literal('b') })]),
    ['spec.@type: CEL cannot reach a field named "@type", which a discriminator needs; rename it: letters, digits, _ - . and / fit'],
  ],
  [
    'required nullable field of a variant',
    () => z.discriminatedUnion('t', [z.object({ t: z.literal('a'), x: z.string().nullable() }), z.object({ t: z.literal('b') })]),
    [
      'spec.x: a required nullable field of a variant: the API server takes null for absent where variants are distinguished; write .nullish(), or leave .nullable() out',
    ],
  ],
  [
    'required nullable field of an alternative',
    () => z.union([z.object({ a: z.string().nullable() }), z.object({ b: z.string() })]),
    [
      'spec.a: a required nullable field of a variant: the API server takes null for absent where variants are distinguished; write .nullish(), or leave .nullable() out',
    ],
  ],
  [
    'multiline pattern',
    () => z.string().regex(/^a$/m),
    ['spec: the pattern /^a$/m: flag m (multiline): JavaScript ends a line at \\r too, RE2 at \\n alone; write (^|\\n) and (\\n|$)'],
  ],
  [
    'octal escape',
    () => z.string().regex(new RegExp(['\\', '01'].join(''))),
    ['spec: the pattern /\\01/: octal escapes mean something else to RE2; write \\x and two digits'],
  ],
  [
    'emoji in a pattern without flag u',
    () => z.string().regex(new RegExp(['[', '😀', ']'].join(''))),
    ['spec: the pattern /[😀]/: "😀" is two characters to a pattern without the flag u; add the flag'],
  ],
  [
    'word boundary beside iu',
    () => z.string().regex(/\bs/iu),
    ['spec: the pattern /\\bs/iu: \\b beside the flags i and u knows letters that RE2 does not; leave one of the flags out'],
  ],
];

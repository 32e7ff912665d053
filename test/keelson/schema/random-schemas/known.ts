import type { Json } from '../../../../src/kubernetes/apimachinery/index.js';

const NUMBERS: readonly Json[] = [-20, -10, -1, 0, 0.5, 1, 2, 4, 5, 9, 10, 12.5, 20, 3e9, 1e20, -1e300];
const TEXTS: readonly Json[] = ['', 'a', 'auto', '1.2.3.4', '01.2.3.4', 'example.com', 'a.b.c', 'az', 'abz', 1, 4, 6, -3];
const SPACES: readonly Json[] = ['', ' ', '\u00a0', '\v', '\ufeff', '\u2028', '\u0085', 'a', '\n', '\r', 'aa', 'a b'];
const LETTERS: readonly Json[] = ['s', 'S', '\u017f', 'k', 'K', '\u212a', 'é', 'É', 'ß', '_', 'µ', 'μ'];

/** Schemas that zod and the API server once judged otherwise, with values at the edge. */
export const KNOWN: Readonly<Record<string, readonly Json[]>> = {
  // A format of numbers is checked inside of `anyOf`.
  'z.object({ n: z.union([z.literal(-1), z.int().min(1)]).default(3) })': [{}, { n: -1 }, { n: 0 }, { n: 0.5 }, { n: 3e9 }],
  'z.object({ n: z.union([z.int().max(0), z.int().min(10)]).default(20) })': [{}, { n: 5 }, { n: 20 }],
  'z.union([k.float().max(0), k.float().min(10)])': NUMBERS,
  'z.union([k.int32().max(0), k.int32().min(10)])': NUMBERS,
  'z.union([k.double().max(0), k.float().min(10)])': NUMBERS,
  'k.float()': NUMBERS,
  'z.number().max(1e300).min(-1e19)': NUMBERS,
  // Whole and other numbers.
  'z.union([z.int().min(0), z.number().max(-10)])': NUMBERS,
  'z.union([z.int().max(-3), z.literal(0.5)])': NUMBERS,
  'z.literal([1, 0.5])': [...NUMBERS, 1.5],
  'z.number().multipleOf(2)': NUMBERS,
  // Alternatives of an int-or-string that are compounds themselves.
  'z.union([z.int(), z.union([k.ipv4(), k.hostname()])])': TEXTS,
  'z.union([z.string().startsWith("a").endsWith("z"), z.int().multipleOf(2).multipleOf(3)])': TEXTS,
  'z.union([z.int().max(0), z.int().min(10), z.string().max(2), z.literal("auto")])': [...TEXTS, ...NUMBERS],
  'z.object({ n: z.union([z.int(), k.ipv4()]).default(1) })': [{}, { n: '1.2.3.4' }, { n: 'a' }],
  // Null is not set, for CEL.
  'z.object({ a: z.string().nullish(), b: z.string().nullish() }).check(k.oneOf("a", "b"))': [
    ...[{}, { a: null }, { a: null, b: 'x' }, { a: 'x', b: 'x' }, { a: null, b: null }],
  ],
  'z.object({ a: z.string().nullish(), b: z.string().nullish() }).check(k.atMostOneOf("a", "b"))': [
    { a: null, b: 'x' },
    { a: 'x', b: 'x' },
    {},
  ],
  'z.object({ a: z.string().nullish(), b: z.string().nullish() }).check(k.atLeastOneOf("a", "b"))': [{ a: null }, { a: null, b: 'x' }, {}],
  'z.discriminatedUnion("t", [z.object({ t: z.literal("a"), x: z.string().nullish() }), z.object({ t: z.literal("b") })])': [
    ...[{ t: 'a', x: null }, { t: 'a' }, { t: 'b' }, { t: 'a', x: 'x' }],
  ],
  // Formats.
  'z.email()': [
    'Barry <bg@example.com>',
    'a@b',
    'a@b.de',
    "o'hara@x.org",
    "a'@b.de",
    '.a@b.de',
    'a..b@c.de',
    'a@b..de',
    'a@-b-.de',
    'ä@b.de',
  ],
  'z.email({ pattern: z.regexes.html5Email })': ['a@b', 'a@b.de', 'a b@c'],
  'z.ipv4()': ['01.2.3.4', '1.2.3.4', '0.0.0.0', '256.0.0.1', '00.0.0.0'],
  'z.ipv6()': [
    '::1',
    '::',
    '::ffff:1.2.3.4',
    '::ffff:01.2.3.4',
    'fe80::1%eth0',
    '1:2:3:4:5:6:7::',
    '::2:3:4:5:6:7:8',
    '1::2::3',
    '12345::',
    ' ::1',
    '::1\n',
  ],
  'z.cidrv4()': ['010.0.0.0/8', '10.0.0.0/8', '10.0.0.0/08', '10.0.0.0/32', '10.0.0.0/33', '::/0'],
  'z.cidrv6()': ['::/0', '::/08', '::/128', '::/129', 'fd00::/8', '::ffff:1.2.3.4/96', '::ffff:01.2.3.4/96', '::1.2.3.4/09', '10.0.0.0/8'],
  'z.iso.datetime({ offset: true })': [
    ...['2026-01-31T12:00:00Z', '2026-01-31t12:00:00Z', '2026-01-31T12:00:00z', '2026-01-31T12:00:00x1Z', '2026-01-31T12:00:00,5Z'],
    ...[
      '2026-01-31T12:00:00+24:00',
      '2026-01-31T12:00:00-99:99',
      '2026-01-31T12:00:00+23:59',
      '2026-02-30T12:00:00Z',
      '2026-01-31T12:00:00.5+02:00',
    ],
  ],
  'z.iso.datetime({ precision: 3 })': [
    '2026-01-31T12:00:00.123Z',
    '2026-01-31T12:00:00.12Z',
    '2026-01-31T12:00:00Z',
    '2026-01-31T12:00:00.123+00:00',
  ],
  'k.timestamp()': ['2026-01-31t12:00:00z', '2026-01-31T12:00:00x1Z', '2026-01-31T12:00:00-99:99', '2026-01-31', ''],
  'z.hostname()': [
    'a.b.c',
    '1.2.3.4',
    'example.com.',
    'a..b',
    `${'a'.repeat(64)}.de`,
    `${'a.'.repeat(127)}`,
    `${'a.'.repeat(126)}ab`,
    '-a',
    '',
  ],
  'z.base64()': ['', 'aGk=', 'aGl=', 'aGk', 'aGk=\n', 'aGkA', 'a==='],
  'k.bytes()': ['', 'aGk=', 'aGk', 'aGk=\n', 'aGkA'],
  'z.base64url()': ['', 'YQ', 'Y', 'YQ==', '-_-_'],
  // Regular expressions.
  'z.string().regex(/^\\s*$/)': SPACES,
  'z.string().regex(/^\\S+$/)': SPACES,
  'z.string().regex(/^[^\\s]$/)': SPACES,
  'z.string().regex(/^[\\S_]$/)': SPACES,
  'z.string().regex(/^[\\s\\S]$/)': SPACES,
  'z.string().regex(/^.$/)': SPACES,
  'z.string().regex(/^.$/s)': SPACES,
  'z.string().regex(/^\\w$/i)': LETTERS,
  'z.string().regex(/^\\W$/i)': LETTERS,
  'z.string().regex(/^\\w$/iu)': LETTERS,
  'z.string().regex(/^[a-z]$/i)': LETTERS,
  'z.string().regex(/^[^a-z]$/i)': LETTERS,
  'z.string().regex(/^[à-ü]$/i)': LETTERS,
  'z.string().regex(/^s|k|\\u00e9$/i)': LETTERS,
  'z.string().regex(/^[\\w-s]$/)': [...LETTERS, '-'],
  'z.string().regex(/^[µ]$/i)': LETTERS,
  // Changes: an object with a null equals itself, and so does an empty time that was there before its format.
  'z.object({ a: k.immutable(z.object({ x: z.string().nullable() })) })': [{ a: { x: null } }, { a: { x: null } }, { a: { x: 'x' } }],
  'z.object({ a: k.immutable(z.object({ x: z.iso.datetime() })) })': [{ a: { x: '' } }, { a: { x: '' } }],
  // A small t or z is of the format, and no rule can read it: neither alone, nor within an object or a list.
  'z.object({ a: k.immutable(k.timestamp()) })': [
    { a: '2026-01-31t12:00:00Z' },
    { a: '2026-01-31t12:00:00Z' },
    { a: '2026-01-31T12:00:00Z' },
  ],
  'z.object({ a: k.immutable(z.object({ x: k.timestamp() })) })': [
    { a: { x: '2026-01-31T12:00:00z' } },
    { a: { x: '2026-01-31T12:00:00z' } },
  ],
  'z.object({ a: k.immutable(z.array(k.timestamp())) })': [{ a: ['2026-01-31t12:00:00Z'] }, { a: ['2026-01-31t12:00:00Z'] }],
  'z.object({ a: k.immutable(z.object({ x: k.bytes() })) })': [
    { a: { x: 'kxA' } },
    { a: { x: 'kxA' } },
    { a: { x: 'a Gk=' } },
    { a: { x: 'a Gk=' } },
  ],
  // Defaults.
  'z.object({ a: z.object({ x: k.int32().default(3).optional() }).prefault({}) })': [{}, { a: {} }, { a: { x: 4 } }],
  'z.object({ a: z.object({ x: k.int32().default(3).optional() }).default({ x: 5 }) })': [{}, { a: {} }, { a: { x: 4 } }],
};

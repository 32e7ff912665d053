import { z } from 'zod';
import { k } from '../../../../src/keelson/schema/index.js';
import { disagreementCases } from '../disagreement-cases.js';

let counter = 0;

/** A flag that TypeScript's target does not know as a literal yet. */
const SET_NOTATION: string = 'v';

const tree: z.ZodType = z.object({
  get children() {
    return z.array(tree).optional();
  },
});

const describedTree: z.ZodType = z.object({
  get child() {
    return describedTree.describe('again').optional();
  },
});

/** What has no faithful translation, as an author might write it, and all that he is told. */
export const refusalCases: readonly (readonly [name: string, schema: () => unknown, problems: readonly string[]])[] = [
  [
    'any',
    () => z.any(),
    ['spec: z.any() has no schema; write k.json() for any JSON value, or k.preserveUnknown() for an object with unknown fields'],
  ],
  [
    'unknown',
    () => z.unknown(),
    ['spec: z.unknown() has no schema; write k.json() for any JSON value, or k.preserveUnknown() for an object with unknown fields'],
  ],
  ['never', () => z.never(), ['spec: z.never() accepts nothing; leave the field out, the API server prunes what is not declared']],
  ['undefined', () => z.undefined(), ['spec: z.undefined() has no JSON form; write .optional() on the field']],
  ['void', () => z.void(), ['spec: z.void() has no JSON form; leave the field out']],
  ['null alone', () => z.null(), ['spec: z.null() alone says nothing; write .nullable() on the schema of the value']],
  ['nan', () => z.nan(), ['spec: z.nan() has no JSON form; write z.number()']],
  ['date', () => z.date(), ['spec: z.date() has no JSON form: the API carries text; write k.timestamp() (or k.microTime(), k.date())']],
  [
    'bigint',
    () => z.bigint(),
    ['spec: a bigint has no JSON form; write k.int64() (safe up to 2^53 - 1) or, for more, z.string() with a pattern'],
  ],
  [
    "zod's int64",
    () => z.int64(),
    ['spec: a bigint has no JSON form; write k.int64() (safe up to 2^53 - 1) or, for more, z.string() with a pattern'],
  ],
  ['symbol', () => z.symbol(), ['spec: z.symbol() has no JSON form; write z.string()']],
  ['function', () => z.function() as never, ['spec: z.function() has no JSON form; a resource carries data only']],
  ['promise', () => z.promise(z.string()), ['spec: z.promise() has no JSON form; a resource carries data only']],
  ['file', () => z.file(), ['spec: z.file() has no JSON form; write k.bytes(), or a reference to a ConfigMap or Secret']],
  [
    'map',
    () => z.map(z.string(), z.string()),
    ['spec: z.map() has no JSON form; write z.record(z.string(), value), or k.listMap(item, key) to keep an order'],
  ],
  ['set', () => z.set(z.string()), ['spec: z.set() has no JSON form; write k.set(item)']],
  [
    'tuple',
    () => z.tuple([z.string()]),
    ['spec: z.tuple() has no structural schema (items have one schema); write z.object() with named fields'],
  ],
  [
    'intersection',
    () => z.intersection(z.object({ a: z.string() }), z.object({ b: z.string() })),
    ['spec: z.intersection() cannot be merged faithfully; write one z.object(), with { ...a.shape, ...b.shape } or a.extend(b.shape)'],
  ],
  [
    'and',
    () => z.object({ a: z.string() }).and(z.object({ b: z.string() })),
    ['spec: z.intersection() cannot be merged faithfully; write one z.object(), with { ...a.shape, ...b.shape } or a.extend(b.shape)'],
  ],
  [
    'lazy',
    () => z.lazy(() => z.string()),
    [
      'spec: z.lazy() cannot be unrolled: a structural schema is finite; write the levels out, or k.preserveUnknown() (k.json() for any JSON value) where it recurses',
    ],
  ],
  [
    "zod's json",
    () => z.json(),
    [
      'spec: z.lazy() cannot be unrolled: a structural schema is finite; write the levels out, or k.preserveUnknown() (k.json() for any JSON value) where it recurses',
    ],
  ],
  [
    'recursion',
    () => tree,
    [
      'spec.children[]: the object contains itself, a structural schema is finite; write the levels out, or k.preserveUnknown() where it recurses',
    ],
  ],
  [
    'recursion below a description',
    () => describedTree,
    [
      'spec.child: the object contains itself, a structural schema is finite; write the levels out, or k.preserveUnknown() where it recurses',
    ],
  ],
  [
    'transform',
    () => z.string().transform(Number),
    [
      'spec: a pipe, transform, preprocess, codec or stringbool runs code, the API server has only the schema; declare the stored form and convert it in the reconciler',
    ],
  ],
  [
    'pipe',
    () => z.string().pipe(z.string().min(1)),
    [
      'spec: a pipe, transform, preprocess, codec or stringbool runs code, the API server has only the schema; declare the stored form and convert it in the reconciler',
    ],
  ],
  [
    'preprocess',
    () => z.preprocess(String, z.string()),
    [
      'spec: a pipe, transform, preprocess, codec or stringbool runs code, the API server has only the schema; declare the stored form and convert it in the reconciler',
    ],
  ],
  [
    'codec',
    () => z.codec(z.string(), z.number(), { decode: Number, encode: String }),
    [
      'spec: a pipe, transform, preprocess, codec or stringbool runs code, the API server has only the schema; declare the stored form and convert it in the reconciler',
    ],
  ],
  [
    'stringbool',
    () => z.stringbool(),
    [
      'spec: a pipe, transform, preprocess, codec or stringbool runs code, the API server has only the schema; declare the stored form and convert it in the reconciler',
    ],
  ],
  [
    'catch',
    () => z.string().catch('a'),
    ['spec: .catch() hides invalid values, the API server refuses them; write .default() for an absent value'],
  ],
  [
    'custom',
    () => z.custom<string>(() => true),
    [
      'spec: z.custom() and z.instanceof() run code, the API server has only the schema; write a z.object(), or k.structural(schema) with a schema by hand',
    ],
  ],
  [
    'instanceof',
    () => z.instanceof(Error),
    [
      'spec: z.custom() and z.instanceof() run code, the API server has only the schema; write a z.object(), or k.structural(schema) with a schema by hand',
    ],
  ],
  ['success', () => z.success(z.string()), ['spec: z.success() has no schema; write z.boolean()']],
  [
    'refine',
    () => z.string().refine(() => true),
    [
      "spec: .refine(), .superRefine() and .check(fn) run code, the API server has only the schema; write .check(k.rule('…')) with a CEL rule, or a validating webhook",
    ],
  ],
  [
    'superRefine',
    () => z.string().superRefine(() => {}),
    [
      "spec: .refine(), .superRefine() and .check(fn) run code, the API server has only the schema; write .check(k.rule('…')) with a CEL rule, or a validating webhook",
    ],
  ],
  [
    'check with a function',
    () => z.string().check(() => {}),
    [
      "spec: .refine(), .superRefine() and .check(fn) run code, the API server has only the schema; write .check(k.rule('…')) with a CEL rule, or a validating webhook",
    ],
  ],
  [
    'refine on an optional',
    () =>
      z
        .string()
        .optional()
        .refine(() => true),
    [
      "spec: .refine(), .superRefine() and .check(fn) run code, the API server has only the schema; write .check(k.rule('…')) with a CEL rule, or a validating webhook",
    ],
  ],
  [
    'trim',
    () => z.string().trim(),
    [
      'spec: .trim(), .toLowerCase(), .normalize() and .overwrite() change the value, the API server stores what it receives; write a pattern, or a defaulting webhook',
    ],
  ],
  [
    'toLowerCase',
    () => z.string().toLowerCase(),
    [
      'spec: .trim(), .toLowerCase(), .normalize() and .overwrite() change the value, the API server stores what it receives; write a pattern, or a defaulting webhook',
    ],
  ],
  [
    'normalize',
    () => z.string().normalize(),
    [
      'spec: .trim(), .toLowerCase(), .normalize() and .overwrite() change the value, the API server stores what it receives; write a pattern, or a defaulting webhook',
    ],
  ],
  [
    'overwrite',
    () => z.number().overwrite((value) => value),
    [
      'spec: .trim(), .toLowerCase(), .normalize() and .overwrite() change the value, the API server stores what it receives; write a pattern, or a defaulting webhook',
    ],
  ],
  [
    'coerced number',
    () => z.coerce.number(),
    ['spec: z.coerce.number() converts values, the API server refuses the wrong type; write z.number()'],
  ],
  [
    'coerced date',
    () => z.coerce.date(),
    ['spec: z.date() has no JSON form: the API carries text; write k.timestamp() (or k.microTime(), k.date())'],
  ],
  [
    'strict object',
    () => z.strictObject({ a: z.string() }),
    ['spec: z.strictObject() refuses unknown fields, the API server prunes them before it validates; write z.object()'],
  ],
  [
    'loose object',
    () => z.looseObject({ a: z.string() }),
    ['spec: z.looseObject() keeps unknown fields, the API server prunes them; write k.preserveUnknown(z.object({ … }))'],
  ],
  [
    'catchall',
    () => z.object({ a: z.string() }).catchall(z.string()),
    [
      'spec: .catchall() beside properties has no structural schema; put the free part into a field of its own: z.record(z.string(), value)',
    ],
  ],
  [
    'record with constrained keys',
    () => z.record(z.string().min(1), z.string()),
    [
      'spec: the keys of a record cannot be constrained by a schema; write z.record(z.string(), value) and .check(k.rule("self.all(key, key.matches(\'…\'))"))',
    ],
  ],
  [
    'record with a format as key',
    () => z.record(z.email(), z.string()),
    [
      'spec: the keys of a record cannot be constrained by a schema; write z.record(z.string(), value) and .check(k.rule("self.all(key, key.matches(\'…\'))"))',
    ],
  ],
  [
    'record with numbers as keys',
    () => z.record(z.number(), z.string()),
    [
      'spec: the keys of a record cannot be constrained by a schema; write z.record(z.string(), value) and .check(k.rule("self.all(key, key.matches(\'…\'))"))',
    ],
  ],
  [
    'loose record',
    () => z.looseRecord(z.string(), z.string()),
    ['spec: z.looseRecord() lets other keys pass unchecked; write z.record(z.string(), value), or k.preserveUnknown()'],
  ],
  [
    'optional record value',
    () => z.record(z.string(), z.string().optional()),
    ['spec.*: a value of a record is never absent; leave .optional() and .default() out'],
  ],
  [
    'optional item',
    () => z.array(z.string().optional()),
    ['spec[]: an item of a list is never absent; leave .optional() and .default() out'],
  ],
  [
    'defaulted item',
    () => z.array(z.string().default('a')),
    ['spec[]: an item of a list is never absent; leave .optional() and .default() out'],
  ],
  [
    'mixed union',
    () => z.union([z.string(), z.boolean()]),
    [
      'spec: a union of different types has no structural schema (the API server wants one type per field); write z.discriminatedUnion(), z.object() with optional fields and .check(k.oneOf(…)), k.intOrString() or k.json()',
    ],
  ],
  [
    'union of object and string',
    () => z.union([z.string(), z.object({ a: z.string() })]),
    [
      'spec: a union of different types has no structural schema (the API server wants one type per field); write z.discriminatedUnion(), z.object() with optional fields and .check(k.oneOf(…)), k.intOrString() or k.json()',
    ],
  ],
  [
    'xor',
    () => z.xor([z.object({ a: z.string() }), z.object({ b: z.string() })]),
    ['spec: z.xor() has no structural schema; write z.object() with optional fields and .check(k.oneOf(…)), or z.discriminatedUnion()'],
  ],
  [
    'optional option of a union',
    () => z.union([z.string().optional(), z.int()]),
    ['spec: an option of a union is .optional(), .nullable() or has a default; write that behind the union'],
  ],
  [
    'ruled option of a union',
    () => z.union([z.string().check(k.rule('self != "x"')), z.string().min(3)]),
    [
      'spec: an option of a union needs a rule (its own k.rule(), or a fraction as a bound); put k.rule("…") on the union, where it sees every value',
    ],
  ],
  [
    'default inside a variant',
    () => z.discriminatedUnion('type', [z.object({ type: z.literal('a'), size: z.int().default(1) }), z.object({ type: z.literal('b') })]),
    [
      'spec.size: a default inside a variant would be applied to every variant; leave it out, or put the field with its default into all variants',
    ],
  ],
  [
    'one field with two schemas',
    () =>
      z.discriminatedUnion('type', [
        z.object({ type: z.literal('a'), size: z.int() }),
        z.object({ type: z.literal('b'), size: z.string() }),
      ]),
    [
      'spec.size: the variants of the union give this field different schemas, the API server has one per field; use one schema for all, or another name in each variant',
    ],
  ],
  [
    'strict variant',
    () => z.discriminatedUnion('type', [z.strictObject({ type: z.literal('a') }), z.object({ type: z.literal('b') })]),
    ['spec: a variant of a union is strict, loose or has a catchall; write z.object()'],
  ],
  [
    'optional discriminator',
    () => z.discriminatedUnion('type', [z.object({ type: z.literal('a').optional() }), z.object({ type: z.literal('b') })]),
    ['spec.type: a discriminator is a required z.literal() or z.enum(), neither optional, nullable nor defaulted'],
  ],
  [
    'immutable variant',
    () => z.discriminatedUnion('type', [k.immutable(z.object({ type: z.literal('a') })), z.object({ type: z.literal('b') })]),
    ['spec: k.immutable() on a variant of a union; put it on the union or on a field'],
  ],
  [
    'rule on a variant of a plain union',
    () => z.union([z.object({ a: z.string() }).check(k.rule('true')), z.object({ b: z.string() })]),
    ['spec: a variant of a plain union carries a rule or another mark; write z.discriminatedUnion(), or put it on the union'],
  ],
  [
    'lookahead',
    () => z.string().regex(/a(?=b)/),
    [
      'spec: the pattern /a(?=b)/: lookaround is not supported by RE2, which the API server uses; split it into several patterns, or check it with k.rule()',
    ],
  ],
  [
    'lookbehind',
    () => z.string().regex(/(?<!a)b/),
    [
      'spec: the pattern /(?<!a)b/: lookaround is not supported by RE2, which the API server uses; split it into several patterns, or check it with k.rule()',
    ],
  ],
  [
    'back reference',
    () => z.string().regex(/(a)\1/),
    [
      'spec: the pattern /(a)\\1/: a back reference is not supported by RE2, which the API server uses; write the alternatives out, or check it with k.rule()',
    ],
  ],
  [
    'named back reference',
    () => z.string().regex(/(?<x>a)\k<x>/),
    [
      'spec: the pattern /(?<x>a)\\k<x>/: a back reference is not supported by RE2, which the API server uses; write the alternatives out, or check it with k.rule()',
    ],
  ],
  [
    'sticky pattern',
    () => z.string().regex(/a/y),
    ['spec: the pattern /a/y: flag y (sticky) has no counterpart in RE2; anchor the pattern with ^'],
  ],
  [
    'set notation',
    () => z.string().regex(new RegExp('[a--b]', SET_NOTATION)),
    ['spec: the pattern /[a--b]/v: flag v (set notation) has no counterpart in RE2; write the character class out'],
  ],
  [
    'repetition beyond RE2',
    () => z.string().regex(/a{2000}/),
    ["spec: the pattern /a{2000}/: Go's regular expressions (RE2) cannot read it: error parsing regexp: invalid repeat count: `{2000}`"],
  ],
  ['emoji', () => z.emoji(), ['spec: z.emoji() needs Unicode properties that RE2 lacks; write a .regex() of your own']],
  ['iso duration', () => z.iso.duration(), ['spec: z.iso.duration() has no RE2 pattern; write k.duration(), a duration as Go writes it']],
  ['jwt', () => z.jwt(), ['spec: z.jwt() runs code; write z.string() with a pattern']],
  [
    'local date-time',
    () => z.iso.datetime({ local: true }),
    ['spec: a local date-time (without offset) is not a date-time for the API server; write k.timestamp()'],
  ],
  [
    'date-time of minutes',
    () => z.iso.datetime({ precision: -1 }),
    ['spec: a date-time without seconds is not one for the API server; leave precision out'],
  ],
  [
    'url',
    () => z.url(),
    [
      'spec: z.url() takes what a browser takes, blanks and fragments among it, the API server has no such format; write k.uri(), an absolute URI or path, or z.string() and .regex()',
    ],
  ],
  [
    'format by a function',
    () => z.stringFormat('even', (text) => text.length % 2 === 0),
    ["spec: the string format even runs code; write .regex() with a pattern, or .check(k.rule('…'))"],
  ],
  [
    'unknown format',
    () => z.string().check(k.format('colour')),
    [
      'spec: the API server ignores the format "colour"; it knows bsonobjectid, uri, email, hostname, ipv4, ipv6, cidr, mac, uuid, uuid3, uuid4, uuid5, isbn, isbn10, isbn13, creditcard, ssn, hexcolor, rgbcolor, byte, password, date, duration, date-time, k8s-short-name, k8s-long-name',
    ],
  ],
  ['format of a number', () => z.int().check(k.format('email') as never), ["spec: k.format('email') fits strings only"]],
  [
    'literal of a bigint',
    () => z.literal(1n),
    ['spec: the values 1n have no common type in JSON; use strings, numbers or booleans of one type (.nullable() for null)'],
  ],
  [
    'literal of undefined',
    () => z.literal(undefined),
    ['spec: the values undefined have no common type in JSON; use strings, numbers or booleans of one type (.nullable() for null)'],
  ],
  [
    'literals of two types',
    () => z.literal([true, 1]),
    ['spec: the values true, 1 have no common type in JSON; use strings, numbers or booleans of one type (.nullable() for null)'],
  ],
  [
    'nullable enum of numbers and strings',
    () => z.literal([1, 'a']).nullable(),
    ['spec: a nullable enum of numbers and strings cannot be expressed; use values of one type, or leave .nullable() out'],
  ],
  [
    'default that is not JSON',
    () =>
      z
        .string()
        .optional()
        .default(Symbol.iterator as never),
    ['spec: .default(): the value is not JSON (Symbol(Symbol.iterator)); write a plain JSON value'],
  ],
  [
    'default that changes',
    () => z.number().default(() => (counter += 1)),
    [
      'spec: .default(() => …) gives another value each time, the CRD carries one constant; set it in a defaulting webhook or in the reconciler',
    ],
  ],
  [
    'default of a date',
    () => z.string().default(new Date(0) as never),
    ['spec: .default(): the value is not JSON (Date); write a plain JSON value'],
  ],
  ['two defaults', () => z.string().default('a').default('b'), ['spec: two defaults on one field; keep one']],
  [
    'null default',
    () => z.string().nullable().default(null),
    [
      'spec: .default(null): the API server has no null defaults, an absent field stays absent; leave the default out and treat absent like null (.nullish())',
    ],
  ],
  ['example that is not JSON', () => z.string().meta({ example: () => 1 }), ['spec: .meta({ example }) must be a JSON value']],
  [
    'external docs without an address',
    () => z.string().meta({ externalDocs: { url: 'here' } }),
    ["spec: .meta({ externalDocs }) must be { url: 'https://…', description? } with an absolute URL"],
  ],
  ['title that is not a text', () => z.string().meta({ title: 1 as never }), ['spec: .meta({ title }) must be a string']],
  [
    'nullable immutable',
    () => k.immutable(z.string()).nullable(),
    [
      'spec: k.immutable() on a nullable field: rules are not evaluated for null, so null would undo it; write .optional() instead of .nullable()',
    ],
  ],
  [
    'immutable item',
    () => z.array(k.immutable(z.string())),
    [
      'spec[]: oldSelf in "self == oldSelf": there is no older self to compare with, because the items of spec have no keys; use k.listMap(item, key)',
    ],
  ],
  [
    'oldSelf in a set',
    () => k.set(z.string().check(k.rule('self == oldSelf'))),
    [
      'spec[]: oldSelf in "self == oldSelf": there is no older self to compare with, because the items of spec have no keys; use k.listMap(item, key)',
    ],
  ],
  [
    'immutable field beyond CEL',
    () => z.object({ 'a b': k.immutable(z.string().optional()) }),
    ['spec.a b: CEL cannot reach a field named "a b", so it cannot be kept from removal; make it required or rename it'],
  ],
  [
    'oneOf with an unknown field',
    () => z.object({ a: z.string().optional(), b: z.string().optional() }).check(k.oneOf('a', 'c') as never),
    ["spec: k.oneOf('c'): the object has no such field; it has a, b"],
  ],
  [
    'oneOf with a required field',
    () => z.object({ a: z.string(), b: z.string().optional() }).check(k.oneOf('a', 'b')),
    ["spec: k.oneOf('a'): the field is required, so it is always set; make it .optional()"],
  ],
  [
    'oneOf with a default',
    () => z.object({ a: z.string().default('x'), b: z.string().optional() }).check(k.oneOf('a', 'b')),
    ["spec: k.oneOf('a'): the field has a default, so it is always set; leave the default out"],
  ],
  ['oneOf on a string', () => z.string().check(k.oneOf('a', 'b') as never), ['spec: k.oneOf() fits objects with properties only']],
  [
    'atomic string',
    () => k.atomic(z.string()),
    ['spec: k.atomic() fits lists, records and objects only: every other value is atomic anyway'],
  ],
  [
    'preserved string',
    () => k.preserveUnknown(z.string() as never),
    ['spec: k.preserveUnknown() fits objects only; use k.json() for any JSON value'],
  ],
  [
    'property count of a list',
    () => z.array(z.string()).check(k.minProperties(1)),
    ['spec: k.minProperties() and k.maxProperties() fit records and objects only; use .min() and .max()'],
  ],
  [
    'unknown built-in type',
    () => k.builtin('PodTemplat' as 'PodTemplateSpec'),
    ["spec: k.builtin('PodTemplat'): there is no built-in type of that name; write one that the compiler knows, such as 'PodTemplateSpec'"],
  ],
  [
    'check on a given schema',
    () => k.json().refine(() => true),
    [
      "spec: .refine(), .superRefine() and .check(fn) run code, the API server has only the schema; write .check(k.rule('…')) with a CEL rule, or a validating webhook",
    ],
  ],
  ['plain object', () => ({ a: 1 }) as never, ['spec: a plain object is not a zod schema; wrap it: z.object({ ... })']],
  ['text instead of a schema', () => 'string' as never, ['spec: string is not a zod schema; write one, for example z.string()']],
  [
    'zod 3',
    () => ({ _def: { typeName: 'ZodString' } }) as never,
    ["spec: a zod 3 schema (or one of 'zod/v3'); keelson reads zod 4: install zod ^4.3.0 and import from 'zod'"],
  ],
  [
    'zod 4.2',
    () => ({ _zod: { def: { type: 'string' }, version: { major: 4, minor: 2, patch: 0 } } }) as never,
    ['spec: a schema of zod 4.2.0, which loses descriptions and rules in chains; install zod ^4.3.0'],
  ],
  [
    'fraction in multipleOf',
    () => z.number().multipleOf(0.5),
    [
      'spec: a fraction in .multipleOf(): the API server cuts it to a whole number when the value is whole, and then refuses the value; use whole numbers of a smaller unit',
    ],
  ],
  ...disagreementCases,
];

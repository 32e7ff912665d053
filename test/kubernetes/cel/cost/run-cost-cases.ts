import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json, StructuralSchema } from '../../../../src/kubernetes/apimachinery/index.js';
import { celTypeOf, compile } from '../../../../src/kubernetes/cel/index.js';
import { valueBySchema } from '../../../../src/kubernetes/cel/values/schema-value.js';

/** A rule whose cost grows with `size`: the size at which it costs too much shows the cost of each element. */
export interface GrowingCase {
  readonly rule: string;
  /** The value at a size. */
  readonly of: (size: number) => Json;
}

const TEXT: StructuralSchema = { type: 'string', maxLength: 20 };
const FIELDS: Readonly<Record<string, StructuralSchema>> = {
  n: { type: 'array', items: { type: 'integer' } },
  l: { type: 'array', items: TEXT },
  k: { type: 'array', items: { type: 'string', maxLength: 7 } },
  o: {
    type: 'array',
    items: { type: 'object', properties: { a: TEXT, b: { type: 'integer' }, c: { type: 'array', maxItems: 2, items: TEXT } } },
  },
  m: { type: 'object', additionalProperties: TEXT },
  ip: { 'x-kubernetes-int-or-string': true, maxLength: 5 },
};

/** Equal numbers whose comparison costs four fifths of the limit and takes no time: only the last fifth has to be worked off. */
const PAD = new Array<number>(894).fill(1);
const PADDED = 'sets.contains(self.pad, self.pad)';

/** Lists and maps are bounded by what is needed: the estimate of a rule must be accepted. */
export function growingSchema({ rule }: GrowingCase, size: number): StructuralSchema {
  const properties = Object.fromEntries(
    Object.entries(FIELDS).map(([name, field]) => {
      const bound = field.type === 'array' ? { maxItems: size } : field.type === 'object' ? { maxProperties: size } : {};
      return [name, { ...field, ...bound }];
    }),
  );
  const pad: StructuralSchema = { type: 'array', maxItems: PAD.length, items: { type: 'integer' } };
  return {
    type: 'object',
    properties: { ...properties, pad },
    'x-kubernetes-validations': [{ rule: padded(rule), message: 'does not hold' }],
  };
}

/** Ten times, so that an object that costs too much is not a large request. */
const padded = (rule: string): string => `${PADDED} && [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].all(turn, ${rule})`;

/** The value of a case at a size, as its schema wants it. */
export function objectOf({ of }: GrowingCase, size: number): Json {
  return { ...(of(size) as Readonly<Record<string, Json>>), pad: PAD };
}

const texts =
  (text: string) =>
  (size: number): Json => ({ l: Array.from({ length: size }, () => text) });
const objects =
  (object: Json) =>
  (size: number): Json => ({ o: Array.from({ length: size }, () => object) });
const numbers = (size: number): Json => ({ n: Array.from({ length: size }, (_, index) => index) });
const item = { a: 'some text', b: 7, c: ['x', 'y'] };

export const growing: readonly GrowingCase[] = [
  { rule: 'self.n.all(x, x >= 0)', of: numbers },
  { rule: 'self.n.all(i, x, x == i)', of: numbers },
  { rule: 'self.n.exists_one(x, x * x * x == -1) == false', of: numbers },
  { rule: 'self.n.map(x, x * 2).size() >= 0', of: numbers },
  { rule: 'self.n.filter(x, x >= 0).size() >= 0', of: numbers },
  { rule: 'self.n.transformList(i, x, i + x).size() >= 0', of: numbers },
  { rule: 'self.n.transformMap(i, x, x).size() >= 0', of: numbers },
  { rule: 'self.n.all(x, x in [1, 2, 3] || x > 3 || x == 0)', of: numbers },
  { rule: 'self.n.all(x, (x > 1 ? x : 1) >= 0)', of: numbers },
  { rule: 'self.n.all(i, x, self.n[i] == x)', of: numbers },
  { rule: "self.l.all(x, x != 'other')", of: texts('a text of mine') },
  { rule: "self.l.all(x, x.startsWith('a') && !x.endsWith('no'))", of: texts('a text of mine') },
  { rule: "self.l.all(x, x.contains('text'))", of: texts('a text of mine') },
  { rule: "self.l.all(x, x.upperAscii() + 'x' != 'other')", of: texts('a text of mine') },
  { rule: "self.l.all(x, x.replace('a', 'bb').size() > 2)", of: texts('a text of mine') },
  { rule: "self.l.all(x, x.split(' ').size() == 4)", of: texts('a text of mine') },
  { rule: "self.l.all(x, x.find('[a-z]+') == 'a')", of: texts('a text of mine') },
  { rule: "self.l.all(x, x.matches('^[a-z ]+$'))", of: texts('a text of mine') },
  { rule: "self.l.all(x, x.indexOf('t') == 2)", of: texts('a text of mine') },
  { rule: 'self.l.all(x, isIP(x) && ip(x).family() == 4)', of: texts('10.0.0.1') },
  { rule: "self.l.all(x, cidr('10.0.0.0/8').containsIP(x))", of: texts('10.0.0.1') },
  { rule: "self.l.all(x, cidr('10.0.0.0/8').containsCIDR(x))", of: texts('10.1.0.0/16') },
  { rule: "self.l.all(x, quantity(x).isGreaterThan(quantity('1Ki')))", of: texts('12Mi') },
  { rule: 'self.l.all(x, semver(x).major() == 1)', of: texts('1.2.3') },
  { rule: "self.l.all(x, url(x).getHost() == 'e.com')", of: texts('https://e.com/a') },
  {
    rule: 'self.k.all(x, !format.dns1123Label().validate(x).hasValue())',
    of: (size) => ({ k: Array.from({ length: size }, () => 'a-label') }),
  },
  { rule: "self.l.join(',').size() > 1", of: texts('a text of mine, 20 l') },
  { rule: 'self.l.isSorted() && self.l.map(x, x.size()).sum() > 0', of: texts('a text of mine') },
  { rule: 'self.l.all(x, x in self.l)', of: texts('ü') },
  { rule: 'sets.contains(self.l, self.l)', of: texts('a') },
  { rule: 'self.o.all(x, has(x.a) && x.b == 7)', of: objects(item) },
  { rule: "self.o.all(x, x.?a.orValue('none') != 'none')", of: objects(item) },
  { rule: "self.o.all(x, x.c.exists(y, y == 'y'))", of: objects(item) },
  { rule: "self.o.all(x, {'a': x.a, 'b': 'c'}['b'] == 'c')", of: objects(item) },
  { rule: "self.o.all(x, '%s is %d'.format([x.a, x.b]) != '')", of: objects(item) },
  { rule: 'self.o.all(x, x.?a.optMap(v, v.size()).orValue(0) == 9)', of: objects(item) },
  {
    rule: "self.m.all(k, self.m[k] == 'v')",
    of: (size) => ({ m: Object.fromEntries(Array.from({ length: size }, (_, index) => [`k${index}`, 'v'])) }),
  },
  {
    rule: "self.m.all(k, v, k.size() > 0 && v == 'v')",
    of: (size) => ({ m: Object.fromEntries(Array.from({ length: size }, (_, index) => [`k${index}`, 'v'])) }),
  },
  { rule: 'self.n.all(x, type(self.ip) == int && self.ip + x >= 3)', of: (size) => ({ ...(numbers(size) as object), ip: 3 }) },
];

/** The API server's limit for one expression. */
const LIMIT = 1_000_000;

/** The cost of the rule at a size. */
function costAt(growingCase: GrowingCase, size: number): number {
  const schema = growingSchema(growingCase, size);
  const type = celTypeOf(schema);
  if (type === undefined) throw new Error('the schema has no type');
  const result = compile(padded(growingCase.rule), { variables: { self: type } });
  if (!result.ok) throw new Error(`${growingCase.rule}: ${result.problems[0]?.message}`);
  let cost = 0;
  const onCost = (found: number) => {
    cost = found;
  };
  result.program.evaluate({ self: valueBySchema(objectOf(growingCase, size), schema) }, { costLimit: Number.POSITIVE_INFINITY, onCost });
  return cost;
}

/**
 * The size at which it first costs more than is allowed, told by what little costs: most cost as much for each element, some as much for each pair of elements.
 */
export function sizeTooDear(growingCase: GrowingCase): number {
  const [a, b, c] = [20, 40, 60].map((size) => costAt(growingCase, size)) as [number, number, number];
  const square = (c - 2 * b + a) / 800;
  const slope = (b - a) / 20 - 60 * square;
  const base = a - 20 * slope - 400 * square;
  const root = square < 1e-6 ? (LIMIT - base) / slope : (-slope + Math.sqrt(slope * slope - 4 * square * (base - LIMIT))) / (2 * square);
  return Math.floor(root) + 1;
}

export const sizesFile: string = join(__dirname, '..', 'golden', 'run-costs.json');

/** By rule, the size that a real API server refuses while it takes a smaller one. */
export const recordedSizes = (): Readonly<Record<string, number>> => JSON.parse(readFileSync(sizesFile, 'utf8')) as Record<string, number>;

const TURNS = '[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]';
const [ELEMENTS, NUMBERS] = [400, 20];

/** Rules that are cheap one by one, and cost too much over all elements of an object. */
export const manySchema: StructuralSchema = {
  type: 'array',
  maxItems: ELEMENTS,
  items: {
    type: 'object',
    properties: { n: { type: 'array', maxItems: NUMBERS, items: { type: 'integer' } } },
    'x-kubernetes-validations': ['x >= 0', 'x >= 1', 'x >= 2'].map((condition) => ({
      rule: `${TURNS}.all(a, ${TURNS}.all(b, self.n.all(x, ${condition})))`,
      message: condition,
    })),
  },
};

export const manyOf = (elements: number): Json => Array.from({ length: elements }, () => ({ n: new Array<number>(NUMBERS).fill(7) }));

/** A message that costs more than an expression may, of a rule that does not hold. */
export const dearMessageSchema: StructuralSchema = {
  type: 'array',
  maxItems: 1500,
  items: { type: 'integer' },
  'x-kubernetes-validations': [{ rule: 'self.size() == 0', messageExpression: "sets.contains(self, self) ? 'one' : 'two'" }],
};

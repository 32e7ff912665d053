import * as z from 'zod';
import type { ZodLike } from '../../../src/keelson/schema/index.js';
import { checkResourceSchema, k, structuralSchemaOf } from '../../../src/keelson/schema/index.js';

/** What a definition with such a spec is refused for. */
const refusals = (spec: ZodLike): readonly string[] =>
  checkResourceSchema({
    type: 'object',
    properties: { spec: structuralSchemaOf(spec, { path: 'spec', resolveBuiltin: () => undefined }) },
  }).map(({ path, message }) => `${path}: ${message}`);
const s = z.string();

test.each([
  ['a nullable enum in a list', z.object({ rules: z.array(z.object({ mode: z.enum(['Always', 'Never']).nullable() })) })],
  [
    'a nullable enum of many texts in a map',
    z.object({ rules: z.record(s, z.object({ mode: z.enum([...'abcdefghijklmnop']).nullish() })) }),
  ],
  ['nullable numbers in a list', z.object({ levels: z.array(z.object({ level: z.literal([1, 2, 4]).nullable() })) })],
  [
    'a whole number or a word in a list-map',
    z.object({ ports: k.listMap(z.object({ name: s, port: z.union([k.int32(), z.literal('auto')]) }), 'name') }),
  ],
  ['a text or some numbers in a list', z.object({ ports: z.array(z.object({ port: z.union([s, z.literal([80, 443])]) })) })],
  [
    'an immutable word in a list-map with bounds',
    z.object({ disks: k.listMap(z.object({ name: k.name(), zone: k.immutable(k.name()) }), 'name').max(1000) }),
  ],
  [
    'an immutable enum in a list-map',
    z.object({ disks: k.listMap(z.object({ name: k.name(), zone: k.immutable(z.enum(['a', 'b'])) }), 'name') }),
  ],
])('%s costs little enough', (_, spec) => {
  expect(refusals(spec)).toEqual([]);
});

test('an immutable text in a list-map is refused, with the bounds that are missing', () => {
  const disks = k.listMap(z.object({ name: k.name(), zone: k.immutable(k.name()) }), 'name');
  expect(refusals(z.object({ disks }))).toEqual([
    'spec.disks[].zone: the rule "self == oldSelf": the API server refuses its estimated cost, 2.9 times its limit for one rule; set maxItems on spec.disks (.max(…); k.maxProperties(…) on a record)',
  ]);
});

test('of a text without a bound its length is named too', () => {
  const zones = z.record(s, z.object({ zone: k.immutable(s) }));
  expect(refusals(z.object({ zones }))).toEqual([
    'spec.zones.*.zone: the rule "self == oldSelf": the API server refuses its estimated cost, more than 100 times its limit for one rule; set maxProperties on spec.zones, maxLength on spec.zones.*.zone (.max(…); k.maxProperties(…) on a record)',
  ]);
});

test('what has bounds is to be lowered', () => {
  const disks = k.listMap(z.object({ name: k.name(), zone: k.immutable(s.max(10_000)) }), 'name').max(3000);
  expect(refusals(z.object({ disks }))).toEqual([
    'spec.disks[].zone: the rule "self == oldSelf": the API server refuses its estimated cost, 1.200600 times its limit for one rule; lower maxItems of spec.disks (3000), maxLength of spec.disks[].zone (10000), or write a cheaper rule',
  ]);
});

test('what a rule reads of items is named by their place', () => {
  const texts = z.object({ texts: z.array(s) }).check(k.rule('self.texts.all(text, text.contains(text))'));
  expect(refusals(texts)).toEqual([expect.stringContaining('set maxLength on spec.texts[], maxItems on spec.texts (')]);
});

test("an author's rule is held to the same, once for its values and once for its message", () => {
  const pair = z
    .object({ name: s, v: s })
    .check(k.rule('self.name != self.v', { messageExpression: "'%s'.format([self.name + self.v + self.v])" }));
  expect(refusals(z.object({ pairs: z.array(pair), one: z.object({ text: s }).check(k.rule('self.text.contains(self.text)')) }))).toEqual([
    expect.stringMatching(
      /^spec\.pairs\[\]: the rule "self\.name != self\.v": .* more than 100 times .* set maxItems on spec\.pairs, maxLength on spec\.pairs\[\]\.name, maxLength on spec\.pairs\[\]\.v \(/,
    ),
    expect.stringMatching(/^spec\.one: the rule .* set maxLength on spec\.one\.text \(/),
  ]);
});

test('a text that the rule makes itself has no bound, and needs another way', () => {
  const spec = z.object({ size: z.int() }).check(k.rule('self.size > 1', { messageExpression: "'is ' + string(self.size)" }));
  expect(refusals(spec)).toEqual([
    'spec: messageExpression of the rule "self.size > 1": the API server refuses its estimated cost, more than 100 times its limit for one rule: it cannot bound the length of what string() makes, which + reads; put texts together with \'…%s\'.format([…])',
  ]);
});

test('many rules that are cheap enough one by one may be too dear together', () => {
  const item = z.object({ name: s.max(63).optional() }).check(k.rule("!has(self.name) || self.name != 'x'"));
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`list${index}`, z.array(item)]));
  const [refusal, ...others] = refusals(z.object(many));
  expect(others).toEqual([]);
  expect(refusal).toMatch(
    /^the schema: the API server refuses the estimated cost of all rules together, 2.1 times its limit; the dearest are "!has\(self.name\) \|\| self.name != 'x'" at spec.list0\[\], .*; set maxItems on spec.list0, maxItems on spec.list1, /,
  );
});

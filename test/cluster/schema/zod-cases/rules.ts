import { z } from 'zod';
import { k } from '../../../../src/keelson/schema/index.js';
import type { ZodCases } from './zod-case.js';

/** CEL rules and what is made of them: unions of fields, immutability. */
export const rules: ZodCases = {
  ordered: {
    schema: z
      .object({ min: z.int().optional(), max: z.int().optional() })
      .check(k.rule('!has(self.min) || !has(self.max) || self.min <= self.max', { message: 'min must not exceed max' })),
    valid: [{ value: { min: 1, max: 2 } }],
    invalid: [{ value: { min: 2, max: 1 }, refusals: ['spec.ordered: Invalid value: min must not exceed max'], passesZod: true }],
  },
  even: {
    schema: z.int().check(k.rule('self % 2 == 0', { message: 'must be even', reason: 'FieldValueForbidden' })),
    valid: [{ value: 2 }],
    invalid: [{ value: 3, refusals: ['spec.even: Forbidden: must be even'], passesZod: true }],
  },
  spoken: {
    schema: z
      .string()
      .max(9)
      .check(k.rule("self.startsWith('a')", { messageExpression: "'found ' + self" })),
    valid: [{ value: 'ab' }],
    invalid: [{ value: 'b', refusals: ['spec.spoken: Invalid value: "b": found b'], passesZod: true }],
  },
  pointed: {
    schema: z
      .object({ a: z.int().optional(), b: z.int().optional() })
      .check(k.rule('!has(self.b) || has(self.a)', { message: 'b needs a', reason: 'FieldValueRequired', fieldPath: '.a' })),
    valid: [{ value: { a: 1, b: 1 } }],
    invalid: [{ value: { b: 1 }, refusals: ['spec.pointed.a: Required value: b needs a'], passesZod: true }],
  },
  exactlyOne: {
    schema: z.object({ a: z.int().optional(), b: z.int().optional() }).check(k.oneOf('a', 'b')),
    valid: [{ value: { a: 1 } }],
    invalid: [
      { value: {}, refusals: ['spec.exactlyOne: Invalid value: exactly one of the fields in [a b] must be set'] },
      { value: { a: 1, b: 1 }, refusals: ['spec.exactlyOne: Invalid value: exactly one of the fields in [a b] must be set'] },
    ],
  },
  atMostOne: {
    schema: z.object({ a: z.int().optional(), b: z.int().optional() }).check(k.atMostOneOf('a', 'b')),
    valid: [{ value: {} }, { value: { a: 1 } }],
    invalid: [{ value: { a: 1, b: 1 }, refusals: ['spec.atMostOne: Invalid value: at most one of the fields in [a b] may be set'] }],
  },
  atLeastOne: {
    schema: z.object({ a: z.int().optional(), b: z.int().optional() }).check(k.atLeastOneOf('a', 'b')),
    valid: [{ value: { a: 1, b: 1 } }],
    invalid: [{ value: {}, refusals: ['spec.atLeastOne: Invalid value: at least one of the fields in [a b] must be set'] }],
  },
  inItems: {
    schema: z
      .array(
        z
          .string()
          .max(9)
          .check(k.rule("self != 'x'", { message: 'not x' })),
      )
      .max(5),
    valid: [{ value: ['a'] }],
    invalid: [{ value: ['a', 'x'], refusals: ['spec.inItems[1]: Invalid value: "x": not x'], passesZod: true }],
  },
  oddNames: {
    schema: z.object({ 'x-y': z.int().optional(), namespace: z.int().optional() }).check(k.oneOf('x-y', 'namespace')),
    valid: [{ value: { 'x-y': 1 } }],
    invalid: [{ value: {}, refusals: ['spec.oddNames: Invalid value: exactly one of the fields in [x-y namespace] must be set'] }],
  },
  fixed: {
    schema: k.immutable(z.string().max(9)),
    valid: [{ value: 'a' }],
    updates: [
      { old: 'a', value: 'b', refusals: ['spec.fixed: Invalid value: "b": field is immutable'] },
      { old: 'a', refusals: ['spec: Invalid value: field fixed is immutable once set'] },
      { value: 'a', refusals: [] },
      { old: 'a', value: 'a', refusals: [] },
    ],
  },
  fixedInside: {
    schema: z.object({ once: k.immutable(z.int().optional()), must: k.immutable(z.int()), free: z.int().optional() }),
    updates: [
      { old: { must: 1 }, value: { must: 2 }, refusals: ['spec.fixedInside.must: Invalid value: 2: field is immutable'] },
      {
        old: { must: 1, once: 1 },
        value: { must: 1 },
        refusals: ['spec.fixedInside: Invalid value: field once is immutable once set'],
      },
      { old: { must: 1 }, value: { must: 1, once: 1 }, refusals: [] },
      { old: { must: 1, free: 1 }, value: { must: 1 }, refusals: [] },
    ],
  },
  fixedInItems: {
    schema: k.listMap(z.object({ name: z.string().max(9), size: k.immutable(z.int()) }), 'name').max(5),
    updates: [
      {
        old: [{ name: 'a', size: 1 }],
        value: [{ name: 'a', size: 2 }],
        refusals: ['spec.fixedInItems[0].size: Invalid value: 2: field is immutable'],
      },
      { old: [{ name: 'a', size: 1 }], value: [{ name: 'b', size: 2 }], refusals: [] },
    ],
  },
  growing: {
    schema: z.int().check(k.rule('!oldSelf.hasValue() || self >= oldSelf.value()', { optionalOldSelf: true, message: 'must not shrink' })),
    valid: [{ value: 1 }],
    updates: [
      { old: 2, value: 1, refusals: ['spec.growing: Invalid value: 1: must not shrink'] },
      { old: 1, value: 2, refusals: [] },
    ],
  },
};

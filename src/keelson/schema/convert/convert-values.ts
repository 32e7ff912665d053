import type { Json } from '@keelson/kubernetes/apimachinery';
import { addRule, type ConversionContext, type Draft, type Place, refuse } from './context.js';
import { celDouble } from './convert-numbers.js';

/** Values of an enum; of a TypeScript enum with numbers, without its reverse entries. */
export function enumValues(entries: Readonly<Record<string, string | number>>): readonly (string | number)[] {
  const numbers = Object.values(entries).filter((value) => typeof value === 'number');
  return Object.entries(entries).flatMap(([key, value]) => (numbers.includes(Number(key)) ? [] : [value]));
}

/** A schema for a fixed set of values, which must be of one type, or whole numbers and strings. */
export function convertValues(values: readonly unknown[], context: ConversionContext, place: Place): Draft {
  const unique = [...new Set(values)];
  if (unique.length === 0) {
    refuse(context, place, 'an enum without values accepts nothing; name the values, or write z.string()');
    return { type: 'string' };
  }
  const type = commonType(unique);
  if (type === undefined) {
    refuse(
      context,
      place,
      `the values ${unique.map(describeValue).join(', ')} have no common type in JSON; use strings, numbers or booleans of one type (.nullable() for null)`,
    );
    return { type: 'string' };
  }
  if (type === 'number' && unique.some(Number.isInteger)) return numbersAsRule(unique as readonly number[]);
  const base: Draft =
    type === 'intOrString' ? { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true } : { type };
  return { ...base, enum: unique as Json[] };
}

/** The API server cuts a fraction before it compares it with a whole value of an enum: 1.5 would pass for 1. */
function numbersAsRule(numbers: readonly number[]): Draft {
  const draft: Draft = { type: 'number' };
  const rule = numbers.map((value) => `self == ${celDouble(value)}`).join(' || ');
  addRule(draft, { rule, message: `must be one of ${numbers.join(', ')}` });
  return draft;
}

function describeValue(value: unknown): string {
  return typeof value === 'bigint' ? `${value}n` : value === undefined ? 'undefined' : JSON.stringify(value);
}

function commonType(values: readonly unknown[]): 'string' | 'integer' | 'number' | 'boolean' | 'intOrString' | undefined {
  if (values.every((value) => typeof value === 'string')) return 'string';
  if (values.every((value) => typeof value === 'boolean')) return 'boolean';
  if (values.every((value) => Number.isSafeInteger(value))) return 'integer';
  if (values.every((value) => typeof value === 'number' && Number.isFinite(value))) return 'number';
  return values.every((value) => typeof value === 'string' || Number.isSafeInteger(value)) ? 'intOrString' : undefined;
}

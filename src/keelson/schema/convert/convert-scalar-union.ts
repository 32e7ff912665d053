import type { ZodNode } from '../zod-internals.js';
import { chooseNumbers, chooseWords } from './choices.js';
import { addRule, type ConversionContext, type Draft, type Place, refuse } from './context.js';
import { celDouble } from './convert-numbers.js';

const MIXED =
  'a union of different types has no structural schema (the API server wants one type per field); write z.discriminatedUnion(), z.object() with optional fields and .check(k.oneOf(…)), k.intOrString() or k.json()';

/** JSON types that an option may have. */
const SCALARS: ReadonlySet<string | undefined> = new Set(['string', 'integer', 'number', 'boolean']);

/** A union of texts, of numbers, of booleans, or of whole numbers and texts. */
export function convertScalarUnion(options: readonly ZodNode[], { context, place }: { context: ConversionContext; place: Place }): Draft {
  const drafts = options.map((option) => context.convert(option, place).schema);
  const problem = mixProblem(drafts);
  if (problem !== undefined) {
    refuse(context, place, problem);
    return {};
  }
  const numbers = drafts.filter(isNumber);
  const others = drafts.filter((draft) => !isNumber(draft));
  if (numbers.length === 0) return anyOf(typeOnly(others), others);
  return others.length === 0 ? numberUnion(numbers) : intOrString(numberUnion(numbers), anyOf(typeOnly(others), others));
}

function isNumber({ type }: Draft): boolean {
  return type === 'integer' || type === 'number';
}

function typeOnly([first]: readonly Draft[]): Draft {
  return first?.type === undefined ? {} : { type: first.type };
}

function mixProblem(drafts: readonly Draft[]): string | undefined {
  const types = new Set(drafts.map(({ type }) => type));
  if (!drafts.every(({ type }) => SCALARS.has(type))) return MIXED;
  const isPair = types.size === 2 && types.has('integer') && (types.has('string') || types.has('number'));
  if (types.size > 1 && !isPair) return MIXED;
  return drafts.some((draft) => draft['x-kubernetes-validations'] !== undefined)
    ? 'an option of a union needs a rule (its own k.rule(), or a fraction as a bound); put k.rule("…") on the union, where it sees every value'
    : undefined;
}

/** Value validations only: type, title and description may not stand inside `anyOf`. A format of numbers is checked there, and only there. */
function validations({ type, title: _title, description: _description, externalDocs: _docs, example: _example, ...rest }: Draft): Draft {
  if (type === 'string') return rest;
  const { format: _format, ...others } = rest;
  return others;
}

function anyOf(base: Draft, drafts: readonly Draft[]): Draft {
  const [only] = drafts;
  if (drafts.length === 1 && only !== undefined) return { ...base, ...validations(only) };
  const alternatives = drafts.map(validations);
  return alternatives.some((alternative) => Object.keys(alternative).length === 0) ? base : { ...base, anyOf: alternatives };
}

function numberUnion(drafts: readonly Draft[]): Draft {
  const fractions = drafts.filter(({ type }) => type === 'number');
  const formats = new Set(drafts.map(({ format }) => format));
  const [format] = formats;
  const base: Draft = {
    type: fractions.length === 0 ? 'integer' : 'number',
    ...(formats.size === 1 && format !== undefined && { format }),
  };
  const draft = anyOf(base, drafts);
  if (fractions.length === 0 || fractions.length === drafts.length || draft.anyOf === undefined) return draft;
  // The alternatives for whole numbers must not let a fraction pass, and only a type says "whole".
  const conditions = fractions.map(conditionOf);
  addRule(draft, {
    rule: `${conditions.map(({ rule }) => rule).join(' || ')} || double(int(self)) == self`,
    message: `must be ${conditions.map(({ words }) => words).join(', or ')}, or a whole number`,
  });
  return draft;
}

interface Condition {
  readonly rule: string;
  readonly words: string;
}

/** The condition on a number, in CEL. */
function conditionOf(draft: Draft): Condition {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, enum: values, anyOf: alternatives } = draft;
  const parts: (Condition | undefined)[] = [
    minimum === undefined ? undefined : comparison(exclusiveMinimum === true ? '>' : '>=', minimum),
    maximum === undefined ? undefined : comparison(exclusiveMaximum === true ? '<' : '<=', maximum),
    values === undefined ? undefined : oneOf(values as readonly number[]),
    alternatives === undefined ? undefined : either(alternatives.map(conditionOf)),
  ];
  const conditions = parts.filter((part) => part !== undefined);
  return { rule: conditions.map(({ rule }) => rule).join(' && '), words: conditions.map(({ words }) => words).join(' and ') };
}

function either(conditions: readonly Condition[]): Condition {
  return { rule: `(${conditions.map(({ rule }) => rule).join(' || ')})`, words: conditions.map(({ words }) => words).join(' or ') };
}

const WORDS = { '>': 'greater than', '>=': 'at least', '<': 'less than', '<=': 'at most' } as const;

function comparison(operator: keyof typeof WORDS, bound: number): Condition {
  return { rule: `self ${operator} ${celDouble(bound)}`, words: `${WORDS[operator]} ${bound}` };
}

function oneOf(values: readonly number[]): Condition {
  return { rule: `(${values.map((value) => `self == ${celDouble(value)}`).join(' || ')})`, words: `one of ${values.join(', ')}` };
}

/** A condition that a whole number always meets and no text does: a keyword is applied to values of its own type alone. */
const ANY_NUMBER: Draft = { minLength: 1, maxLength: 0 };
const ANY_TEXT: Draft = { minimum: 1, maximum: 0 };

/**
 * The API server applies `minimum` to numbers only and `pattern` to texts only: both fit on one int-or-string. A lone enum becomes a rule; alternatives of either
 * side stand in `allOf`, beside a condition that lets the other side pass.
 */
function intOrString(integer: Draft, string: Draft): Draft {
  const { enum: numbers, anyOf: numberAlternatives, allOf: numberParts = [], ...numeric } = validations(integer);
  const { enum: words, format, anyOf: textAlternatives, allOf: textParts = [], not, oneOf: exclusive, ...textual } = validations(string);
  const pair = [{ type: 'integer' }, { type: 'string' }] as const;
  const parts = [
    ...numberParts,
    ...(numberAlternatives === undefined ? [] : [{ anyOf: [...numberAlternatives, ANY_TEXT] }]),
    ...(format === undefined ? [] : [{ anyOf: [{ format }, ANY_NUMBER] }]),
    ...textParts.map((part) => (part.format === undefined ? part : { anyOf: [part, ANY_NUMBER] })),
    ...(textAlternatives === undefined ? [] : [{ anyOf: [...textAlternatives, ANY_NUMBER] }]),
    ...(not === undefined ? [] : [{ anyOf: [{ not }, ANY_NUMBER] }]),
    ...(exclusive === undefined ? [] : [{ anyOf: [{ oneOf: exclusive }, ANY_NUMBER] }]),
  ];
  const draft: Draft = {
    ...(parts.length === 0 ? { anyOf: pair } : { allOf: [{ anyOf: pair }, ...parts] }),
    'x-kubernetes-int-or-string': true,
    ...numeric,
    ...textual,
  };
  if (words !== undefined) chooseWords(draft, words as readonly string[]);
  if (numbers !== undefined) chooseNumbers(draft, numbers as readonly number[]);
  return draft;
}

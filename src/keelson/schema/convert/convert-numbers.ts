import type { ZodNode } from '../zod-internals.js';
import { addRule, type ConversionContext, type Draft, type Place, refuse } from './context.js';
import { nativeChecks } from './native-checks.js';

const MAX_SAFE = Number.MAX_SAFE_INTEGER;
const MAX_FLOAT32 = 3.4028234663852886e38;
/** The API server casts bounds to int64 where the value is whole; from 2^63 on the cast gives the smallest number. */
const INT64_END = 2 ** 63;
const MAX_INT64_DOUBLE = INT64_END - 1024;

const NUMBER_FORMATS: Readonly<Record<string, Pick<Draft, 'type' | 'format' | 'minimum' | 'maximum'>>> = {
  safeint: { type: 'integer', format: 'int64', minimum: -MAX_SAFE, maximum: MAX_SAFE },
  int32: { type: 'integer', format: 'int32', minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
  uint32: { type: 'integer', format: 'int64', minimum: 0, maximum: 2 ** 32 - 1 },
  float32: { type: 'number', format: 'float', minimum: -MAX_FLOAT32, maximum: MAX_FLOAT32 },
  float64: { type: 'number', format: 'double' },
};

interface At {
  readonly context: ConversionContext;
  readonly place: Place;
}

export function convertNumber(node: ZodNode, context: ConversionContext, place: Place): Draft {
  const draft: Draft = { type: 'number' };
  const at = { context, place };
  for (const check of nativeChecks(node, context, place)) {
    if (check.check === 'number_format') {
      const { minimum, maximum, ...format } = NUMBER_FORMATS[check.format ?? ''] ?? {};
      // The narrower format wins: `z.int32().int()` stays int32.
      if (draft.format !== 'int32') Object.assign(draft, format);
      if (minimum !== undefined) atLeast(draft, { bound: minimum, exclusive: false }, at);
      if (maximum !== undefined) atMost(draft, { bound: maximum, exclusive: false }, at);
    } else if (check.check === 'greater_than') atLeast(draft, { bound: Number(check.value), exclusive: check.inclusive === false }, at);
    else if (check.check === 'less_than') atMost(draft, { bound: Number(check.value), exclusive: check.inclusive === false }, at);
    else if (check.check === 'multiple_of') addMultiple(draft, Number(check.value), at);
    else refuse(context, place, `the check ${check.check} on a number has no schema; write .check(k.rule('…'))`);
  }
  wholeMultiples(draft);
  cutBounds(draft);
  refuseEmptyRange(draft, at);
  return draft;
}

/** Multiples of a whole number are whole, and the API server takes 1000000000.5 for a multiple of 1 where the type is `number`. */
function wholeMultiples(draft: Draft): void {
  if (draft.multipleOf === undefined || draft.type === 'integer') return;
  draft.type = 'integer';
  delete draft.format;
}

/** The API server compares whole values with bounds that it has cut to whole numbers: `minimum: 0.5` lets 0 pass, an exclusive maximum of 2.5 refuses 2. */
function cutBounds(draft: Draft): void {
  const { minimum, maximum } = draft;
  if (draft.type === 'integer') {
    if (minimum !== undefined && !Number.isInteger(minimum)) replaceBound(draft, 'minimum', Math.ceil(minimum));
    if (maximum !== undefined && !Number.isInteger(maximum)) replaceBound(draft, 'maximum', Math.floor(maximum));
    dropHugeBounds(draft);
    return;
  }
  if (minimum !== undefined && !Number.isInteger(minimum)) ruleForBound(draft, 'minimum', minimum);
  if (maximum !== undefined && !Number.isInteger(maximum)) ruleForBound(draft, 'maximum', maximum);
  splitHugeBounds(draft);
}

const EXCLUSIVE = { minimum: 'exclusiveMinimum', maximum: 'exclusiveMaximum' } as const;

function replaceBound(draft: Draft, key: 'minimum' | 'maximum', bound: number): void {
  draft[key] = bound;
  delete draft[EXCLUSIVE[key]];
}

function ruleForBound(draft: Draft, key: 'minimum' | 'maximum', bound: number): void {
  const exclusive = draft[EXCLUSIVE[key]] === true;
  // Cutting moves a bound towards zero. Only away from the allowed side does that change an inclusive bound, only into it an exclusive one.
  const moved = key === 'minimum' ? bound > 0 !== exclusive : bound < 0 !== exclusive;
  if (!moved) return;
  const words = key === 'minimum' ? (exclusive ? 'greater than' : 'at least') : exclusive ? 'less than' : 'at most';
  const operator = `${key === 'minimum' ? '>' : '<'}${exclusive ? '' : '='}`;
  addRule(draft, { rule: `self ${operator} ${celDouble(bound)}`, message: `must be ${words} ${bound}` });
  // An exclusive bound would refuse a whole value that is allowed.
  if (exclusive) {
    delete draft[key];
    delete draft[EXCLUSIVE[key]];
  }
}

/** A whole number of 64 bits is within them. */
function dropHugeBounds(draft: Draft): void {
  for (const key of ['minimum', 'maximum'] as const) {
    if (Math.abs(draft[key] ?? 0) < INT64_END) continue;
    delete draft[key];
    delete draft[EXCLUSIVE[key]];
  }
}

/** Bounds from 2^63 on hold for fractions as they are; whole values, which the API server keeps in 64 bits, are within them anyway. */
function splitHugeBounds(draft: Draft): void {
  const bounds = ['minimum', 'maximum'] as const;
  const isHuge = bounds.filter((key) => Math.abs(draft[key] ?? 0) >= INT64_END);
  if (isHuge.length === 0) return;
  const fractions: Draft = {};
  const whole: Draft = {};
  for (const key of isHuge) {
    const exclusive = EXCLUSIVE[key];
    fractions[key] = draft[key] ?? 0;
    if (draft[exclusive] === true) fractions[exclusive] = true;
    whole[key] = key === 'minimum' ? -MAX_INT64_DOUBLE : MAX_INT64_DOUBLE;
    delete draft[key];
    delete draft[exclusive];
  }
  draft.anyOf = [fractions, whole];
}

function refuseEmptyRange({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Draft, { context, place }: At): void {
  if (minimum === undefined || maximum === undefined) return;
  const isPoint = minimum === maximum && (exclusiveMinimum === true || exclusiveMaximum === true);
  if (minimum > maximum || isPoint) refuse(context, place, `no number is within the bounds ${minimum} and ${maximum}; mend them`);
}

/** A literal with a point or an exponent is a double. */
export function celDouble(value: number): string {
  const text = String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

interface Bound {
  readonly bound: number;
  readonly exclusive: boolean;
}

function atLeast(draft: Draft, { bound, exclusive }: Bound, at: At): void {
  if (bound === Number.NEGATIVE_INFINITY || refusesBound(bound, bound >= INT64_END, at)) return;
  if (draft.minimum !== undefined && (bound < draft.minimum || (bound === draft.minimum && !exclusive))) return;
  draft.minimum = bound;
  if (exclusive) draft.exclusiveMinimum = true;
  else delete draft.exclusiveMinimum;
}

function atMost(draft: Draft, { bound, exclusive }: Bound, at: At): void {
  if (bound === Number.POSITIVE_INFINITY || refusesBound(bound, bound <= -INT64_END, at)) return;
  if (draft.maximum !== undefined && (bound > draft.maximum || (bound === draft.maximum && !exclusive))) return;
  draft.maximum = bound;
  if (exclusive) draft.exclusiveMaximum = true;
  else delete draft.exclusiveMaximum;
}

function refusesBound(bound: number, isBeyond: boolean, { context, place }: At): boolean {
  if (Number.isNaN(bound)) refuse(context, place, 'NaN is not a bound: nothing is compared with it; write a number');
  else if (isBeyond)
    refuse(context, place, `the bound ${bound} leaves no number of 64 bits, which is what the API server compares; write a smaller one`);
  return Number.isNaN(bound) || isBeyond;
}

function addMultiple(draft: Draft, factor: number, { context, place }: At): void {
  const problem = multipleProblem(factor);
  if (problem !== undefined) refuse(context, place, problem);
  else if (draft.multipleOf === undefined) draft.multipleOf = factor;
  else if (draft.multipleOf !== factor) draft.allOf = [...(draft.allOf ?? []), { multipleOf: factor }];
}

function multipleProblem(factor: number): string | undefined {
  if (!Number.isFinite(factor) || factor > MAX_SAFE) return `.multipleOf(${factor}): write a whole number from 1 to 2^53 - 1`;
  if (!Number.isInteger(factor))
    return 'a fraction in .multipleOf(): the API server cuts it to a whole number when the value is whole, and then refuses the value; use whole numbers of a smaller unit';
  return factor > 0
    ? undefined
    : `.multipleOf(${factor}): the API server refuses every value unless the factor is above 0; write ${Math.abs(factor) || 1}`;
}

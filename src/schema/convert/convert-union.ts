import type { ZodNode } from '../zod-internals.js';
import { chooseNumbers, chooseWords } from './choices.js';
import { type ConversionContext, type Draft, type Place, refuse } from './context.js';
import { convertObjectUnion } from './convert-object-union.js';
import { convertValues, enumValues, nativeChecks } from './convert-scalars.js';
import { type Unwrapped, unwrap } from './unwrap.js';

const MIXED =
  'a union of different types has no structural schema (the API server wants one type per field); write z.discriminatedUnion(), z.object() with optional fields and .check(k.oneOf(…)), k.intOrString() or k.json()';

/** Literals become an enum, scalars of one type `anyOf`, a whole number beside a string int-or-string, objects merged properties with rules. */
export function convertUnion(unwrapped: Unwrapped, context: ConversionContext, place: Place): Draft {
  const { core } = unwrapped;
  for (const check of nativeChecks(core, context, place))
    refuse(context, place, `the check ${check.check} on a union has no schema; write .check(k.rule('…'))`);
  if (core._zod.def.inclusive === false && core._zod.def.discriminator === undefined) {
    refuse(
      context,
      place,
      'z.xor() has no structural schema; write z.object() with optional fields and .check(k.oneOf(…)), or z.discriminatedUnion()',
    );
    return {};
  }
  const options = optionsOf(core, context, place);
  if (options === undefined) return {};
  const values = options.filter(({ core: { _zod } }) => _zod.def.type !== 'null');
  const draft = convertOptions(unwrapped, values, { context, place });
  if (values.length < options.length) draft.nullable = true;
  if (draft.nullable === true && draft.enum !== undefined) {
    refuse(context, place, 'null among the options of a union of literals; write the other options and .nullable()');
  }
  return draft;
}

interface At {
  readonly context: ConversionContext;
  readonly place: Place;
}

/** The options, those of nested unions among them. */
function optionsOf(core: ZodNode, context: ConversionContext, place: Place): readonly Unwrapped[] | undefined {
  const options: Unwrapped[] = [];
  for (const option of core._zod.def.options ?? []) {
    const unwrapped = unwrap(option, context, place);
    if (unwrapped === undefined) return undefined;
    if (unwrapped.optional || unwrapped.nullable) {
      refuse(context, place, 'an option of a union is .optional(), .nullable() or has a default; write that behind the union');
      return undefined;
    }
    const nested = unwrapped.core._zod.def;
    const flat =
      nested.type === 'union' &&
      (nested.inclusive !== false || nested.discriminator !== undefined) &&
      unwrapped.marks.length === 0 &&
      (nested.discriminator === undefined || nested.discriminator === core._zod.def.discriminator);
    if (flat) options.push(...(optionsOf(unwrapped.core, context, place) ?? []));
    else options.push(unwrapped);
  }
  return options;
}

function convertOptions(union: Unwrapped, options: readonly Unwrapped[], at: At): Draft {
  const types = options.map(({ core }) => core._zod.def.type);
  const plain = options.every(({ marks }) => marks.length === 0);
  if (plain && types.every((type) => type === 'literal' || type === 'enum')) {
    const values = options.flatMap(({ core: { _zod } }) =>
      _zod.def.type === 'enum' ? enumValues(_zod.def.entries ?? {}) : (_zod.def.values ?? []),
    );
    return convertValues(values, at.context, at.place);
  }
  if (types.every((type) => type === 'object')) return convertObjectUnion(union, options, at);
  return convertScalarUnion(union, at);
}

/** JSON types that a scalar option may have. */
const SCALARS: ReadonlySet<string | undefined> = new Set(['string', 'integer', 'number', 'boolean']);

function convertScalarUnion({ core }: Unwrapped, { context, place }: At): Draft {
  const drafts = (core._zod.def.options ?? [])
    .filter((option) => option._zod.def.type !== 'null')
    .map((option) => context.convert(option, place).schema);
  const types = new Set(drafts.map(({ type }) => type));
  const whole = types.has('number') ? new Set([...types].filter((type) => type !== 'integer')) : types;
  const ruled = drafts.some((draft) => draft['x-kubernetes-validations'] !== undefined);
  const scalar = drafts.every(({ type }) => SCALARS.has(type));
  if (!scalar || ruled) {
    refuse(
      context,
      place,
      ruled && scalar ? 'an option of a union carries a rule; put the rule on the union: k.rule("…") sees every value' : MIXED,
    );
    return {};
  }
  const [type] = whole;
  if (whole.size === 1) return anyOf({ ...(type !== undefined && { type }) }, drafts);
  const [integers, strings] = [drafts.filter((draft) => draft.type === 'integer'), drafts.filter((draft) => draft.type === 'string')];
  const [integer, string] = [integers[0], strings[0]];
  if (drafts.length !== 2 || integer === undefined || string === undefined) {
    refuse(context, place, MIXED);
    return {};
  }
  return intOrString(integer, string);
}

/** Value validations only: type, title and description may not stand inside `anyOf`. */
function validations({
  type: _type,
  title: _title,
  description: _description,
  externalDocs: _docs,
  example: _example,
  ...rest
}: Draft): Draft {
  return rest;
}

function anyOf(base: Draft, drafts: readonly Draft[]): Draft {
  const alternatives = drafts.map(validations);
  return alternatives.some((alternative) => Object.keys(alternative).length === 0) ? base : { ...base, anyOf: alternatives };
}

/** The server applies `minimum` to numbers only and `pattern` to strings only: both fit on one int-or-string. An enum applies to every value. */
function intOrString(integer: Draft, string: Draft): Draft {
  const { enum: numbers, format: _integerFormat, ...numeric } = validations(integer);
  const { enum: words, ...textual } = validations(string);
  const draft: Draft = { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true, ...numeric, ...textual };
  if (words !== undefined) chooseWords(draft, words as readonly string[]);
  if (numbers !== undefined) chooseNumbers(draft, numbers as readonly number[]);
  return draft;
}

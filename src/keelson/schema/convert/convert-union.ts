import type { ZodNode } from '../zod-internals.js';
import { type ConversionContext, type Draft, type Place, refuse } from './context.js';
import { convertObjectUnion } from './convert-object-union.js';
import { convertScalarUnion } from './convert-scalar-union.js';
import { convertValues, enumValues } from './convert-values.js';
import { nativeChecks } from './native-checks.js';
import { type Unwrapped, unwrap } from './unwrap.js';

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

interface Option extends Unwrapped {
  /** As the author wrote it. */
  readonly schema: ZodNode;
}

/** The options, those of nested unions among them. */
function optionsOf(core: ZodNode, context: ConversionContext, place: Place): readonly Option[] | undefined {
  const options: Option[] = [];
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
    else options.push({ ...unwrapped, schema: option });
  }
  return options;
}

function convertOptions(union: Unwrapped, options: readonly Option[], at: At): Draft {
  const types = options.map(({ core }) => core._zod.def.type);
  const plain = options.every(({ marks }) => marks.length === 0);
  if (plain && types.every((type) => type === 'literal' || type === 'enum')) {
    const values = options.flatMap(({ core: { _zod } }) =>
      _zod.def.type === 'enum' ? enumValues(_zod.def.entries ?? {}) : (_zod.def.values ?? []),
    );
    return convertValues(values, at.context, at.place);
  }
  if (types.every((type) => type === 'object')) return convertObjectUnion(union, options, at);
  return convertScalarUnion(
    options.map(({ schema }) => schema),
    at,
  );
}

import { canonicalJson, type StructuralSchema } from '@keelson/kubernetes/apimachinery';
import { fillDefaults } from '@keelson/kubernetes/structural';
import { isJson, type Mark } from '../marks.js';
import type { ZodNode } from '../zod-internals.js';
import { applyMarks } from './apply-marks.js';
import { chooseNullable } from './choices.js';
import { below, type ConversionContext, type Converted, type Draft, inKeyOrder, type Place, refuse } from './context.js';
import { convertNumber } from './convert-numbers.js';
import { convertObject, convertRecord } from './convert-object.js';
import { convertString, convertTemplateLiteral } from './convert-strings.js';
import { convertUnion } from './convert-union.js';
import { convertValues, enumValues } from './convert-values.js';
import { ITEMS, narrowCount } from './counts.js';
import { nativeChecks } from './native-checks.js';
import { REFUSED_TYPES } from './refusals.js';
import { type DefaultValue, type Unwrapped, unwrap } from './unwrap.js';

/** Deeper nesting is a mistake (or an unnoticed recursion); the API server itself stops at similar depths when it decodes. */
const MAX_DEPTH = 64;

/** Converts one schema with all its wrappers and marks. */
export function convert(schema: unknown, context: ConversionContext, place: Place): Converted {
  if (place.depth > MAX_DEPTH) {
    refuse(context, place, `nested deeper than ${MAX_DEPTH} levels; flatten it, or use k.preserveUnknown()`);
    return { schema: {}, optional: true, immutable: false };
  }
  const unwrapped = unwrap(schema, context, place);
  if (unwrapped === undefined) return { schema: {}, optional: true, immutable: false };
  const draft = convertCore(unwrapped, context, place);
  applyMetadata(draft, unwrapped.metadata, { context, place });
  if (unwrapped.nullable) makeNullable(draft, context, place);
  if (unwrapped.defaultValue !== undefined) setDefault(draft, unwrapped.defaultValue, { context, place });
  applyMarks(draft, unwrapped, { context, place });
  const immutable = unwrapped.marks.some((mark) => mark.mark === 'immutable');
  return { schema: inKeyOrder(draft), optional: unwrapped.optional, immutable };
}

function convertCore(unwrapped: Unwrapped, context: ConversionContext, place: Place): Draft {
  const { core, marks } = unwrapped;
  const given = givenSchema(marks, context, place);
  if (given !== undefined) {
    for (const check of nativeChecks(core, context, place))
      refuse(context, place, `the check ${check.check} cannot be added to a type whose schema is given; write .check(k.rule('…'))`);
    return given;
  }
  const { def } = core._zod;
  if (def.coerce === true && ['string', 'number', 'boolean'].includes(def.type))
    refuse(context, place, `z.coerce.${def.type}() converts values, the API server refuses the wrong type; write z.${def.type}()`);
  switch (def.type) {
    case 'string':
      return convertString(core, context, place);
    case 'number':
      return convertNumber(core, context, place);
    case 'boolean':
      nativeChecks(core, context, place);
      return { type: 'boolean' };
    case 'enum':
      nativeChecks(core, context, place);
      return convertValues(enumValues(def.entries ?? {}), context, place);
    case 'literal':
      nativeChecks(core, context, place);
      return convertValues(def.values ?? [], context, place);
    case 'template_literal':
      nativeChecks(core, context, place);
      return convertTemplateLiteral(core, context, place);
    case 'array':
      return convertArray(unwrapped, context, place);
    case 'object':
      return convertObject(unwrapped, context, place);
    case 'record':
      return convertRecord(unwrapped, context, place);
    case 'union':
      return convertUnion(unwrapped, context, place);
    default:
      return refused(core, context, place);
  }
}

function refused(core: ZodNode, context: ConversionContext, place: Place): Draft {
  const { type } = core._zod.def;
  refuse(
    context,
    place,
    REFUSED_TYPES[type] ?? `the zod type "${type}" has no structural schema; write k.structural(schema) with a schema by hand`,
  );
  return {};
}

/** The schema that a mark brings along: `k.quantity()`, `k.builtin('PodSpec')`. */
function givenSchema(marks: readonly Mark[], context: ConversionContext, place: Place): Draft | undefined {
  for (const mark of marks) {
    if (mark.mark === 'schema') return { ...mark.schema };
    if (mark.mark !== 'builtin') continue;
    const resolved = context.resolveBuiltin(mark.name);
    if (resolved === undefined)
      refuse(
        context,
        place,
        `k.builtin('${mark.name}'): there is no built-in type of that name; write one that the compiler knows, such as 'PodTemplateSpec'`,
      );
    const given = mark.open === true ? withOpenEnums(resolved ?? {}) : resolved;
    if (given?.properties !== undefined) context.builtinTypes.set(given.properties, mark.name);
    return { ...given };
  }
  return undefined;
}

/** A schema that takes any text where it lists some. The API server adds values to its own enumerations; controller-gen's CRDs leave those open too. */
function withOpenEnums({ enum: values, properties, items, additionalProperties, ...schema }: StructuralSchema): StructuralSchema {
  const isText = values?.every((value) => typeof value === 'string') === true;
  return {
    ...schema,
    ...(values === undefined || isText ? {} : { enum: values }),
    ...(properties === undefined
      ? {}
      : { properties: Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, withOpenEnums(property)])) }),
    ...(items === undefined ? {} : { items: withOpenEnums(items) }),
    ...(typeof additionalProperties === 'object' ? { additionalProperties: withOpenEnums(additionalProperties) } : {}),
    ...(typeof additionalProperties === 'boolean' ? { additionalProperties } : {}),
  };
}

function convertArray({ core, marks }: Unwrapped, context: ConversionContext, place: Place): Draft {
  const keyed = marks.some((mark) => mark.mark === 'listMap');
  const withoutIdentity =
    place.withoutIdentity ?? (keyed ? undefined : `the items of ${place.path} have no keys; use k.listMap(item, key)`);
  const itemPlace = below(place, '[]', { withoutIdentity });
  const item = convert(core._zod.def.element, context, itemPlace);
  if (item.optional) refuse(context, itemPlace, 'an item of a list is never absent; leave .optional() and .default() out');
  const draft: Draft = { type: 'array', items: item.schema as StructuralSchema };
  const narrow = { kind: ITEMS, at: { context, place } };
  for (const check of nativeChecks(core, context, place)) {
    if (check.check === 'min_length') narrowCount(draft, { min: check.minimum }, narrow);
    else if (check.check === 'max_length') narrowCount(draft, { max: check.maximum }, narrow);
    else if (check.check === 'length_equals') narrowCount(draft, { min: check.length, max: check.length }, narrow);
    else refuse(context, place, `the check ${check.check} on a list has no schema; write .check(k.rule('…'))`);
  }
  return draft;
}

/** The API server fills in the defaults below a default, zod takes the value of `.default()` as it is: both must come to the same. */
function setDefault(
  draft: Draft,
  { value, isWhole }: DefaultValue,
  { context, place }: { context: ConversionContext; place: Place },
): void {
  draft.default = value;
  const filled = fillDefaults(draft as StructuralSchema, value);
  if (!isWhole || canonicalJson(filled) === canonicalJson(value)) return;
  refuse(
    context,
    place,
    `.default(${canonicalJson(value)}): the API server fills in the defaults below and stores ${canonicalJson(filled)}, zod does not; write .prefault(${canonicalJson(value)}), or the whole value`,
  );
}

/** The API server checks an enum against null even where the field is nullable (and refuses null). */
function makeNullable(draft: Draft, context: ConversionContext, place: Place): void {
  draft.nullable = true;
  const values = draft.enum;
  if (values === undefined) return;
  if (draft['x-kubernetes-int-or-string'] === true) {
    refuse(context, place, 'a nullable enum of numbers and strings cannot be expressed; use values of one type, or leave .nullable() out');
    return;
  }
  delete draft.enum;
  chooseNullable(draft, values);
}

function applyMetadata(draft: Draft, metadata: Readonly<Record<string, unknown>>, at: { context: ConversionContext; place: Place }): void {
  for (const key of ['description', 'title'] as const) {
    const value = metadata[key];
    if (typeof value === 'string') draft[key] = value;
    else if (value !== undefined) refuse(at.context, at.place, `.meta({ ${key} }) must be a string`);
  }
  const { example, externalDocs } = metadata;
  if (example !== undefined) {
    if (isJson(example)) draft.example = example;
    else refuse(at.context, at.place, '.meta({ example }) must be a JSON value');
  }
  if (externalDocs === undefined) return;
  const { url, description } = (externalDocs ?? {}) as { url?: unknown; description?: unknown };
  if (typeof url === 'string' && URL.canParse(url)) draft.externalDocs = { url, ...(typeof description === 'string' && { description }) };
  else refuse(at.context, at.place, ".meta({ externalDocs }) must be { url: 'https://…', description? } with an absolute URL");
}

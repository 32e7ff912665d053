import type { StructuralSchema } from '@keelson/kubernetes/apimachinery';
import { escapePropertyName } from '@keelson/kubernetes/cel';
import { shapeOf, type ZodNode } from '../zod-internals.js';

import { addRule, below, type ConversionContext, type Converted, type Draft, type Place, refuse } from './context.js';
import { enumValues } from './convert-values.js';
import { nativeChecks } from './native-checks.js';
import { type Unwrapped, unwrap } from './unwrap.js';

export interface Property {
  readonly name: string;
  readonly converted: Converted;
}

export function convertObject(unwrapped: Unwrapped, context: ConversionContext, place: Place): Draft {
  const { core, marks } = unwrapped;
  const preserve = marks.some((mark) => mark.mark === 'preserveUnknown');
  refuseCatchall(core, preserve, { context, place });
  for (const check of nativeChecks(core, context, place))
    refuse(context, place, `the check ${check.check} on an object has no schema; write .check(k.rule('…'))`);
  const draft: Draft = { type: 'object' };
  const properties = convertShape(core, context, place);
  if (properties !== undefined) setProperties(draft, properties, { context, place });
  if (preserve) draft['x-kubernetes-preserve-unknown-fields'] = true;
  return draft;
}

/** The properties of an object; `undefined` if it contains itself, which is reported. */
export function convertShape(core: ZodNode, context: ConversionContext, place: Place): readonly Property[] | undefined {
  const shape = shapeOf(core);
  if (place.ancestors.includes(shape)) {
    refuse(
      context,
      place,
      'the object contains itself, a structural schema is finite; write the levels out, or k.preserveUnknown() where it recurses',
    );
    return undefined;
  }
  const ancestors = [...place.ancestors, shape];
  return Object.keys(shape).map((name) => ({ name, converted: context.convert(shape[name], below(place, `.${name}`, { ancestors })) }));
}

interface At {
  readonly context: ConversionContext;
  readonly place: Place;
}

export function setProperties(draft: Draft, properties: readonly Property[], at: At): void {
  const required = properties.filter(({ converted }) => !converted.optional).map(({ name }) => name);
  if (properties.length > 0)
    draft.properties = Object.fromEntries(properties.map(({ name, converted }) => [name, converted.schema as StructuralSchema]));
  if (required.length > 0) draft.required = required.sort();
  for (const property of properties) addRemovalRule(draft, property, at);
}

/** `self == oldSelf` is not evaluated when the field is gone: only the object around it can forbid the removal. */
function addRemovalRule(draft: Draft, { name, converted }: Property, { context, place }: At): void {
  if (!converted.immutable || !converted.optional || converted.schema.default !== undefined) return;
  const field = escapePropertyName(name);
  if (field === undefined) {
    refuse(
      context,
      below(place, `.${name}`),
      `CEL cannot reach a field named "${name}", so it cannot be kept from removal; make it required or rename it`,
    );
    return;
  }
  addRule(draft, { rule: `!has(oldSelf.${field}) || has(self.${field})`, message: `field ${name} is immutable once set` });
}

function refuseCatchall(core: ZodNode, preserve: boolean, { context, place }: At): void {
  const { catchall } = core._zod.def;
  if (catchall === undefined) return;
  const { type } = catchall._zod.def;
  if (type === 'never')
    refuse(context, place, 'z.strictObject() refuses unknown fields, the API server prunes them before it validates; write z.object()');
  else if (type !== 'unknown' && type !== 'any')
    refuse(
      context,
      place,
      '.catchall() beside properties has no structural schema; put the free part into a field of its own: z.record(z.string(), value)',
    );
  else if (!preserve)
    refuse(context, place, 'z.looseObject() keeps unknown fields, the API server prunes them; write k.preserveUnknown(z.object({ … }))');
}

export function convertRecord(unwrapped: Unwrapped, context: ConversionContext, place: Place): Draft {
  const { core, marks } = unwrapped;
  const { keyType, valueType, mode } = core._zod.def;
  nativeChecks(core, context, place);
  if (mode === 'loose')
    refuse(context, place, 'z.looseRecord() lets other keys pass unchecked; write z.record(z.string(), value), or k.preserveUnknown()');
  if (marks.some((mark) => mark.mark === 'preserveUnknown')) return { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const key = unwrap(keyType, context, below(place, '.*'));
  if (key === undefined) return { type: 'object' };
  const { def } = key.core._zod;
  if (def.type === 'enum' || def.type === 'literal') {
    const names = def.type === 'enum' ? enumValues(def.entries ?? {}) : (def.values ?? []);
    return convertKeyedRecord(unwrapped, names, { context, place });
  }
  const plain = def.type === 'string' && (def.checks ?? []).length === 0 && def.check === undefined && def.coerce !== true;
  if (!plain)
    refuse(
      context,
      place,
      'the keys of a record cannot be constrained by a schema; write z.record(z.string(), value) and .check(k.rule("self.all(key, key.matches(\'…\'))"))',
    );
  const valuePlace = below(place, '.*');
  const value = context.convert(valueType, valuePlace);
  if (value.optional) refuse(context, valuePlace, 'a value of a record is never absent; leave .optional() and .default() out');
  return { type: 'object', additionalProperties: value.schema as StructuralSchema };
}

/** A record with known keys is an object; all keys are required unless it is partial. */
function convertKeyedRecord(unwrapped: Unwrapped, names: readonly unknown[], { context, place }: At): Draft {
  const { def } = unwrapped.core._zod;
  // partialRecord is `def.partial` since zod 4.5; before, it cleared the values of the key's schema.
  const partial = def.partial === true || def.keyType?._zod.values === undefined;
  const draft: Draft = { type: 'object' };
  if (!names.every((name) => typeof name === 'string')) {
    refuse(context, place, 'the keys of a JSON object are strings; write z.record(z.enum([…]), value) with strings');
    return draft;
  }
  const properties = names.map((name) => {
    const converted = context.convert(def.valueType, below(place, `.${name}`));
    if (partial && converted.schema.default !== undefined)
      refuse(
        context,
        below(place, `.${name}`),
        'a default in z.partialRecord(): the API server fills it in, zod leaves the key out; leave the default out, or write z.object() with named fields',
      );
    return { name, converted: { ...converted, optional: converted.optional || partial } };
  });
  setProperties(draft, properties, { context, place });
  return draft;
}

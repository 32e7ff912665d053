import { canonicalJson, type StructuralSchema, type ValidationRule } from '@keelson/kubernetes/apimachinery';
import { escapePropertyName } from '@keelson/kubernetes/cel';
import type { Mark } from '../marks.js';
import { shapeOf } from '../zod-internals.js';
import { applyMarks } from './apply-marks.js';
import { celLiteral } from './cel-text.js';
import { addRule, below, type ConversionContext, type Draft, type Place, refuse } from './context.js';
import { convertShape, type Property, setProperties } from './convert-object.js';
import { convertValues, enumValues } from './convert-values.js';
import { nativeChecks } from './native-checks.js';
import { type Unwrapped, unwrap } from './unwrap.js';

interface At {
  readonly context: ConversionContext;
  readonly place: Place;
}

interface Variant {
  readonly option: Unwrapped;
  readonly properties: readonly Property[];
  /** Values of the discriminator; empty in a union without one. */
  readonly values: readonly (string | number | boolean)[];
}

/**
 * A union of objects becomes one object with the properties of all variants, and rules that say which belong together.
 *
 * Consequences: a field has one schema in all variants, and a default stands only on a field that every variant has (the API server would apply it to all).
 */
export function convertObjectUnion(union: Unwrapped, options: readonly Unwrapped[], at: At): Draft {
  const { discriminator } = union.core._zod.def;
  const variants = options.flatMap((option) => variantOf(option, discriminator, at) ?? []);
  if (variants.length < options.length) return { type: 'object' };
  const merged = mergeProperties(variants, discriminator, at);
  const draft: Draft = { type: 'object' };
  setProperties(draft, merged, at);
  if (discriminator === undefined) addPresenceRule(draft, variants, at);
  else addVariantRules(draft, { variants, discriminator }, at);
  return draft;
}

function variantOf(option: Unwrapped, discriminator: string | undefined, { context, place }: At): Variant | undefined {
  const { core } = option;
  nativeChecks(core, context, place);
  if (core._zod.def.catchall !== undefined)
    refuse(context, place, 'a variant of a union is strict, loose or has a catchall; write z.object()');
  const properties = convertShape(core, context, place);
  if (properties === undefined) return undefined;
  if (discriminator === undefined) {
    if (option.marks.length > 0)
      refuse(
        context,
        place,
        'a variant of a plain union carries a rule or another mark; write z.discriminatedUnion(), or put it on the union',
      );
    return { option, properties, values: [] };
  }
  const values = discriminatorValues(shapeOf(core)[discriminator], discriminator, { context, place });
  return values && { option, properties: properties.filter(({ name }) => name !== discriminator), values };
}

function discriminatorValues(schema: unknown, name: string, { context, place }: At): Variant['values'] | undefined {
  const here = below(place, `.${name}`);
  const unwrapped = unwrap(schema, context, here);
  const def = unwrapped?.core._zod.def;
  const values = def?.type === 'literal' ? def.values : def?.type === 'enum' ? enumValues(def.entries ?? {}) : undefined;
  if (escapePropertyName(name) === undefined) {
    refuse(
      context,
      here,
      `CEL cannot reach a field named "${name}", which a discriminator needs; rename it: letters, digits, _ - . and / fit`,
    );
    return undefined;
  }
  const fits =
    unwrapped?.optional === false &&
    !unwrapped.nullable &&
    values?.every((value) => ['string', 'number', 'boolean'].includes(typeof value));
  if (fits !== true) {
    refuse(context, here, 'a discriminator is a required z.literal() or z.enum(), neither optional, nullable nor defaulted');
    return undefined;
  }
  return values as Variant['values'];
}

function mergeProperties(variants: readonly Variant[], discriminator: string | undefined, at: At): readonly Property[] {
  const names = [...new Set(variants.flatMap(({ properties }) => properties.map(({ name }) => name)))];
  const merged = names.map((name) => mergeProperty(name, variants, at));
  if (discriminator === undefined) return merged;
  const schema = convertValues(
    variants.flatMap(({ values }) => values),
    at.context,
    below(at.place, `.${discriminator}`),
  );
  const described = variants.flatMap(({ option, values }) =>
    typeof option.metadata['description'] === 'string' ? [`${values.join(', ')}: ${option.metadata['description']}`] : [],
  );
  if (described.length > 0) schema.description = described.join('\n');
  return [{ name: discriminator, converted: { schema, optional: false, immutable: false } }, ...merged];
}

function mergeProperty(name: string, variants: readonly Variant[], { context, place }: At): Property {
  const here = below(place, `.${name}`);
  const found = variants.flatMap(({ properties }) => properties.filter((property) => property.name === name));
  const everywhere = found.length === variants.length;
  const schemas = found.map(({ converted }) => converted.schema);
  const [first = {}] = schemas;
  if (schemas.some((schema) => canonicalJson(withoutWords(schema)) !== canonicalJson(withoutWords(first)))) {
    refuse(
      context,
      here,
      'the variants of the union give this field different schemas, the API server has one per field; use one schema for all, or another name in each variant',
    );
  }
  if (!everywhere && first.default !== undefined) {
    refuse(
      context,
      here,
      'a default inside a variant would be applied to every variant; leave it out, or put the field with its default into all variants',
    );
  }
  const descriptions = [...new Set(schemas.flatMap(({ description }) => description ?? []))];
  const schema = descriptions.length > 1 ? { ...first, description: descriptions.join('\n') } : first;
  const optional = !everywhere || found.some(({ converted }) => converted.optional);
  return { name, converted: { schema, optional, immutable: found.some(({ converted }) => converted.immutable) } };
}

function withoutWords({ description: _description, title: _title, example: _example, ...rest }: Draft): Draft {
  return rest;
}

function requiredNames({ properties }: Variant): readonly string[] {
  return properties.filter(({ converted }) => !converted.optional).map(({ name }) => name);
}

/** Without a discriminator: the required fields of at least one variant are set. */
function addPresenceRule(draft: Draft, variants: readonly Variant[], { context, place }: At): void {
  const always = new Set(draft.required);
  const groups = variants.map((variant) => requiredNames(variant).filter((name) => !always.has(name)));
  if (groups.some((group) => group.length === 0)) return;
  for (const name of groups.flat()) refuseNullDemand(draft, name, { context, place });
  const parts = groups.map((group) => group.map((name) => hasField(name, { context, place })).join(' && '));
  const rule = parts.map((part, index) => ((groups[index]?.length ?? 0) > 1 ? `(${part})` : part)).join(' || ');
  addRule(draft, {
    rule,
    message: `the fields of one alternative must be set: ${groups.map((group) => group.join(' and ')).join(', or ')}`,
  });
}

/** CEL's `has()` takes null for absent: a rule cannot demand a field that may be null. */
function refuseNullDemand(draft: Draft, name: string, { context, place }: At): void {
  if (draft.properties?.[name]?.nullable !== true) return;
  refuse(
    context,
    below(place, `.${name}`),
    'a required nullable field of a variant: the API server takes null for absent where variants are distinguished; write .nullish(), or leave .nullable() out',
  );
}

function hasField(name: string, { context, place }: At): string {
  const field = escapePropertyName(name);
  if (field === undefined)
    refuse(context, below(place, `.${name}`), `CEL cannot reach a field named "${name}", which a rule of the union needs; rename it`);
  return `has(self.${field})`;
}

/** With a discriminator: which fields are required, allowed and forbidden for which of its values. */
function addVariantRules(draft: Draft, { variants, discriminator }: { variants: readonly Variant[]; discriminator: string }, at: At): void {
  const names = Object.keys(draft.properties ?? {}).filter((name) => name !== discriminator && !draft.required?.includes(name));
  for (const name of names) {
    const holders = variants.filter(({ properties }) => properties.some((property) => property.name === name));
    const demanding = holders.filter((variant) => requiredNames(variant).includes(name));
    if (demanding.length > 0) refuseNullDemand(draft, name, at);
    for (const rule of fieldRules(
      { name, has: hasField(name, at), all: holders.length === variants.length },
      { holders, demanding },
      condition(discriminator),
    ))
      addRule(draft, rule);
  }
  for (const variant of variants) addGuardedRules(draft, { variant, discriminator }, at);
}

interface Condition {
  readonly rule: (variants: readonly Variant[]) => string;
  readonly words: (variants: readonly Variant[]) => string;
}

function condition(discriminator: string): Condition {
  const literals = (variants: readonly Variant[]) => variants.flatMap(({ values }) => values.map(celLiteral));
  const field = `self.${escapePropertyName(discriminator) ?? discriminator}`;
  return {
    rule: (variants) =>
      literals(variants).length === 1 ? `${field} == ${literals(variants)[0]}` : `${field} in [${literals(variants).join(', ')}]`,
    words: (variants) => `${discriminator} is ${literals(variants).join(' or ')}`,
  };
}

function fieldRules(
  { name, has, all }: { name: string; has: string; all: boolean },
  { holders, demanding }: { holders: readonly Variant[]; demanding: readonly Variant[] },
  { rule, words }: Condition,
): readonly ValidationRule[] {
  if (!all && holders.length === demanding.length) {
    return [{ rule: `(${rule(holders)}) == ${has}`, message: `${name} is required when ${words(holders)}, and forbidden otherwise` }];
  }
  const rules: ValidationRule[] = [];
  if (!all) rules.push({ rule: `!${has} || ${rule(holders)}`, message: `${name} is allowed only when ${words(holders)}` });
  if (demanding.length > 0)
    rules.push({ rule: `!(${rule(demanding)}) || ${has}`, message: `${name} is required when ${words(demanding)}` });
  return rules;
}

const GUARDED: ReadonlySet<Mark['mark']> = new Set<Mark['mark']>(['rule', 'fields']);

/** Rules of a variant hold only while the discriminator has its value. */
function addGuardedRules(
  draft: Draft,
  { variant, discriminator }: { variant: Variant; discriminator: string },
  { context, place }: At,
): void {
  const { marks } = variant.option;
  for (const mark of marks.filter(({ mark: name }) => !GUARDED.has(name))) {
    refuse(context, place, `k.${mark.mark}() on a variant of a union; put it on the union or on a field`);
  }
  const scratch: Draft = {
    type: 'object',
    properties: Object.fromEntries(variant.properties.map(({ name, converted }) => [name, converted.schema as StructuralSchema])),
    required: requiredNames(variant),
  };
  applyMarks(scratch, { ...variant.option, marks: marks.filter(({ mark: name }) => GUARDED.has(name)) }, { context, place });
  for (const rule of scratch['x-kubernetes-validations'] ?? [])
    addRule(draft, { ...rule, rule: `!(${condition(discriminator).rule([variant])}) || (${rule.rule})` });
}

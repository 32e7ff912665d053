import type { Json, StructuralSchema } from '../../../../src/kubernetes/apimachinery/index.js';
import { applyDefaults, createValidator, prune, type Validator } from '../../../../src/kubernetes/structural/index.js';
import { isFields } from './drafts.js';
import type { Sample } from './samples.js';

/** What one judge makes of one object; what is stored is `undefined` if it is refused. */
export interface Verdict {
  readonly stored: Json | undefined;
  readonly causes: readonly string[];
}

export interface Disagreement {
  readonly text: string;
  readonly object?: Json;
  readonly [judge: string]: unknown;
}

/** Our own judgement of what is created: prune, default, validate, as the API server does. */
export function ourVerdicts({ root, objects }: Sample): readonly Verdict[] {
  const validator = createValidator(root);
  return objects.map((object) => verdictOf(validator, received(root, object)));
}

/** Our own judgement of updates. */
export function ourVerdictsOfChanges({ root, changes }: Sample): readonly Verdict[] {
  const validator = createValidator(root);
  return changes.map(({ old, object }) => verdictOf(validator, received(root, object), received(root, old)));
}

function received(root: StructuralSchema, object: Json): Json {
  return applyDefaults(root, prune(root, object, { isResourceRoot: true }));
}

function verdictOf(validator: Validator, object: Json, old?: Json): Verdict {
  const causes = validator.validate(object, old === undefined ? {} : { old }).map(({ field, message }) => `${field}: ${message}`);
  return { stored: causes.length === 0 ? object : undefined, causes };
}

/**
 * Where zod and `verdicts` differ, but for what docs/schema.md excepts: the server drops unknown fields and forbidden nulls before it validates, it takes a null among untyped items, a list
 * for a text with a format and a number within a billionth of a whole one for it, zod rounds when it judges multiples of numbers
 * beyond 10^14, and it drops the fields of the alternatives of a union that it did not choose.
 */
export function differencesFromZod({ text, zod, root, objects }: Sample, verdicts: readonly Verdict[]): readonly Disagreement[] {
  const roughly = /multipleOf/.test(text);
  return objects.flatMap((object, index) => {
    if (roughly && /\d{15}|e\+/.test(JSON.stringify(object))) return [];
    const pruned = withoutForbiddenNulls(root, prune(root, object, { isResourceRoot: true })) as { readonly spec?: Json };
    const parsed = zod.safeParse(pruned.spec);
    const { stored, causes } = verdicts[index] as Verdict;
    const data = parsed.success ? asJson(parsed.data) : undefined;
    if (parsed.success && /nion\(/.test(text) && (losesFields(pruned.spec, data) || losesDefaults({ zod, root }, pruned))) return [];
    const server = (stored as { readonly spec?: Json } | undefined)?.spec;
    if (
      holdsUntypedNull(root, object) ||
      holdsListForText(root, object) ||
      holdsListForText(root, stored ?? null) ||
      holdsNearlyWhole(object)
    )
      return [];
    if (parsed.success === (stored !== undefined) && canonical(data) === canonical(server)) return [];
    return [
      {
        text,
        object,
        zod: parsed.success ? { data } : parsed.error.issues.map(({ message }) => message),
        server: { stored: server, causes },
      },
    ];
  });
}

function asJson(value: unknown): Json | undefined {
  return value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as Json);
}

/** Keys in order, so that two objects can be compared as texts; -0 and 0 are one number in JSON. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([left], [right]) => (left < right ? -1 : 1)))
      : part,
  );
}

/** A null for a field that is not nullable is an absent one, for the server. */
function withoutForbiddenNulls(schema: StructuralSchema | undefined, value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => withoutForbiddenNulls(schema?.items, item));
  if (!isFields(value)) return value;
  const schemaOf = (name: string): StructuralSchema | undefined => {
    if (schema?.properties !== undefined && Object.hasOwn(schema.properties, name)) return schema.properties[name];
    return typeof schema?.additionalProperties === 'object' ? schema.additionalProperties : undefined;
  };
  const kept = Object.entries(value).filter(
    ([name, item]) => item !== null || schemaOf(name) === undefined || schemaOf(name)?.nullable === true,
  );
  return Object.fromEntries(kept.map(([name, item]) => [name, withoutForbiddenNulls(schemaOf(name), item)]));
}

/** Whether zod drops fields that it is given with the values that the server fills in: those are no difference in the values. */
function losesDefaults({ zod, root }: Pick<Sample, 'zod' | 'root'>, pruned: Json): boolean {
  const { spec } = applyDefaults(root, pruned) as { readonly spec?: Json };
  const parsed = zod.safeParse(spec);
  return parsed.success && losesFields(spec, asJson(parsed.data));
}

function losesFields(before: Json | undefined, after: Json | undefined): boolean {
  if (Array.isArray(before) && Array.isArray(after)) return before.some((item, index) => losesFields(item as Json, after[index] as Json));
  if (!isFields(before) || !isFields(after)) return false;
  return Object.entries(before).some(([name, item]) => !Object.hasOwn(after, name) || losesFields(item, after[name]));
}

function holdsListForText(schema: StructuralSchema | undefined, value: Json): boolean {
  if (schema?.type === 'string' && /"format"/.test(JSON.stringify(schema))) return Array.isArray(value);
  if (Array.isArray(value)) return value.some((item: Json) => holdsListForText(schema?.items, item));
  if (!isFields(value)) return false;
  const additional = typeof schema?.additionalProperties === 'object' ? schema.additionalProperties : undefined;
  return Object.entries(value).some(([name, item]) => holdsListForText(schema?.properties?.[name] ?? additional, item));
}

function holdsUntypedNull(schema: StructuralSchema | undefined, value: Json): boolean {
  if (Array.isArray(value)) {
    const isUntyped = schema?.items !== undefined && schema.items.type === undefined && schema.items['x-kubernetes-int-or-string'] !== true;
    return value.some((item: Json) => (item === null && isUntyped) || holdsUntypedNull(schema?.items, item));
  }
  if (!isFields(value)) return false;
  const additional = typeof schema?.additionalProperties === 'object' ? schema.additionalProperties : undefined;
  return Object.entries(value).some(([name, item]) => holdsUntypedNull(schema?.properties?.[name] ?? additional, item));
}

function holdsNearlyWhole(value: Json): boolean {
  if (typeof value === 'number') return !Number.isInteger(value) && Math.abs(value - Math.round(value)) < Math.abs(value) * 1e-8;
  return typeof value === 'object' && value !== null && Object.values(value).some((part) => holdsNearlyWhole(part as Json));
}

/** The simplest first, as many as a person reads. */
export function simplest(found: readonly Disagreement[], most = 5): readonly Disagreement[] {
  const size = (each: Disagreement) => each.text.length + JSON.stringify(each.object ?? '').length;
  const one = new Map(
    [...found]
      .sort((left, right) => size(left) - size(right))
      .reverse()
      .map((each) => [each.text, each]),
  );
  return [...one.values()].reverse().slice(0, most);
}

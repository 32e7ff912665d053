import type { StructuralSchema, ValidationRule } from '@keelson/kubernetes/apimachinery';
import type { SchemaProblem } from '@keelson/kubernetes/structural';

/** The input and the findings of a conversion. One object per definition, so that all its problems are shown at once. */
export interface ConversionContext {
  readonly problems: SchemaProblem[];
  readonly warnings: SchemaProblem[];
  readonly resolveBuiltin: (name: string) => StructuralSchema | undefined;
  /** Names of embedded built-in types by the `properties` of their schemas, which no later step of the conversion copies. */
  readonly builtinTypes: Map<object, string>;
  /** Converts a nested schema. In the context, so that the modules of the converter need not import each other in a circle. */
  convert(schema: unknown, place: Place): Converted;
}

/** Where the converter stands. */
export interface Place {
  readonly path: string;
  readonly depth: number;
  /** Shapes of the enclosing objects: meeting one again is recursion. */
  readonly ancestors: readonly object[];
  /** The reason why a value here cannot be compared with its older self; `undefined` if it can. */
  readonly withoutIdentity?: string | undefined;
}

export function below(place: Place, step: string, change: Partial<Place> = {}): Place {
  return { ...place, path: `${place.path}${step}`, depth: place.depth + 1, ...change };
}

/** A schema under construction. */
export type Draft = { -readonly [key in keyof StructuralSchema]: StructuralSchema[key] };

export interface Converted {
  readonly schema: Draft;
  /** May be absent in a manifest: optional, or with a default. */
  readonly optional: boolean;
  /** Rules that only the enclosing object can hold, given the property's name. */
  readonly immutable: boolean;
}

export function refuse(context: ConversionContext, place: Place, message: string): void {
  context.problems.push({ path: place.path, message });
}

export function warn(context: ConversionContext, place: Place, message: string): void {
  context.warnings.push({ path: place.path, message });
}

export function addRule(draft: Draft, rule: ValidationRule): void {
  draft['x-kubernetes-validations'] = [...(draft['x-kubernetes-validations'] ?? []), rule];
}

const KEY_ORDER: readonly (keyof StructuralSchema)[] = [
  'title',
  'description',
  'externalDocs',
  'type',
  'format',
  'nullable',
  'default',
  'example',
  'enum',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'exclusiveMinimum',
  'maximum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'required',
  'properties',
  'additionalProperties',
  'items',
  'x-kubernetes-int-or-string',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
  'x-kubernetes-validations',
];

/** One order of keys, whatever the order of calls in the author's chain: same definition, same bytes. */
export function inKeyOrder(draft: Draft): StructuralSchema {
  const ordered: Record<string, unknown> = {};
  for (const key of KEY_ORDER) if (draft[key] !== undefined) ordered[key] = draft[key];
  // Keys that the order does not name come last: assigning a key again leaves it where it is.
  for (const [key, value] of Object.entries(draft)) if (value !== undefined) ordered[key] = value;
  return ordered as StructuralSchema;
}

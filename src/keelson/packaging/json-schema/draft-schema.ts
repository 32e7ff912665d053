import type { Json, StructuralSchema } from '@keelson/kubernetes/apimachinery';

/** A JSON Schema of draft 7. */
export interface DraftSchema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, DraftSchema>>;
  readonly additionalProperties?: boolean | DraftSchema;
  readonly items?: DraftSchema;
  readonly required?: readonly string[];
  readonly enum?: readonly Json[];
  readonly [keyword: string]: unknown;
}

/** Keywords that mean the same in both. */
const SAME = [
  'title',
  'description',
  'default',
  'multipleOf',
  'maxLength',
  'minLength',
  'maxItems',
  'minItems',
  'uniqueItems',
  'maxProperties',
  'minProperties',
  'required',
] as const;

/** Formats that a JSON Schema validator judges as the API server does. Others, such as Go's durations, mean something else there. */
const FORMATS: ReadonlySet<string> = new Set(['date', 'date-time', 'email', 'ipv4', 'ipv6', 'uri', 'uuid']);

/**
 * A structural schema as JSON Schema of draft 7, closed where the API server prunes.
 *
 * Source of the differences: apiextensions-apiserver `pkg/apiserver/schema/kubeopenapi.go`, and OpenAPI 3.0, whose `nullable` and exclusive bounds are its own.
 */
export function draftSchema(schema: StructuralSchema): DraftSchema {
  const { properties, items, additionalProperties } = schema;
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
  const fields = isEmbedded ? { ...EMBEDDED, ...properties } : properties;
  return {
    ...valueRules(schema),
    ...typeOf(schema),
    ...(fields === undefined ? {} : { properties: mapped(fields, draftSchema) }),
    ...(items === undefined ? {} : { items: draftSchema(items) }),
    ...(typeof additionalProperties === 'object' ? { additionalProperties: draftSchema(additionalProperties) } : {}),
    ...(isPruned(schema) ? { additionalProperties: false } : {}),
    ...(isEmbedded ? { required: [...new Set(['apiVersion', 'kind', ...(schema.required ?? [])])] } : {}),
  };
}

const EMBEDDED: Readonly<Record<string, StructuralSchema>> = {
  apiVersion: { type: 'string' },
  kind: { type: 'string' },
  metadata: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
};

/** `metadata` of the root is an object without fields of its own, which the caller replaces. */
function isPruned(schema: StructuralSchema): boolean {
  return schema.type === 'object' && schema.additionalProperties === undefined && schema['x-kubernetes-preserve-unknown-fields'] !== true;
}

function typeOf(schema: StructuralSchema): DraftSchema {
  const isNullable = schema.nullable === true;
  const types = schema['x-kubernetes-int-or-string'] === true ? ['integer', 'string'] : schema.type === undefined ? [] : [schema.type];
  const all = isNullable ? [...types, 'null'] : types;
  const values = schema.enum === undefined ? {} : { enum: isNullable ? [...new Set([...schema.enum, null])] : schema.enum };
  if (types.length === 0) return values;
  return { type: all.length === 1 ? (all[0] as string) : all, ...values };
}

/** The part that may also stand within `allOf`, `anyOf`, `oneOf` and `not`: there fields are named to be judged, and others may be beside them. */
function valueRules(schema: StructuralSchema): DraftSchema {
  const { maximum, minimum, exclusiveMaximum, exclusiveMinimum, format, pattern, allOf, anyOf, oneOf, not } = schema;
  return {
    ...Object.fromEntries(SAME.flatMap((key) => (schema[key] === undefined ? [] : [[key, schema[key]] as const]))),
    ...(maximum === undefined ? {} : { [exclusiveMaximum === true ? 'exclusiveMaximum' : 'maximum']: maximum }),
    ...(minimum === undefined ? {} : { [exclusiveMinimum === true ? 'exclusiveMinimum' : 'minimum']: minimum }),
    ...(format !== undefined && FORMATS.has(format) ? { format } : {}),
    ...patternOf(pattern),
    ...(allOf === undefined ? {} : { allOf: allOf.map(judgement) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(judgement) }),
    ...(oneOf === undefined ? {} : { oneOf: oneOf.map(judgement) }),
    ...(not === undefined ? {} : { not: judgement(not) }),
  };
}

function judgement(schema: StructuralSchema): DraftSchema {
  const { properties, items, additionalProperties } = schema;
  return {
    ...valueRules(schema),
    ...typeOf(schema),
    ...(properties === undefined ? {} : { properties: mapped(properties, judgement) }),
    ...(items === undefined ? {} : { items: judgement(items) }),
    ...(typeof additionalProperties === 'object' ? { additionalProperties: judgement(additionalProperties) } : {}),
  };
}

/** Go's regular expressions that editors cannot read are kept for people: a pattern that does not compile would make the schema useless. */
function patternOf(pattern: string | undefined): DraftSchema {
  if (pattern === undefined) return {};
  try {
    new RegExp(pattern, 'u');
    return { pattern };
  } catch {
    // Not a pattern of ECMAScript: the API server judges it.
    return { $comment: `must match the Go pattern ${pattern}` };
  }
}

function mapped<T, U>(fields: Readonly<Record<string, T>>, change: (field: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, change(field)]));
}

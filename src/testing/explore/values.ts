import { isRecord, type Json, type StructuralSchema } from '@keelson/kubernetes/apimachinery';

/** A field of a custom resource, and the value that it has for a while. */
export interface ValueMove {
  readonly kind: string;
  /** `a`, or `team-b/a`. */
  readonly name: string;
  readonly path: readonly (string | number)[];
  /** `undefined`: the field is removed. */
  readonly value: Json | undefined;
}

type Move = Pick<ValueMove, 'path' | 'value'>;

/** Longer texts say no more. */
const MOST_LENGTH = 1_000;

/**
 * The moves of every field that a schema knows: to its bounds, to `null`, away, to each word of an enumeration, and from absent to a value. An API server may
 * refuse some of them for reasons that are not in the schema of one field.
 */
export function* movesOf(value: unknown, schema: StructuralSchema | undefined, path: Move['path']): Generator<Move> {
  if (schema === undefined) return;
  if (isRecord(value)) {
    const required = new Set(schema.required);
    for (const [name, field] of Object.entries(schema.properties ?? {}))
      yield* movesOfField(value[name], { field, isRequired: required.has(name) }, [...path, name]);
  } else if (Array.isArray(value)) {
    if (value.length > 0 && (schema.minItems ?? 0) === 0) yield { path, value: [] };
    for (const [index, item] of value.entries()) yield* movesOf(item, schema.items, [...path, index]);
  } else for (const other of valuesOf(schema)) if (other !== value) yield { path, value: other };
}

function* movesOfField(
  value: unknown,
  { field, isRequired }: { readonly field: StructuralSchema; readonly isRequired: boolean },
  path: Move['path'],
): Generator<Move> {
  if (value === undefined) {
    for (const other of samplesOf(field)) yield { path, value: other };
    return;
  }
  if (!isRequired) yield { path, value: undefined };
  if (field.nullable === true && value !== null) yield { path, value: null };
  yield* movesOf(value, field, path);
}

/** Values of a field that is absent. */
function samplesOf(schema: StructuralSchema): readonly Json[] {
  if (schema.type === 'array') return (schema.minItems ?? 0) === 0 ? [[]] : [];
  if (schema.type === 'object') return (schema.required ?? []).length === 0 ? [{}] : [];
  return valuesOf(schema);
}

/** Bounds and words of a single value. */
function valuesOf(schema: StructuralSchema): readonly Json[] {
  if (schema.enum !== undefined) return schema.enum as readonly Json[];
  switch (schema.type) {
    case 'boolean':
      return [true, false];
    case 'integer':
    case 'number':
      return boundsOf(schema);
    case 'string':
      return textsOf(schema);
    default:
      return [];
  }
}

function boundsOf({ type, minimum, maximum, exclusiveMinimum, exclusiveMaximum }: StructuralSchema): readonly number[] {
  const step = type === 'integer' ? 1 : 0.001;
  const low = minimum === undefined ? undefined : minimum + (exclusiveMinimum === true ? step : 0);
  const high = maximum === undefined ? undefined : maximum - (exclusiveMaximum === true ? step : 0);
  const inside = [0, 1].filter((value) => value >= (low ?? value) && value <= (high ?? value));
  return [...new Set([low, high, ...inside])].filter((value) => value !== undefined);
}

function textsOf({ minLength = 0, maxLength, pattern, format }: StructuralSchema): readonly string[] {
  const isFree = pattern === undefined && format === undefined;
  if (!isFree || minLength > MOST_LENGTH) return [];
  const shortest = 'a'.repeat(minLength);
  return maxLength === undefined || maxLength > MOST_LENGTH ? [shortest] : [shortest, 'a'.repeat(maxLength)];
}

import { isRecord } from '@keelson/kubernetes/apimachinery';
import type { GoField, GoType } from './table.js';

/** The questions of the walk to the table. */
export interface UnstructuredTypes {
  fields(struct: string): readonly GoField[];
  /** The complaint of a type that decodes itself; undefined: nothing. */
  specialProblem(name: string, value: unknown): string | undefined;
}

/**
 * The complaint of Go's converter from maps about a value, in its words: it reads what strategic merge patches make, and knows no places.
 *
 * Source: apimachinery, `pkg/runtime/converter.go`. Maps are looked through in the order of their keys; Go's order is random.
 */
export function unstructuredProblem(value: unknown, type: GoType, types: UnstructuredTypes): string | undefined {
  if (value === null || value === undefined) return undefined;
  switch (type.form) {
    case 'any':
      return undefined;
    case 'pointer':
      return unstructuredProblem(value, type.item, types);
    case 'special':
      return types.specialProblem(type.name, value);
    case 'struct':
      return isRecord(value) ? structProblem(value, type.name, types) : `cannot restore struct from: ${kindOf(value)}`;
    case 'map':
      if (!isRecord(value)) return `cannot restore map from ${kindOf(value)}`;
      return firstOf(Object.keys(value).sort(), (key) => unstructuredProblem(value[key], type.item, types));
    case 'slice':
      if (!Array.isArray(value)) return `cannot restore slice from ${kindOf(value)}`;
      return firstOf(value, (item) => unstructuredProblem(item, type.item, types));
    case 'bytes':
      return bytesProblem(value);
    default:
      return scalarProblem(value, type);
  }
}

function structProblem(value: Readonly<Record<string, unknown>>, struct: string, types: UnstructuredTypes): string | undefined {
  return firstOf(types.fields(struct), ({ jsonName, type, isInlined }) => {
    if (isInlined) return unstructuredProblem(value, type, types);
    return unstructuredProblem(Object.hasOwn(value, jsonName) ? value[jsonName] : undefined, type, types);
  });
}

function firstOf<T>(items: readonly T[], problemOf: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const problem = problemOf(item);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Bytes are a text in JSON. */
function bytesProblem(value: unknown): string | undefined {
  if (typeof value !== 'string') return Array.isArray(value) ? undefined : `cannot restore slice from ${kindOf(value)}`;
  const illegal = value.search(/[^A-Za-z0-9+/=]/);
  const at = illegal >= 0 ? illegal : value.length % 4 === 0 ? -1 : value.length - (value.length % 4);
  return at < 0 ? undefined : `error decoding from json: illegal base64 data at input byte ${at}`;
}

const NUMBERS: ReadonlySet<string> = new Set(['int32', 'int64', 'float64']);

function scalarProblem(value: unknown, { form, goName }: GoType): string | undefined {
  const kind = kindOf(value);
  const isNumber = kind === 'int64' || kind === 'float64';
  if (NUMBERS.has(form) && isNumber) {
    return kind === 'float64' && form !== 'float64' ? `cannot convert float64 to ${goName}` : undefined;
  }
  if (kind === form) return undefined;
  // Go can make a text of a whole number, which the converter then does not want.
  if (kind === 'int64' && form === 'string') return `cannot convert int64 to ${goName}`;
  return `unrecognized type: ${form}`;
}

/** Kind of the Go value. */
function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'slice';
  if (typeof value === 'object') return 'map';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  return typeof value === 'bigint' ? 'int64' : 'string';
}

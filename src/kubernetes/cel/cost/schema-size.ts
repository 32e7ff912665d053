import type { StructuralSchema } from '../../apimachinery/index.js';
import { escapePropertyName, withResourceFields } from '../types/index.js';
import { wrapped } from './range.js';

/** The largest request that the API server reads; what has no bound of its own is bounded by it. As apiserver, `pkg/apis/cel/config.go`. */
const MAX_REQUEST_BYTES = 3 * 1024 * 1024;

/** The keyword that would bound a size. */
export type Bound = 'maxItems' | 'maxProperties' | 'maxLength';

/**
 * How large the values of a schema may be, and how small their JSON.
 *
 * Source: apiserver, `pkg/cel/common/schemas.go` (SchemaDeclType) and `pkg/cel/limits.go`.
 */
export interface SchemaSize {
  /** Runes times four of a text, bytes, elements or entries; 0 for what has no length. */
  readonly max: bigint;
  /** Bytes of the smallest JSON. */
  readonly minBytes: number;
  /** The keyword by which an author bounds it; `undefined` where none does. */
  readonly bound?: Bound;
  /** Whether that keyword is missing, so that only the largest request bounds it. */
  readonly isUnbounded: boolean;
  /** For the keys of a map. */
  readonly key?: SchemaSize;
  element?(): SchemaSize | undefined;
  field?(name: string): SchemaSize | undefined;
}

/** Bytes of `""`, and of the shortest and longest texts of the formats that are values of their own. */
const MIN_STRING = 2;
const MIN_DURATION = 3;
const MIN_DATE_TIME = 21;
const DATE = 12;
const LONGEST_TIME = 32;

const fixed = (max: number, minBytes: number): SchemaSize => ({ max: BigInt(max), minBytes, isUnbounded: false });
const BOOLEAN = fixed(0, 4);
const NUMBER = fixed(0, 1);
/** Keys of maps have no length in the estimate. */
const KEY = fixed(0, MIN_STRING);
const TIMES: Readonly<Record<string, SchemaSize>> = {
  duration: fixed(LONGEST_TIME, MIN_DURATION),
  date: fixed(DATE, DATE),
  'date-time': fixed(LONGEST_TIME, MIN_DATE_TIME),
};

/** @returns `undefined` where expressions see nothing: untyped preserved fields, lists and maps of them */
export function schemaSize(
  schema: StructuralSchema,
  isResourceRoot: boolean = schema['x-kubernetes-embedded-resource'] === true,
): SchemaSize | undefined {
  if (schema['x-kubernetes-int-or-string'] === true) return textSize(schema, { factor: 4n, minBytes: 1, values: [] });
  const type = isResourceRoot ? 'object' : schema.type;
  switch (type) {
    case 'array':
      return listSize(schema);
    case 'object':
      return objectSize(isResourceRoot ? visibleFields(schema) : schema);
    case 'string':
      return stringSize(schema);
    case 'boolean':
      return BOOLEAN;
    case 'number':
    case 'integer':
      return NUMBER;
    default:
      return undefined;
  }
}

/** A schema that describes the names of its metadata keeps its own bounds of them. */
function visibleFields(schema: StructuralSchema): StructuralSchema {
  const { kind, apiVersion, metadata } = schema.properties ?? {};
  const { name, generateName } = metadata?.properties ?? {};
  const texts = [kind, apiVersion, name, generateName];
  return metadata?.type === 'object' && texts.every((text) => text?.type === 'string') ? schema : withResourceFields(schema);
}

function bounded(given: number | undefined, fallback: number, bound: Bound): Pick<SchemaSize, 'max' | 'isUnbounded' | 'bound'> {
  const max = given === undefined ? fallback : Math.max(0, Math.trunc(given));
  return { max: BigInt(max), isUnbounded: given === undefined, bound };
}

function listSize(schema: StructuralSchema): SchemaSize | undefined {
  const item = schema.items === undefined ? undefined : schemaSize(schema.items);
  if (item === undefined) return undefined;
  const most = Math.floor((MAX_REQUEST_BYTES - 2) / (item.minBytes + 1));
  return { ...bounded(schema.maxItems, most, 'maxItems'), minBytes: 2, element: () => item };
}

function objectSize(schema: StructuralSchema): SchemaSize | undefined {
  const { additionalProperties, properties = {} } = schema;
  if (typeof additionalProperties === 'object') {
    const value = schemaSize(additionalProperties);
    if (value === undefined) return undefined;
    // A key of no letters, its quotes, a colon and a comma, as the API server counts them.
    const most = Math.floor((MAX_REQUEST_BYTES - 2) / (value.minBytes + 6));
    return { ...bounded(schema.maxProperties, most, 'maxProperties'), minBytes: 2, key: KEY, element: () => value };
  }
  const sizes = new Map<string, SchemaSize | undefined>();
  const names = new Map(Object.keys(properties).map((name) => [escapePropertyName(name), name]));
  const field = (escaped: string): SchemaSize | undefined => {
    const name = names.get(escaped);
    if (name === undefined) return undefined;
    if (!sizes.has(escaped)) sizes.set(escaped, schemaSize(properties[name] as StructuralSchema));
    return sizes.get(escaped);
  };
  return { max: 0n, isUnbounded: false, minBytes: smallestObject(schema), field };
}

/** `{}` and every field that is required and has no default. */
function smallestObject({ required = [], properties = {} }: StructuralSchema): number {
  let bytes = 2;
  for (const name of new Set(required)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const size = property === undefined ? undefined : schemaSize(property);
    if (size !== undefined && (property?.default ?? null) === null) bytes += utf8Length(name) + size.minBytes + 4;
  }
  return bytes;
}

function stringSize(schema: StructuralSchema): SchemaSize {
  const { format = '' } = schema;
  const time = Object.hasOwn(TIMES, format) ? TIMES[format] : undefined;
  if (time !== undefined) return time;
  const isBytes = format === 'byte';
  return textSize(schema, { factor: isBytes ? 1n : 4n, minBytes: MIN_STRING, values: isBytes ? [] : (schema.enum ?? []) });
}

interface TextOptions {
  /** Bytes that a rune may take. */
  readonly factor: bigint;
  readonly minBytes: number;
  /** An enumeration, as long as its longest text. */
  readonly values: readonly unknown[];
}

function textSize({ maxLength }: StructuralSchema, { factor, minBytes, values }: TextOptions): SchemaSize {
  if (maxLength !== undefined) {
    const { max } = bounded(maxLength, 0, 'maxLength');
    return { max: wrapped(max * factor), minBytes, bound: 'maxLength', isUnbounded: false };
  }
  if (values.length > 0) {
    const longest = Math.max(0, ...values.map((value) => (typeof value === 'string' ? utf8Length(value) : 0)));
    return fixed(longest, minBytes);
  }
  return { max: BigInt(MAX_REQUEST_BYTES - 2), minBytes, bound: 'maxLength', isUnbounded: true };
}

function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** How often a value may stand in one object where a list or map above it has no bound. */
export function mostInOneRequest({ minBytes }: SchemaSize): bigint {
  return BigInt(Math.floor(MAX_REQUEST_BYTES / (minBytes + 1)));
}

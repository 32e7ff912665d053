import { goBase64Problem, isJsonObject, type Json, parseFormattedDuration, type StructuralSchema } from '../../apimachinery/index.js';
import { escapePropertyName, unescapePropertyName, withResourceFields } from '../types/index.js';
import { mergedList } from './operators.js';
import { parseDate, parseTimestamp } from './time-text.js';
import {
  type CelDuration,
  type CelList,
  type CelMap,
  type CelValue,
  celError,
  durationOf,
  keyText,
  kindOf,
  type ListMerge,
  timestampOf,
} from './value.js';

type JsonObject = { readonly [key: string]: Json };

/**
 * A JSON value as expressions see it under a schema: strings of `format: date-time` are timestamps, integers are ints …
 *
 * Nothing is copied: lists and maps are read when an expression looks into them.
 * @see apiserver, `pkg/cel/common/valuesunstructured.go`
 */
export function valueBySchema(value: Json, schema: StructuralSchema, options: { readonly isResourceRoot?: boolean } = {}): CelValue {
  if (value === null) return schema.nullable === true ? null : celError('invalid data, got null for schema with nullable=false');
  if (schema['x-kubernetes-int-or-string'] === true) return intOrString(value);
  switch (schema.type) {
    case 'object': {
      if (!isJsonObject(value)) return celError('invalid data, expected a map for the provided schema with type=object');
      const isRoot = options.isResourceRoot === true || schema['x-kubernetes-embedded-resource'] === true;
      return new ObjectValue(value, isRoot ? withResourceFields(schema) : schema);
    }
    case 'array':
      return Array.isArray(value)
        ? listBySchema(value, schema)
        : celError('invalid data, expected an array for the provided schema with type=array');
    case 'string':
      return typeof value === 'string'
        ? stringByFormat(value, schema.format)
        : celError(`invalid data, expected string, got ${goType(value)}`);
    case 'number':
      return typeof value === 'number' ? value : celError(`invalid data, expected float, got ${goType(value)}`);
    case 'integer':
      return typeof value === 'number' && Number.isInteger(value)
        ? BigInt(value)
        : celError(`invalid data, expected int, got ${goType(value)}`);
    case 'boolean':
      return typeof value === 'boolean' ? value : celError(`invalid data, expected bool, got ${goType(value)}`);
    default:
      return untypedValue(value);
  }
}

function intOrString(value: Json): CelValue {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value);
  return celError('invalid data, expected XIntOrString value to be either a string or integer');
}

function goType(value: Json): string {
  if (Array.isArray(value)) return '[]interface {}';
  switch (typeof value) {
    case 'number':
      return Number.isInteger(value) ? 'int64' : 'float64';
    case 'boolean':
      return 'bool';
    case 'string':
      return 'string';
    default:
      return 'map[string]interface {}';
  }
}

function stringByFormat(text: string, format: string | undefined): CelValue {
  switch (format) {
    case 'duration': {
      const nanoseconds = parseFormattedDuration(text);
      return nanoseconds === undefined
        ? celError(`Invalid duration ${text}: unable to parse ${text} as duration`)
        : durationOf(nanoseconds);
    }
    case 'date': {
      const nanoseconds = parseDate(text);
      return nanoseconds === undefined ? celError(`Invalid date formatted string ${text}`) : timestampOf(nanoseconds);
    }
    case 'date-time': {
      // Go's parser takes an empty text for the epoch. It knows no small t and z, which the format allows.
      const nanoseconds = text === '' ? 0n : parseTimestamp(text);
      return nanoseconds === undefined ? celError(`Invalid date-time formatted string ${text}`) : timestampOf(nanoseconds);
    }
    case 'byte':
      return decodeBase64(text);
    default:
      return text;
  }
}

/**
 * By the URL-safe alphabet. The format itself has the standard one: a value with `+` or `/` can be stored, and each rule that reads it fails.
 * Source: `Base64.UnmarshalText` of kube-openapi's `strfmt`.
 */
function decodeBase64(text: string): CelValue {
  const problem = goBase64Problem(text, 'url');
  if (problem !== undefined) return celError(`Invalid byte formatted string ${text}: illegal base64 data at input byte ${problem}`);
  const standard = text
    .replaceAll(/[\r\n]/g, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/');
  return Uint8Array.from(atob(standard), (character) => character.charCodeAt(0));
}

function listBySchema(elements: readonly Json[], schema: StructuralSchema): CelList {
  const items = schema.items ?? {};
  const list = new LazyList(elements, (element) => valueBySchema(element, items));
  const merge = mergeOf(schema);
  return merge === undefined
    ? list
    : mergedList(
        Array.from(elements, (_, index) => list.at(index)),
        merge,
      );
}

/** Identity of the elements of a set or a list-map; plain lists have none. */
function mergeOf(schema: StructuralSchema): ListMerge | undefined {
  switch (schema['x-kubernetes-list-type']) {
    case 'set':
      return { type: 'set', keyOf: identity };
    case 'map': {
      // The API server looks for a field with the escaped name: of such a key it sees nothing.
      const keys = (schema['x-kubernetes-list-map-keys'] ?? []).filter((key) => (escapePropertyName(key) ?? key) === key);
      const keyOf = (element: CelValue) => keys.map((key) => (isMap(element) ? identity(element.get(key) ?? null) : '')).join('\0');
      return { type: 'map', keyOf };
    }
    default:
      return undefined;
  }
}

const isMap = (value: CelValue): value is CelMap => typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'map';

function identity(value: CelValue): string {
  const key = keyText(value);
  if (key !== undefined) return key;
  const kind = kindOf(value);
  if (kind === 'duration' || kind === 'timestamp') return `${kind} ${(value as CelDuration).nanoseconds}`;
  return `${kind} ${String(value)}`;
}

class LazyList implements CelList {
  readonly kind = 'list';
  readonly #elements: readonly Json[];
  readonly #convert: (element: Json) => CelValue;
  constructor(elements: readonly Json[], convert: (element: Json) => CelValue) {
    this.#elements = elements;
    this.#convert = convert;
  }
  get size(): number {
    return this.#elements.length;
  }
  at(index: number): CelValue {
    return this.#convert(this.#elements[index] as Json);
  }
}

/** An object under a schema: fields by their escaped names; what the schema does not name is not there. */
class ObjectValue implements CelMap {
  readonly kind = 'map';
  readonly #value: JsonObject;
  readonly #schema: StructuralSchema;

  constructor(value: JsonObject, schema: StructuralSchema) {
    this.#value = value;
    this.#schema = schema;
  }

  get size(): number {
    return Object.keys(this.#value).length;
  }

  get(key: CelValue): CelValue | undefined {
    if (typeof key !== 'string') return celError('no such overload');
    const name = this.#schema.properties === undefined ? key : unescapePropertyName(key);
    if (name === undefined || !Object.hasOwn(this.#value, name)) return undefined;
    const value = this.#value[name] as Json;
    // A null field of an object counts as absent, whatever `nullable` says: `has()` is false.
    if (this.#schema.properties !== undefined && value === null) return undefined;
    const schema = this.#schemaOf(name);
    return schema === undefined ? undefined : valueBySchema(value, schema);
  }

  *keys(): Iterable<CelValue> {
    for (const name of Object.keys(this.#value)) {
      if (this.#schemaOf(name) === undefined) continue;
      yield this.#schema.properties === undefined ? name : (escapePropertyName(name) ?? name);
    }
  }

  /** The API server takes the plain names of fields for escaped ones here. */
  *comparedKeys(): Iterable<string> {
    for (const name of Object.keys(this.#value)) if (this.#schemaOf(name) !== undefined) yield name;
  }

  get undescribed(): Readonly<Record<string, Json>> | undefined {
    const entries = Object.entries(this.#value).filter(([name]) => this.#schemaOf(name) === undefined);
    return entries.length === 0 ? undefined : Object.fromEntries(entries);
  }

  #schemaOf(name: string): StructuralSchema | undefined {
    const { properties, additionalProperties } = this.#schema;
    if (properties !== undefined) return Object.hasOwn(properties, name) ? properties[name] : undefined;
    return typeof additionalProperties === 'object' ? additionalProperties : undefined;
  }
}

class UntypedMap implements CelMap {
  readonly kind = 'map';
  readonly #value: JsonObject;
  constructor(value: JsonObject) {
    this.#value = value;
  }
  get size(): number {
    return Object.keys(this.#value).length;
  }
  get(key: CelValue): CelValue | undefined {
    return typeof key === 'string' && Object.hasOwn(this.#value, key) ? untypedValue(this.#value[key] as Json) : undefined;
  }
  keys(): Iterable<CelValue> {
    return Object.keys(this.#value);
  }
}

/** A JSON value without a schema: whole numbers are ints, as the API server decodes them. */
export function untypedValue(value: Json): CelValue {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return new LazyList(value, untypedValue);
  return isJsonObject(value) ? new UntypedMap(value) : (value as string | boolean | null);
}

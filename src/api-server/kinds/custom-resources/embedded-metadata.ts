import { type FieldError, fieldErrorText, invalid, type Json, type StructuralSchema } from '@keelson/kubernetes/apimachinery';
import { GoDecodeError, type GoTypes } from '../../values/index.js';
import { sorted } from './sorted.js';

/** The struct behind every object's metadata. */
const OBJECT_META = { name: 'meta/v1.ObjectMeta' };
const UNKNOWN = 'unknown field "';

export interface CoercedMetadata {
  readonly metadata: Json;
  /** `unknown field "metadata.foo"` */
  readonly unknown: readonly string[];
}

/**
 * Metadata as Go's ObjectMeta reads and writes it, out of a map: unknown fields are reported in the order of keys.
 *
 * @param path of the metadata
 * @throws GoDecodeError for a wrong type
 */
export function coerceMetadata(types: GoTypes, metadata: Json, path: string): CoercedMetadata {
  const { value, unknown } = types.decodeJson(OBJECT_META, sorted(metadata));
  return {
    metadata: value as Json,
    unknown: unknown.map((text) => (text.startsWith(UNKNOWN) ? `${UNKNOWN}${path}.${text.slice(UNKNOWN.length)}` : text)),
  };
}

type Fields = { readonly [key: string]: Json };

interface Walk {
  readonly types: GoTypes;
  readonly unknown: string[];
}

/**
 * Coerces the metadata of embedded objects; parts that stay as they are, are shared.
 *
 * Source: apiextensions-apiserver, `pkg/apiserver/schema/objectmeta/algorithm.go`.
 * @throws GoDecodeError with the server's text for the first field that has a wrong type
 */
export function coerceEmbedded(schema: StructuralSchema, value: Json, walk: Walk): Json {
  return coerced(schema, value, { ...walk, path: '' });
}

interface At extends Walk {
  readonly path: string;
}

function coerced(schema: StructuralSchema | undefined, value: Json, at: At): Json {
  if (schema === undefined || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value as readonly Json[];
    const copies = items.map((item, index) => coerced(schema.items, item, { ...at, path: `${at.path}[${index}]` }));
    return copies.every((item, index) => item === items[index]) ? items : copies;
  }
  const own = schema['x-kubernetes-embedded-resource'] === true ? coerceObject(value as Fields, at) : (value as Fields);
  let isSame = true;
  const entries = Object.entries(own).map(([key, item]): [string, Json] => {
    const copy = coerceField(schema, { key, item }, at);
    if (copy !== item) isSame = false;
    return [key, copy];
  });
  return isSame ? own : Object.fromEntries(entries);
}

function coerceField(schema: StructuralSchema, { key, item }: { readonly key: string; readonly item: Json }, at: At): Json {
  const { properties, additionalProperties } = schema;
  if (properties !== undefined && Object.hasOwn(properties, key)) {
    return coerced(properties[key], item, { ...at, path: at.path === '' ? key : `${at.path}.${key}` });
  }
  return typeof additionalProperties === 'object' ? coerced(additionalProperties, item, { ...at, path: `${at.path}[${key}]` }) : item;
}

function coerceObject(fields: Fields, { types, path, unknown }: At): Fields {
  const below = (key: string): string => (path === '' ? key : `${path}.${key}`);
  for (const key of ['apiVersion', 'kind']) {
    const value = fields[key];
    if (value !== undefined && typeof value !== 'string') throw refusal(invalid(below(key), value, 'must be a string'));
  }
  const { metadata } = fields;
  if (metadata === undefined) return fields;
  try {
    const coercedMetadata = coerceMetadata(types, metadata, below('metadata'));
    unknown.push(...coercedMetadata.unknown);
    return { ...fields, metadata: coercedMetadata.metadata };
  } catch (error) {
    if (GoDecodeError.isGoDecodeError(error)) throw refusal(invalid(below('metadata'), metadata, (error as Error).message));
    throw error;
  }
}

/** The decoder reports it as any other fault of the body. */
function refusal(error: FieldError): GoDecodeError {
  return new GoDecodeError(fieldErrorText(error));
}

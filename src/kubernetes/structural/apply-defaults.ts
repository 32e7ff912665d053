import { isJsonObject, type Json, mapFields, type StructuralSchema } from '../apimachinery/index.js';

function additionalOf({ additionalProperties }: StructuralSchema): StructuralSchema | undefined {
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

/**
 * Prepares a value for validation as the API server does: drops nulls that are neither allowed nor defaulted, and fills in defaults of absent fields and forbidden nulls.
 *
 * Pure: unchanged parts are the same objects as before. A default is applied only where the object around it exists.
 * Source: apiextensions-apiserver, `pkg/apiserver/schema/defaulting/{prunenulls,algorithm}.go`.
 */
export function applyDefaults(schema: StructuralSchema, value: Json): Json {
  return fillDefaults(schema, dropForbiddenNulls(schema, value));
}

function isDroppedNull(value: Json, schema: StructuralSchema | undefined): boolean {
  return value === null && schema !== undefined && schema.nullable !== true && (schema.default ?? null) === null;
}

/** Drops nulls that are neither allowed nor replaced by a default: on every read and write, before defaults. */
export function dropForbiddenNulls(schema: StructuralSchema | undefined, value: Json): Json {
  // Without a schema there is nothing below that could forbid a null.
  if (schema === undefined) return value;
  if (Array.isArray(value)) return mapItems(value, (item) => dropForbiddenNulls(schema.items, item));
  if (!isJsonObject(value)) return value;
  const schemaOf = (key: string) => ownProperty(schema, key) ?? additionalOf(schema);
  return mapFields(value, (key, item) => (isDroppedNull(item, schemaOf(key)) ? undefined : dropForbiddenNulls(schemaOf(key), item)));
}

function ownProperty({ properties }: StructuralSchema, key: string): StructuralSchema | undefined {
  return properties !== undefined && Object.hasOwn(properties, key) ? properties[key] : undefined;
}

/** The default for `value`, when it is missing or a forbidden null. */
function replaced(schema: StructuralSchema | undefined, value: Json | undefined): Json | undefined {
  const missing = value === undefined || (value === null && schema !== undefined && schema.nullable !== true);
  if (!missing || schema?.default === undefined || schema.default === null) return value;
  return typeof schema.default === 'object' ? structuredClone(schema.default) : schema.default;
}

/** The defaults alone: a forbidden null without a default stays. */
export function fillDefaults(schema: StructuralSchema | undefined, value: Json): Json {
  if (schema === undefined) return value;
  if (Array.isArray(value)) return mapItems(value, (item) => fillDefaults(schema.items, replaced(schema.items, item) ?? null));
  if (!isJsonObject(value)) return value;
  const additional = additionalOf(schema);
  const own = mapFields(value, (key, item) => {
    const property = ownProperty(schema, key);
    const present = property === undefined ? replaced(additional, item) : replaced(property, item);
    return fillDefaults(property ?? additional, present ?? null);
  });
  let whole: Record<string, Json> | undefined;
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    if (property.default === undefined || Object.hasOwn(value, key)) continue;
    const added = replaced(property, undefined);
    if (added === undefined) continue;
    whole ??= { ...own };
    Object.defineProperty(whole, key, { value: fillDefaults(property, added), enumerable: true, configurable: true, writable: true });
  }
  return whole ?? own;
}

/** The same list when nothing changed. */
function mapItems(items: readonly Json[], change: (item: Json) => Json): readonly Json[] {
  let copy: Json[] | undefined;
  for (const [index, item] of items.entries()) {
    const after = change(item);
    if (after === item) continue;
    copy ??= [...items];
    copy[index] = after;
  }
  return copy ?? items;
}

import { canonicalJson, type Json, type StructuralSchema } from '../../apimachinery/index.js';

/**
 * A value beside its older self: what an update leaves unchanged is not held against newer rules (ratcheting).
 *
 * Fields are found by name, items of a list-map by their keys; items of other lists have no older self.
 * Source: apiserver, `pkg/cel/common/{equality,maplist}.go`.
 */
export interface Correlation {
  readonly schema: StructuralSchema;
  readonly value: Json;
  readonly old: Json;
}

type Fields = { readonly [key: string]: Json };

function fieldsOf(value: Json | undefined): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

/** The schema of a field: a property, or what `additionalProperties` says. */
export function fieldSchemaOf({ properties, additionalProperties }: StructuralSchema, key: string): StructuralSchema | undefined {
  if (properties !== undefined && Object.hasOwn(properties, key)) return properties[key];
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

export function correlatedField(correlation: Correlation | undefined, key: string): Correlation | undefined {
  if (correlation === undefined) return undefined;
  const [fields, olds] = [fieldsOf(correlation.value), fieldsOf(correlation.old)];
  const schema = fieldSchemaOf(correlation.schema, key);
  if (fields === undefined || olds === undefined || schema === undefined) return undefined;
  if (!Object.hasOwn(fields, key) || !Object.hasOwn(olds, key)) return undefined;
  return { schema, value: fields[key] ?? null, old: olds[key] ?? null };
}

export function correlatedItem(correlation: Correlation | undefined, index: number): Correlation | undefined {
  if (correlation === undefined || !Array.isArray(correlation.value) || !Array.isArray(correlation.old)) return undefined;
  const { items } = correlation.schema;
  const value = (correlation.value as readonly Json[])[index];
  const old = olderItem(correlation.schema, correlation.old as readonly Json[], value);
  return items === undefined || value === undefined || old === undefined ? undefined : { schema: items, value, old };
}

/** The item of a list-map with the same keys in the old list; `undefined` for every other list. */
export function olderItem(schema: StructuralSchema, olds: readonly Json[] | undefined, item: Json | undefined): Json | undefined {
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  if (schema.type !== 'array' || schema['x-kubernetes-list-type'] !== 'map' || keys.length === 0) return undefined;
  const wanted = keyOf(item, keys);
  return wanted === undefined ? undefined : olds?.find((old) => keyOf(old, keys) === wanted);
}

function keyOf(item: Json | undefined, keys: readonly string[]): string | undefined {
  const fields = fieldsOf(item);
  if (fields === undefined) return undefined;
  const values = keys.map((key) => (Object.hasOwn(fields, key) ? fields[key] : undefined));
  return values.every((value) => ['string', 'number', 'boolean'].includes(typeof value)) ? JSON.stringify(values) : undefined;
}

export function isUnchanged(correlation: Correlation | undefined): boolean {
  if (correlation === undefined) return false;
  const { schema, value, old } = correlation;
  if (value === null || old === null) return value === old;
  if (Array.isArray(value) && Array.isArray(old)) return isUnchangedList(correlation);
  const [fields, olds] = [fieldsOf(value), fieldsOf(old)];
  if (fields === undefined || olds === undefined) return value === old;
  const keys = Object.keys(fields);
  // A field that the schema does not describe has no older self: the object counts as changed.
  return keys.length === Object.keys(olds).length && keys.every((key) => isUnchanged(correlatedField({ schema, value, old }, key)));
}

/** A list-map compares item by item whatever their order; every other list as a whole. */
function isUnchangedList(correlation: Correlation): boolean {
  const [value, old] = [correlation.value as readonly Json[], correlation.old as readonly Json[]];
  if (value.length !== old.length) return false;
  if (correlation.schema['x-kubernetes-list-type'] !== 'map') return canonicalJson(value) === canonicalJson(old);
  return value.every((_item, index) => isUnchanged(correlatedItem(correlation, index)));
}

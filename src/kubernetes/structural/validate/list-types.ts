import { duplicate, type FieldError, goJson, invalid, type Json, type StructuralSchema } from '../../apimachinery/index.js';

/**
 * Uniqueness in sets and list-maps: each value that repeats is reported once, at its second appearance.
 *
 * Source: apiextensions-apiserver, `pkg/apiserver/schema/listtype/validation.go`.
 */
export function validateListTypes(schema: StructuralSchema | undefined, value: Json, path = ''): FieldError[] {
  if (schema === undefined) return [];
  if (Array.isArray(value)) return validateList(schema, value, path);
  if (typeof value !== 'object' || value === null) return [];
  const { properties, additionalProperties } = schema;
  const fields = Object.entries(value as { readonly [key: string]: Json });
  const additional =
    typeof additionalProperties !== 'object'
      ? []
      : fields.flatMap(([key, item]) => validateListTypes(additionalProperties, item, `${path}[${key}]`));
  const own = fields.flatMap(([key, item]) => {
    const property = properties !== undefined && Object.hasOwn(properties, key) ? properties[key] : undefined;
    return validateListTypes(property, item, path === '' ? key : `${path}.${key}`);
  });
  return [...additional, ...own];
}

function validateList(schema: StructuralSchema, items: readonly Json[], path: string): FieldError[] {
  const below = items.flatMap((item, index) => validateListTypes(schema.items, item, `${path}[${index}]`));
  const type = schema['x-kubernetes-list-type'];
  if (type === 'set') return [...repeated(items).map((index) => duplicate(`${path}[${index}]`, items[index])), ...below];
  return type === 'map' ? [...validateListMap(schema, items, path), ...below] : below;
}

function validateListMap(schema: StructuralSchema, items: readonly Json[], path: string): FieldError[] {
  const wrong = items.findIndex((item) => item !== null && (typeof item !== 'object' || Array.isArray(item)));
  if (wrong >= 0) return [invalid(`${path}[${wrong}]`, items[wrong], 'must be an object for an array of list-type map')];
  const keys = items.map((item) => keysOf(item as { readonly [key: string]: Json } | null, schema['x-kubernetes-list-map-keys'] ?? []));
  return repeated(keys).map((index) => duplicate(`${path}[${index}]`, keys[index]));
}

function keysOf(item: { readonly [key: string]: Json } | null, names: readonly string[]): { readonly [key: string]: Json } {
  return Object.fromEntries(names.flatMap((name) => (item !== null && Object.hasOwn(item, name) ? [[name, item[name] ?? null]] : [])));
}

/** Indexes of the second appearance of each repeated value. */
function repeated(items: readonly unknown[]): readonly number[] {
  const seen = new Map<string, number>();
  return items.flatMap((item, index) => {
    const key = goJson(item);
    const times = (seen.get(key) ?? 0) + 1;
    seen.set(key, times);
    return times === 2 ? [index] : [];
  });
}

import {
  dns1035LabelProblems,
  type FieldError,
  groupVersionProblem,
  invalid,
  type Json,
  type ObjectMeta,
  required,
  type StructuralSchema,
  validateObjectMeta,
} from '../../apimachinery/index.js';

/** Whether any value of the schema is a whole object with metadata. */
export function hasEmbeddedObjects(schema: StructuralSchema | undefined): boolean {
  if (schema === undefined) return false;
  const { items, additionalProperties, properties = {} } = schema;
  return (
    schema['x-kubernetes-embedded-resource'] === true ||
    hasEmbeddedObjects(items) ||
    (typeof additionalProperties === 'object' && hasEmbeddedObjects(additionalProperties)) ||
    Object.values(properties).some(hasEmbeddedObjects)
  );
}

type Fields = { readonly [key: string]: Json };

/**
 * apiVersion, kind and metadata of embedded objects.
 *
 * Source: apiextensions-apiserver, `pkg/apiserver/schema/objectmeta/validation.go`.
 */
export function validateEmbeddedObjects(schema: StructuralSchema | undefined, value: Json, path = ''): FieldError[] {
  if (schema === undefined) return [];
  if (Array.isArray(value))
    return (value as readonly Json[]).flatMap((item, index) => validateEmbeddedObjects(schema.items, item, `${path}[${index}]`));
  if (typeof value !== 'object' || value === null) return [];
  const fields = value as Fields;
  const own = schema['x-kubernetes-embedded-resource'] === true ? validateEmbedded(fields, path) : [];
  return [...own, ...Object.entries(fields).flatMap(([key, item]) => validateBelow(schema, { key, item }, path))];
}

function validateBelow(
  { properties, additionalProperties }: StructuralSchema,
  { key, item }: { key: string; item: Json },
  path: string,
): FieldError[] {
  if (properties !== undefined && Object.hasOwn(properties, key)) return validateEmbeddedObjects(properties[key], item, child(path, key));
  return typeof additionalProperties === 'object' ? validateEmbeddedObjects(additionalProperties, item, `${path}[${key}]`) : [];
}

function child(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

function validateEmbedded(fields: Fields, path: string): FieldError[] {
  const missing = ['apiVersion', 'kind'].filter((key) => !Object.hasOwn(fields, key)).map((key) => required(child(path, key)));
  const present = Object.entries(fields).flatMap(([key, value]) => {
    if (key === 'apiVersion') return validateApiVersion(value, child(path, key));
    if (key === 'kind') return validateKind(value, child(path, key));
    return key === 'metadata' ? validateMetadata(value, child(path, key)) : [];
  });
  return [...missing, ...present];
}

function validateApiVersion(value: Json, path: string): FieldError[] {
  if (typeof value !== 'string') return [invalid(path, value, 'must be a string')];
  if (value === '') return [invalid(path, value, 'must not be empty')];
  const problem = groupVersionProblem(value);
  return problem === undefined ? [] : [invalid(path, value, problem)];
}

function validateKind(value: Json, path: string): FieldError[] {
  if (typeof value !== 'string') return [invalid(path, value, 'must be a string')];
  if (value === '') return [invalid(path, value, 'must not be empty')];
  const problems = dns1035LabelProblems(value.toLowerCase());
  return problems.length === 0 ? [] : [invalid(path, value, `may have mixed case, but should otherwise match: ${problems.join(',')}`)];
}

/** A name is not required here. Metadata of the wrong type has been refused or dropped when the object was decoded. */
function validateMetadata(value: Json, path: string): FieldError[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  const meta = value as ObjectMeta;
  const named = meta.name === undefined || meta.name === '' ? { ...meta, name: 'fakename' } : meta;
  return validateObjectMeta(named, { field: path, namespaced: (meta.namespace ?? '') !== '', name: 'pathSegment' });
}

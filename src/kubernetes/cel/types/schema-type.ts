import type { StructuralSchema } from '../../apimachinery/index.js';
import { escapePropertyName } from './property-name.js';
import { BOOL, BYTES, type CelType, DOUBLE, DURATION, DYN, INT, listOf, mapOf, STRING, TIMESTAMP } from './type.js';

export interface SchemaTypeOptions {
  /**
   * Whether the schema is the root of a custom resource or an embedded resource: `apiVersion`, `kind`, `metadata.name` and
   * `metadata.generateName` are then visible even if the schema does not name them. Default: `x-kubernetes-embedded-resource` of the schema.
   */
  readonly isResourceRoot?: boolean;
  /** Name of the object type in messages; fields append theirs. Default `self`. */
  readonly typeName?: string;
}

const STRING_SCHEMA: StructuralSchema = { type: 'string' };
const ROOT_PROPERTIES: { readonly [name: string]: StructuralSchema } = {
  apiVersion: STRING_SCHEMA,
  kind: STRING_SCHEMA,
  metadata: { type: 'object', properties: { name: STRING_SCHEMA, generateName: STRING_SCHEMA } },
};

/** The schema with what every resource root shows to expressions. */
export function withResourceFields(schema: StructuralSchema): StructuralSchema {
  return { ...schema, type: 'object', properties: { ...schema.properties, ...ROOT_PROPERTIES } };
}

/**
 * The type under which expressions see values of a schema.
 *
 * @returns `undefined` where expressions see nothing: untyped preserved fields, lists and maps of them
 * @see apiserver, `pkg/cel/common/schemas.go` (SchemaDeclType)
 */
export function celTypeOf(schema: StructuralSchema, options: SchemaTypeOptions = {}): CelType | undefined {
  const { isResourceRoot = schema['x-kubernetes-embedded-resource'] === true, typeName = 'self' } = options;
  if (schema['x-kubernetes-int-or-string'] === true) return DYN;
  const visible = isResourceRoot ? withResourceFields(schema) : schema;
  switch (visible.type) {
    case 'array': {
      const item = visible.items === undefined ? undefined : celTypeOf(visible.items, { typeName: `${typeName}.@idx` });
      return item === undefined ? undefined : listOf(item);
    }
    case 'object':
      return objectType(visible, typeName);
    case 'string':
      return stringType(visible.format);
    case 'boolean':
      return BOOL;
    case 'number':
      return DOUBLE;
    case 'integer':
      return INT;
    default:
      return undefined;
  }
}

function objectType(schema: StructuralSchema, name: string): CelType | undefined {
  const additional = schema.additionalProperties;
  if (typeof additional === 'object') {
    const value = celTypeOf(additional, { typeName: `${name}.@elem` });
    return value === undefined ? undefined : mapOf(STRING, value);
  }
  const fields = new Map<string, CelType>();
  for (const [property, propertySchema] of Object.entries(schema.properties ?? {})) {
    const field = escapePropertyName(property);
    if (field === undefined) continue;
    const type = celTypeOf(propertySchema, { typeName: `${name}.${field}` });
    if (type !== undefined) fields.set(field, type);
  }
  return { kind: 'object', name, fields };
}

function stringType(format: string | undefined): CelType {
  switch (format) {
    case 'byte':
      return BYTES;
    case 'duration':
      return DURATION;
    case 'date':
    case 'date-time':
      return TIMESTAMP;
    default:
      return STRING;
  }
}

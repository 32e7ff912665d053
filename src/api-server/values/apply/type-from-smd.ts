import { fieldOf, isJsonObject, type Json, type JsonObject } from '@keelson/kubernetes/apimachinery';
import { ApplySchemaError } from './errors.js';
import { isList } from './json-value.js';
import {
  type Atom,
  type FieldType,
  type ListType,
  lazyType,
  type MapType,
  type ScalarType,
  type TypeRef,
  UNTYPED_DEDUCED,
} from './type-ref.js';

/**
 * Types from a schema of structured-merge-diff, as its YAML says it (`types: [{ name, map | list | scalar }]`).
 *
 * @returns the type of a name.
 * @throws ApplySchemaError for a name or an atom that the schema has not; inside a type when it is first used.
 */
export function typesFromSmd(schema: Json): (name: string) => TypeRef {
  const definitions = new Map<string, JsonObject>();
  for (const definition of listOf(schema, 'types'))
    if (isJsonObject(definition)) definitions.set(stringOf(definition, 'name') ?? '', definition);
  const known = new Map<string, TypeRef>();
  const named = (name: string): TypeRef => {
    const type = known.get(name) ?? lazyType(() => atomOf(definitionOf(definitions, name), reference), name);
    known.set(name, type);
    return type;
  };
  const reference = (node: Json): TypeRef => {
    const name = stringOf(node, 'namedType');
    const type = name === undefined ? lazyType(() => atomOf(node, reference)) : named(name);
    const relationship = stringOf(node, 'elementRelationship');
    return relationship === undefined ? type : lazyType(() => withRelationship(type.atom, relationship), name);
  };
  return named;
}

function definitionOf(definitions: ReadonlyMap<string, JsonObject>, name: string): JsonObject {
  const definition = definitions.get(name);
  if (definition === undefined) throw new ApplySchemaError(`schema error: no type found matching: ${name}`);
  return definition;
}

/** A field may say of a type it refers to that it is atomic here, or granular. */
function withRelationship({ map, list, ...rest }: Atom, relationship: string): Atom {
  const isAtomic = relationship === 'atomic';
  if (map !== undefined) return { ...rest, ...(list === undefined ? {} : { list }), map: { ...map, isAtomic } };
  if (list !== undefined) return { ...rest, list: { ...list, isAtomic } };
  throw new ApplySchemaError(`schema error: elementRelationship ${relationship} on what is neither a map nor a list`);
}

type Reference = (node: Json) => TypeRef;

function atomOf(node: Json, reference: Reference): Atom {
  const scalar = stringOf(node, 'scalar');
  const list = isJsonObject(node) ? fieldOf(node, 'list') : undefined;
  const map = isJsonObject(node) ? fieldOf(node, 'map') : undefined;
  return {
    ...(scalar === undefined ? {} : { scalar: scalarOf(scalar) }),
    ...(isJsonObject(list) ? { list: listTypeOf(list, reference) } : {}),
    ...(isJsonObject(map) ? { map: mapTypeOf(map, reference) } : {}),
  };
}

function scalarOf(name: string): ScalarType {
  if (name === 'numeric' || name === 'string' || name === 'boolean' || name === 'untyped') return name;
  throw new ApplySchemaError(`unexpected scalar type in schema: ${name}`);
}

function listTypeOf(node: JsonObject, reference: Reference): ListType {
  const elementType = fieldOf(node, 'elementType');
  return {
    elementType: elementType === undefined ? undefined : reference(elementType),
    isAtomic: stringOf(node, 'elementRelationship') === 'atomic',
    keys: listOf(node, 'keys').map(String),
  };
}

function mapTypeOf(node: JsonObject, reference: Reference): MapType {
  const elementType = fieldOf(node, 'elementType');
  const fields = listOf(node, 'fields').map((field): [string, FieldType] => {
    const byDefault = isJsonObject(field) ? fieldOf(field, 'default') : undefined;
    const type = isJsonObject(field) ? fieldOf(field, 'type') : undefined;
    return [
      stringOf(field, 'name') ?? '',
      { type: type === undefined ? UNTYPED_DEDUCED : reference(type), ...(byDefault === undefined ? {} : { default: byDefault }) },
    ];
  });
  return {
    fields: new Map(fields),
    elementType: elementType === undefined ? undefined : reference(elementType),
    isAtomic: stringOf(node, 'elementRelationship') === 'atomic',
  };
}

function stringOf(node: Json, name: string): string | undefined {
  const value = isJsonObject(node) ? fieldOf(node, name) : undefined;
  return typeof value === 'string' ? value : undefined;
}

function listOf(node: Json, name: string): readonly Json[] {
  const value = isJsonObject(node) ? fieldOf(node, name) : undefined;
  return isList(value) ? value : [];
}

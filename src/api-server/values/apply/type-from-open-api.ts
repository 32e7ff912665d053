import type { Json } from '@keelson/kubernetes/apimachinery';
import { ApplySchemaError } from './errors.js';
import { OBJECT_META, TYPE_AND_META } from './object-meta.js';
import { type Definitions, type OpenApiSchema, referenceOf } from './open-api-schema.js';
import {
  type Atom,
  type FieldType,
  type ListType,
  lazyType,
  type MapType,
  type ScalarType,
  type TypeRef,
  UNTYPED_ATOMIC,
  UNTYPED_DEDUCED,
} from './type-ref.js';

/**
 * The type of a custom resource, from the schema of one of its versions.
 *
 * @param schema undefined: the version has none, all is deduced from the values.
 */
export function customResourceType(schema: OpenApiSchema | undefined): TypeRef {
  if (schema === undefined) return UNTYPED_DEDUCED;
  const root: OpenApiSchema = { ...schema, properties: { ...schema.properties, ...TYPE_AND_META } };
  return typeOf(root, { definitions: () => undefined, named: new Map(), isGoType: false, preserveUnknown: false });
}

/**
 * The types of built-in kinds, from the definitions of an OpenAPI v3 document.
 *
 * A definition of `metadata` may be a shortened one (as types have it that a CRD embeds): the whole of it is put in its place.
 *
 * @returns the type of a definition.
 * @throws ApplySchemaError for a definition that is missing; inside a type when it is first used.
 */
export function builtinTypes(definitions: Definitions): (name: string) => TypeRef {
  const context: Context = { definitions, named: new Map(), isGoType: true, preserveUnknown: false };
  return (name) => namedType(name, context);
}

interface Context {
  readonly definitions: Definitions;
  readonly named: Map<string, TypeRef>;
  /** A key that a Go type always writes has Go's zero value where it is missing. */
  readonly isGoType: boolean;
  /** Said by a schema above: it holds for all that lies below. */
  readonly preserveUnknown: boolean;
}

function namedType(name: string, context: Context): TypeRef {
  const type = context.named.get(name) ?? lazyType(() => namedAtom(name, context), name);
  context.named.set(name, type);
  return type;
}

/** Two types are not what their schemas say, and `metadata` is always the whole. */
function namedAtom(name: string, context: Context): Atom {
  const local = name.slice(name.lastIndexOf('.') + 1);
  if (local === 'Quantity') return { scalar: 'untyped' };
  if (local === 'RawExtension') return UNTYPED_ATOMIC.atom;
  const schema = local === 'ObjectMeta' ? OBJECT_META : context.definitions(name);
  if (schema === undefined) throw new ApplySchemaError(`no definition of ${name} in the OpenAPI document`);
  return atomOf(schema, context);
}

function typeOf(schema: OpenApiSchema, context: Context): TypeRef {
  const reference = referenceOf(schema);
  if (reference === undefined) return lazyType(() => atomOf(schema, context));
  const type = namedType(reference, context);
  const mapType = schema['x-kubernetes-map-type'];
  if (mapType === undefined) return type;
  return lazyType(
    () => (type.atom.map === undefined ? type.atom : { map: { ...type.atom.map, isAtomic: mapType === 'atomic' } }),
    reference,
  );
}

function atomOf(schema: OpenApiSchema, context: Context): Atom {
  const preserveUnknown = context.preserveUnknown || schema['x-kubernetes-preserve-unknown-fields'] === true;
  const below = preserveUnknown === context.preserveUnknown ? context : { ...context, preserveUnknown };
  switch (schema.type) {
    case undefined:
      return { scalar: 'untyped', list: listOf(schema, below), map: mapOf(schema, below) };
    case 'object':
      return { map: mapOf(schema, below) };
    case 'array':
      return { list: listOf(schema, below) };
    default:
      return { scalar: scalarOf(schema) };
  }
}

function scalarOf({ type = '', format = '' }: OpenApiSchema): ScalarType {
  if (type === 'integer' || type === 'number') return 'numeric';
  if (type === 'boolean') return 'boolean';
  if (type === 'string') return format === '' || format === 'byte' ? 'string' : 'untyped';
  throw new ApplySchemaError(`unrecognized type: '${type}'`);
}

function listOf(schema: OpenApiSchema, context: Context): ListType {
  return { ...relationshipOf(schema), elementType: schema.items === undefined ? UNTYPED_ATOMIC : typeOf(schema.items, context) };
}

function relationshipOf(schema: OpenApiSchema): Pick<ListType, 'isAtomic' | 'keys'> {
  const listType = schema['x-kubernetes-list-type'];
  if (listType !== undefined) {
    return { isAtomic: listType === 'atomic', keys: listType === 'map' ? (schema['x-kubernetes-list-map-keys'] ?? []) : [] };
  }
  const strategy = schema['x-kubernetes-patch-strategy'];
  if (strategy === undefined || !strategy.split(',').includes('merge')) return { isAtomic: true, keys: [] };
  const key = schema['x-kubernetes-patch-merge-key'];
  return { isAtomic: false, keys: key === undefined ? [] : [key] };
}

function mapOf(schema: OpenApiSchema, context: Context): MapType {
  const properties =
    schema['x-kubernetes-embedded-resource'] === true ? { ...schema.properties, ...TYPE_AND_META } : (schema.properties ?? {});
  const fields = Object.entries(properties).map(([name, field]): [string, FieldType] => [
    name,
    { type: typeOf(field, context), ...defaultOf(field, { isRequired: schema.required?.includes(name) === true, context }) },
  ]);
  return {
    fields: new Map(fields),
    elementType: elementTypeOf(schema, { isOpen: fields.length === 0, context }),
    isAtomic: schema['x-kubernetes-map-type'] === 'atomic',
  };
}

/** The fields that may stand beside the declared ones: any where nothing at all is declared. */
function elementTypeOf(
  { additionalProperties }: OpenApiSchema,
  { isOpen, context }: { isOpen: boolean; context: Context },
): TypeRef | undefined {
  if (additionalProperties === undefined) return context.preserveUnknown || isOpen ? UNTYPED_DEDUCED : undefined;
  if (typeof additionalProperties === 'boolean') return additionalProperties ? UNTYPED_DEDUCED : undefined;
  return typeOf(additionalProperties, context);
}

function defaultOf(schema: OpenApiSchema, { isRequired, context }: { isRequired: boolean; context: Context }): { default?: Json } {
  if (schema.default !== undefined) return { default: schema.default };
  const zero = isRequired && context.isGoType ? goZero(schema) : undefined;
  return zero === undefined ? {} : { default: zero };
}

/** Go's zero value of a scalar. */
export function goZero({ type }: OpenApiSchema): Json | undefined {
  if (type === 'string') return '';
  if (type === 'integer' || type === 'number') return 0;
  return type === 'boolean' ? false : undefined;
}

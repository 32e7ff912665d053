import type { Json } from '@keelson/kubernetes/apimachinery';
import { isObject, type JsonObject, type Served } from '../../contract/index.js';
import { REFERENCE } from './operation.js';
import { byName } from './reachable.js';

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1.';
const METADATA: JsonObject = { allOf: [{ $ref: `${REFERENCE}${META}ObjectMeta` }] };
const TEXT: JsonObject = { type: 'string' };
const INT_OR_STRING: readonly JsonObject[] = [{ type: 'integer' }, { type: 'string' }];

/** The published keywords of a structural schema. `id` and the like are not among them. */
const KEYWORDS = new Set([
  ...['description', 'type', 'nullable', 'default', 'title', 'format', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum'],
  ...['maxLength', 'minLength', 'pattern', 'maxItems', 'minItems', 'uniqueItems', 'multipleOf', 'enum', 'maxProperties', 'minProperties'],
  ...['required', 'example', 'externalDocs'],
]);

export interface CustomKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  /** `spec.versions[]` of the definition. */
  readonly definition: JsonObject;
}

/** OpenAPI 2 lacks what OpenAPI 3 has, and its readers (kubectl before 1.27) take what they find more strictly. */
export type OpenApiVersion = 'v2' | 'v3';

/** A custom resource as its CustomResourceDefinition has it. */
export function customKind({ resource, version }: Served, definition: JsonObject | undefined): CustomKind {
  const spec = definition?.['spec'];
  const versions = isObject(spec) && Array.isArray(spec['versions']) ? (spec['versions'] as readonly JsonObject[]) : [];
  const found = versions.find(({ name }) => name === version.version) ?? {};
  const { group, kind, listKind } = resource;
  return { group, version: version.version, kind, listKind, definition: found };
}

/** `com.example.cache.v1.Memcached` for `cache.example.com`. */
export function customDefinitionName({
  group,
  version,
  kind,
}: {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}): string {
  return [...group.split('.').reverse(), version, kind].join('.');
}

/**
 * Component schemas of a custom resource and its list. Those of OpenAPI 2 still refer as OpenAPI 3 does.
 * Source: apiextensions `pkg/controller/openapi/{builder,v2}` and `pkg/apiserver/schema/{unfold,kubeopenapi}.go`.
 */
export function customDefinitions(
  { group, version, kind, listKind, definition }: CustomKind,
  openApi: OpenApiVersion = 'v3',
): readonly (readonly [string, JsonObject])[] {
  const { schema: validation, selectableFields } = definition;
  const schema = isObject(validation) && isObject(validation['openAPIV3Schema']) ? validation['openAPIV3Schema'] : undefined;
  const selectable = selectablePaths(selectableFields);
  const marks = (name: string): JsonObject => ({
    'x-kubernetes-group-version-kind': [{ group, kind: name, version }],
    ...(selectable.length === 0 ? {} : { 'x-kubernetes-selectable-fields': selectable }),
  });
  const name = customDefinitionName({ group, version, kind });
  const list: JsonObject = {
    type: 'object',
    required: ['items'],
    properties: {
      apiVersion: TEXT,
      items: { type: 'array', items: { $ref: REFERENCE + name } },
      kind: TEXT,
      metadata: { allOf: [{ $ref: `${REFERENCE}${META}ListMeta` }] },
    },
    ...marks(listKind),
  };
  return [
    [name, inGoOrder({ ...(schema === undefined ? { type: 'object' } : ownSchema(schema, openApi)), ...marks(kind) })],
    [customDefinitionName({ group, version, kind: listKind }), list],
  ];
}

function selectablePaths(fields: Json | undefined): readonly JsonObject[] {
  if (!Array.isArray(fields)) return [];
  return (fields as readonly JsonObject[]).map(({ jsonPath }) => ({ fieldPath: String(jsonPath).replace(/^\./, '') }));
}

/** OpenAPI 2 describes no field of an open schema: kubectl would refuse every field that is not described. */
function ownSchema(schema: JsonObject, openApi: OpenApiVersion): JsonObject {
  if (openApi === 'v2' && isOpen(schema)) return { type: 'object' };
  return withTypeAndMetadata(published(schema, openApi));
}

function isOpen(schema: JsonObject): boolean {
  return schema['x-kubernetes-preserve-unknown-fields'] === true;
}

function published(whole: JsonObject, openApi: OpenApiVersion): JsonObject {
  const schema = openApi === 'v2' ? asFarAsOpenApi2Goes(whole) : whole;
  const kept = Object.entries(schema).filter(
    ([key, value]) => (KEYWORDS.has(key) || key.startsWith('x-kubernetes-')) && !isUnset(key, value),
  );
  const { properties, additionalProperties, items } = schema;
  const node: JsonObject = {
    ...Object.fromEntries(kept),
    ...(openApi === 'v3' ? alternatives(schema) : {}),
    ...(isObject(items) ? { items: published(items, openApi) } : {}),
    ...(isObject(properties) ? { properties: eachPublished(properties, openApi) } : {}),
    ...(additionalProperties === undefined
      ? {}
      : { additionalProperties: isObject(additionalProperties) ? published(additionalProperties, openApi) : additionalProperties }),
  };
  const ordered = inGoOrder(node);
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true && !(openApi === 'v2' && isOpen(schema));
  return isEmbedded ? embedded(ordered) : ordered;
}

function eachPublished(properties: JsonObject, openApi: OpenApiVersion): JsonObject {
  return sortedByName(
    Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, isObject(property) ? published(property, openApi) : property]),
    ),
  );
}

function sortedByName(map: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(map).sort(byName));
}

/** Extensions are a map in Go, and come last. */
function inGoOrder(schema: JsonObject): JsonObject {
  const isExtension = ([name]: readonly [string, unknown]): boolean => name.startsWith('x-');
  const members = Object.entries(schema);
  return Object.fromEntries([...members.filter((member) => !isExtension(member)), ...members.filter(isExtension).sort(byName)]);
}

/**
 * A node without what OpenAPI 2 cannot say: `null`, unknown fields, alternatives. Where it cannot say which values there are, it says no type.
 * Source: apiextensions `pkg/controller/openapi/v2/conversion.go`.
 */
function asFarAsOpenApi2Goes({ nullable, default: _default, ...schema }: JsonObject): JsonObject {
  const { type, items, properties, required, additionalProperties } = schema;
  const isUntyped = nullable === true || isOpen(schema);
  const hasType = nullable !== true && !(isOpen(schema) && type === 'object') && !(type === 'array' && (isUntyped || items === undefined));
  const { type: _type, items: _items, properties: _properties, required: _required, ...rest } = schema;
  const isNullable = (field: Json | undefined): boolean => isObject(field) && field['nullable'] === true;
  const fields = isObject(properties) && !isUntyped ? properties : {};
  const names = isNullable(additionalProperties) ? [] : strings(required).filter((name) => !isNullable(fields[name]));
  return {
    ...rest,
    ...(type !== undefined && hasType ? { type } : {}),
    ...(items === undefined || isUntyped ? {} : { items }),
    ...(properties === undefined || isUntyped ? {} : { properties }),
    ...(names.length === 0 ? {} : { required: names }),
  };
}

function strings(list: Json | undefined): readonly string[] {
  return Array.isArray(list) ? (list as readonly string[]) : [];
}

/** Go writes no zero values. */
function isUnset(key: string, value: Json): boolean {
  if (key === 'default') return value === null;
  return value === false || value === '' || value === null || (Array.isArray(value) && value.length === 0);
}

/** `allOf`, `anyOf`, `oneOf` and `not`; of what may be a number or a string, the two are added where they are missing. */
function alternatives(schema: JsonObject): JsonObject {
  const lists = ['allOf', 'anyOf', 'oneOf']
    .map((key): [string, readonly JsonObject[]] => [key, listOf(schema[key])])
    .filter(([, list]) => list.length > 0)
    .map(([key, list]): [string, readonly JsonObject[]] => [key, list.map((one) => published(one, 'v3'))]);
  const found: Record<string, readonly JsonObject[]> = Object.fromEntries(lists);
  const negated = isObject(schema['not']) ? { not: published(schema['not'], 'v3') } : {};
  if (schema['x-kubernetes-int-or-string'] !== true || saysBothTypes(schema)) return { ...found, ...negated };
  const { anyOf, allOf = [], ...rest } = found;
  if (anyOf === undefined) return { ...found, ...negated, anyOf: INT_OR_STRING };
  return { ...rest, ...negated, anyOf, allOf: [{ anyOf: INT_OR_STRING }, ...allOf] };
}

function saysBothTypes({ anyOf, allOf }: JsonObject): boolean {
  const isBoth = (list: readonly JsonObject[]): boolean => JSON.stringify(list) === JSON.stringify(INT_OR_STRING);
  return isBoth(listOf(anyOf)) || isBoth(listOf(listOf(allOf)[0]?.['anyOf']));
}

function listOf(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly JsonObject[]) : [];
}

function withTypeAndMetadata(schema: JsonObject): JsonObject {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  return { ...schema, properties: sortedByName({ ...properties, apiVersion: TEXT, kind: TEXT, metadata: METADATA }) };
}

function embedded(schema: JsonObject): JsonObject {
  const required = strings(schema['required']);
  return { ...withTypeAndMetadata(schema), required: [...required, ...['kind', 'apiVersion'].filter((name) => !required.includes(name))] };
}

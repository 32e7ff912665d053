import type { InternalVersion } from './internal-form.js';

/**
 * Go's internal structs as JSON, as errors quote them: they have no JSON names, and every field is written. A Map keeps the order of the fields.
 *
 * Source: apiextensions-apiserver, `pkg/apis/apiextensions/{types,types_jsonschema}.go`.
 */
type Struct = ReadonlyMap<string, unknown>;

/** Fields in Go's order: name there, name in JSON, and what is written where it is missing. */
type Field = readonly [go: string, json: string, zero: unknown, render?: (value: never) => unknown];

function struct(value: object, fields: readonly Field[]): Struct {
  const source = value as Readonly<Record<string, unknown>>;
  return new Map(
    fields.map(([go, json, zero, render]) => {
      const found = source[json];
      return [go, found === undefined || found === null ? zero : render === undefined ? found : render(found as never)];
    }),
  );
}

const listOf =
  (fields: () => readonly Field[]) =>
  (items: readonly object[]): readonly Struct[] =>
    items.map((item) => struct(item, fields()));

const mapOf = (values: Readonly<Record<string, object>>): Record<string, Struct> =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, schemaStruct(value)]));

const schemas = (values: readonly object[]): readonly Struct[] => values.map(schemaStruct);

const orBool = (value: object | boolean): Struct =>
  new Map<string, unknown>([
    ['Allows', typeof value === 'boolean' ? value : true],
    ['Schema', typeof value === 'boolean' ? null : schemaStruct(value)],
  ]);

const orArray = (value: object): Struct =>
  new Map<string, unknown>([
    ['Schema', Array.isArray(value) ? null : schemaStruct(value)],
    ['JSONSchemas', Array.isArray(value) ? schemas(value) : null],
  ]);

const orStrings = (values: Readonly<Record<string, object>>): Record<string, Struct> =>
  Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      new Map<string, unknown>([
        ['Schema', Array.isArray(value) ? null : schemaStruct(value)],
        ['Property', Array.isArray(value) ? value : null],
      ]),
    ]),
  );

const RULE: readonly Field[] = [
  ['Rule', 'rule', ''],
  ['Message', 'message', ''],
  ['MessageExpression', 'messageExpression', ''],
  ['Reason', 'reason', null],
  ['FieldPath', 'fieldPath', ''],
  ['OptionalOldSelf', 'optionalOldSelf', null],
];

const DOCUMENTATION: readonly Field[] = [
  ['Description', 'description', ''],
  ['URL', 'url', ''],
];

const SCHEMA: readonly Field[] = [
  ['ID', 'id', ''],
  ['Schema', '$schema', ''],
  ['Ref', '$ref', null],
  ['Description', 'description', ''],
  ['Type', 'type', ''],
  ['Nullable', 'nullable', false],
  ['Format', 'format', ''],
  ['Title', 'title', ''],
  ['Default', 'default', null],
  ['Maximum', 'maximum', null],
  ['ExclusiveMaximum', 'exclusiveMaximum', false],
  ['Minimum', 'minimum', null],
  ['ExclusiveMinimum', 'exclusiveMinimum', false],
  ['MaxLength', 'maxLength', null],
  ['MinLength', 'minLength', null],
  ['Pattern', 'pattern', ''],
  ['MaxItems', 'maxItems', null],
  ['MinItems', 'minItems', null],
  ['UniqueItems', 'uniqueItems', false],
  ['MultipleOf', 'multipleOf', null],
  ['Enum', 'enum', null],
  ['MaxProperties', 'maxProperties', null],
  ['MinProperties', 'minProperties', null],
  ['Required', 'required', null],
  ['Items', 'items', null, orArray],
  ['AllOf', 'allOf', null, schemas],
  ['OneOf', 'oneOf', null, schemas],
  ['AnyOf', 'anyOf', null, schemas],
  ['Not', 'not', null, (value: object) => schemaStruct(value)],
  ['Properties', 'properties', null, mapOf],
  ['AdditionalProperties', 'additionalProperties', null, orBool],
  ['PatternProperties', 'patternProperties', null, mapOf],
  ['Dependencies', 'dependencies', null, orStrings],
  ['AdditionalItems', 'additionalItems', null, orBool],
  ['Definitions', 'definitions', null, mapOf],
  ['ExternalDocs', 'externalDocs', null, (value: object) => struct(value, DOCUMENTATION)],
  ['Example', 'example', null],
  ['XPreserveUnknownFields', 'x-kubernetes-preserve-unknown-fields', null],
  ['XEmbeddedResource', 'x-kubernetes-embedded-resource', false],
  ['XIntOrString', 'x-kubernetes-int-or-string', false],
  ['XListMapKeys', 'x-kubernetes-list-map-keys', null],
  ['XListType', 'x-kubernetes-list-type', null],
  ['XMapType', 'x-kubernetes-map-type', null],
  ['XValidations', 'x-kubernetes-validations', null, listOf(() => RULE)],
];

/** A JSONSchemaProps. */
export function schemaStruct(schema: object): Struct {
  return struct(schema, SCHEMA);
}

const COLUMN: readonly Field[] = [
  ['Name', 'name', ''],
  ['Type', 'type', ''],
  ['Format', 'format', ''],
  ['Description', 'description', ''],
  ['Priority', 'priority', 0],
  ['JSONPath', 'jsonPath', ''],
];

const SCALE: readonly Field[] = [
  ['SpecReplicasPath', 'specReplicasPath', ''],
  ['StatusReplicasPath', 'statusReplicasPath', ''],
  ['LabelSelectorPath', 'labelSelectorPath', null],
];

const SUBRESOURCES: readonly Field[] = [
  ['Status', 'status', null, () => ({})],
  ['Scale', 'scale', null, (value: object) => struct(value, SCALE)],
];

const VERSION: readonly Field[] = [
  ['Name', 'name', ''],
  ['Served', 'served', false],
  ['Storage', 'storage', false],
  ['Deprecated', 'deprecated', false],
  ['DeprecationWarning', 'deprecationWarning', null],
  [
    'Schema',
    'schema',
    null,
    (value: object) => struct(value, [['OpenAPIV3Schema', 'openAPIV3Schema', null, (schema: object) => schemaStruct(schema)]]),
  ],
  ['Subresources', 'subresources', null, (value: object) => struct(value, SUBRESOURCES)],
  ['AdditionalPrinterColumns', 'additionalPrinterColumns', null, listOf(() => COLUMN)],
  ['SelectableFields', 'selectableFields', null, listOf(() => [['JSONPath', 'jsonPath', '']])],
];

/** `spec.versions`; what stands at the top is missing here. */
export function versionStructs(versions: readonly InternalVersion[]): readonly Struct[] {
  return versions.map(({ version: { name, served, storage, deprecated, deprecationWarning }, ...shared }) =>
    struct(
      {
        name,
        served,
        storage,
        deprecated,
        deprecationWarning,
        schema: shared.validation,
        subresources: shared.subresources,
        ...(shared.columns.length > 0 && { additionalPrinterColumns: shared.columns }),
        ...(shared.selectableFields.length > 0 && { selectableFields: shared.selectableFields }),
      },
      VERSION,
    ),
  );
}

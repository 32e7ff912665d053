import { type FieldError, fieldErrorText, forbidden, invalid, required, type StructuralSchema } from '../../apimachinery/index.js';
import type { Wording } from './wording.js';

type Level = 'root' | 'item' | 'field';

/** Keys that only the structure itself may have, and what to say when they stand below `allOf`, `anyOf`, `oneOf` or `not`. */
const STRUCTURE_ONLY: readonly (readonly [keyof StructuralSchema, string])[] = [
  ['type', 'must be empty to be structural'],
  ['additionalProperties', 'must be undefined to be structural'],
  ['default', 'must be undefined to be structural'],
  ['title', 'must be empty to be structural'],
  ['description', 'must be empty to be structural'],
  ['nullable', 'must be false to be structural'],
  ['x-kubernetes-preserve-unknown-fields', 'must be false to be structural'],
  ['x-kubernetes-embedded-resource', 'must be false to be structural'],
  ['x-kubernetes-int-or-string', 'must be false to be structural'],
  ['x-kubernetes-list-map-keys', 'must be empty to be structural'],
  ['x-kubernetes-list-type', 'must be undefined to be structural'],
  ['x-kubernetes-map-type', 'must be undefined to be structural'],
  ['x-kubernetes-validations', 'must be empty to be structural'],
];

/**
 * The invariants of a structural schema: types everywhere, nothing structural inside junctors, every validated field declared.
 *
 * Source: apiextensions-apiserver, `pkg/apiserver/schema/{validation,complete}.go`.
 */
export function structureErrors(schema: StructuralSchema, path: string, wording: Wording): FieldError[] {
  const errors = [
    ...invariantErrors(schema, { level: 'root', path, wording }),
    ...completenessErrors(schema, schema, { structure: path, validation: path }),
  ];
  return errors.sort((left, right) => (fieldErrorText(left) < fieldErrorText(right) ? -1 : 1));
}

interface Node {
  readonly level: Level;
  readonly path: string;
  readonly wording: Wording;
}

function invariantErrors(schema: StructuralSchema, { level, path, wording }: Node): FieldError[] {
  const { items, properties = {}, additionalProperties } = schema;
  const below = (child: StructuralSchema, step: string, childLevel: Level) =>
    invariantErrors(child, { level: childLevel, path: `${path}.${step}`, wording });
  return [
    ...(schema.type === 'array' && items === undefined ? [required(`${path}.items`, 'must be specified')] : []),
    ...(items === undefined ? [] : below(items, 'items', 'item')),
    ...Object.entries(properties).flatMap(([key, property]) => below(property, `properties[${key}]`, 'field')),
    ...(additionalProperties !== undefined && level === 'root'
      ? [forbidden(`${path}.additionalProperties`, 'must not be used at the root')]
      : []),
    ...(typeof additionalProperties === 'object' ? below(additionalProperties, 'additionalProperties', 'field') : []),
    ...extensionErrors(schema, path),
    ...validationErrors(schema, path, wording),
    ...typeErrors(schema, level, path),
    ...metaErrors(schema, level, path),
  ];
}

function extensionErrors(schema: StructuralSchema, path: string): FieldError[] {
  if (schema['x-kubernetes-int-or-string'] !== true) return [];
  const keys = ['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource'] as const;
  return keys
    .filter((key) => schema[key] === true)
    .map((key) => invalid(`${path}.${key}`, true, 'must be false if x-kubernetes-int-or-string is true'));
}

const MISSING_TYPE: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

function typeErrors(schema: StructuralSchema, level: Level, path: string): FieldError[] {
  const { type } = schema;
  const embedded = schema['x-kubernetes-embedded-resource'] === true;
  const errors: FieldError[] = [];
  if (embedded && type !== 'object') {
    const text = 'must be object if x-kubernetes-embedded-resource is true';
    errors.push(type === undefined ? required(`${path}.type`, text) : invalid(`${path}.type`, type, text));
  } else if (
    type === undefined &&
    schema['x-kubernetes-int-or-string'] !== true &&
    schema['x-kubernetes-preserve-unknown-fields'] !== true
  ) {
    errors.push(required(`${path}.type`, MISSING_TYPE[level]));
  }
  if (embedded && schema.additionalProperties !== undefined) {
    errors.push(forbidden(`${path}.additionalProperties`, 'must not be used if x-kubernetes-embedded-resource is set'));
  }
  if (level === 'root' && type !== undefined && type !== 'object') errors.push(invalid(`${path}.type`, type, 'must be object at the root'));
  return errors;
}

function metaErrors(schema: StructuralSchema, level: Level, path: string): FieldError[] {
  const embedded = schema['x-kubernetes-embedded-resource'] === true;
  const { kind, apiVersion, metadata } = schema.properties ?? {};
  const errors: FieldError[] = [];
  if (level === 'root' || embedded) {
    for (const [key, property] of Object.entries({ kind, apiVersion })) {
      if (property !== undefined && property.type !== 'string')
        errors.push(invalid(`${path}.properties[${key}].type`, property.type ?? '', 'must be string'));
    }
    if (metadata !== undefined && metadata.type !== 'object')
      errors.push(invalid(`${path}.properties[metadata].type`, metadata.type ?? '', 'must be object'));
  }
  if (level === 'root' && metadata !== undefined && !restrictsNamesOnly(metadata)) {
    const text = 'must not specify anything other than name and generateName, but metadata is implicitly specified';
    errors.push(forbidden(`${path}.properties[metadata]`, text));
  }
  if (embedded && schema['x-kubernetes-preserve-unknown-fields'] !== true && Object.keys(schema.properties ?? {}).length === 0) {
    const text = 'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    errors.push(required(`${path}.properties`, text));
  }
  return errors;
}

function restrictsNamesOnly({ properties = {}, type: _type, default: _default, ...rest }: StructuralSchema): boolean {
  return Object.keys(rest).length === 0 && Object.keys(properties).every((key) => key === 'name' || key === 'generateName');
}

function isIntOrString(alternatives: readonly StructuralSchema[] | undefined): boolean {
  return JSON.stringify(alternatives) === '[{"type":"integer"},{"type":"string"}]';
}

/** Junctors of one node. The two customary shapes of int-or-string may name types. */
function validationErrors(schema: StructuralSchema, path: string, wording: Wording): FieldError[] {
  const allOfIntOrString = isIntOrString(schema.allOf?.[0]?.anyOf);
  const anyOf = isIntOrString(schema.anyOf) ? [] : (schema.anyOf ?? []);
  const problem = schema.pattern === undefined || schema.pattern === '' ? undefined : wording.patternProblem(schema.pattern);
  return [
    ...anyOf.flatMap((nested, index) => nestedErrors(nested, { path: `${path}.anyOf[${index}]`, wording })),
    ...(schema.allOf ?? []).flatMap((nested, index) =>
      nestedErrors(nested, { path: `${path}.allOf[${index}]`, wording, skipAnyOf: allOfIntOrString && index === 0 }),
    ),
    ...(schema.oneOf ?? []).flatMap((nested, index) => nestedErrors(nested, { path: `${path}.oneOf[${index}]`, wording })),
    ...(schema.not === undefined ? [] : nestedErrors(schema.not, { path: `${path}.not`, wording })),
    ...(problem === undefined
      ? []
      : [invalid(`${path}.pattern`, schema.pattern, `must be a valid regular expression, but isn't: ${problem}`)]),
  ];
}

function nestedErrors(
  schema: StructuralSchema,
  { path, wording, skipAnyOf = false }: { path: string; wording: Wording; skipAnyOf?: boolean },
): FieldError[] {
  const { items, properties = {} } = schema;
  const { anyOf: _anyOf, ...withoutAnyOf } = schema;
  const present = STRUCTURE_ONLY.filter(([key]) => isSet(schema[key]));
  return [
    ...validationErrors(skipAnyOf ? withoutAnyOf : schema, path, wording),
    ...(items === undefined ? [] : nestedErrors(items, { path: `${path}.items`, wording })),
    ...Object.entries(properties).flatMap(([key, property]) => nestedErrors(property, { path: `${path}.properties[${key}]`, wording })),
    ...present.map(([key, text]) => forbidden(`${path}.${key}`, text)),
    ...(Object.hasOwn(properties, 'metadata')
      ? [forbidden(`${path}.properties[metadata]`, 'must not be specified in a nested context')]
      : []),
  ];
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== false && value !== '' && value !== null && !(Array.isArray(value) && value.length === 0);
}

interface Paths {
  readonly structure: string;
  readonly validation: string;
}

/** Every field and item that a junctor speaks about must be declared outside of it. */
function completenessErrors(validation: StructuralSchema, structure: StructuralSchema, paths: Paths): FieldError[] {
  const nested = (name: string, schema: StructuralSchema) =>
    nestedCompleteness(schema, structure, { ...paths, validation: `${paths.validation}.${name}` });
  return [
    ...(validation.not === undefined ? [] : nested('not', validation.not)),
    ...(['allOf', 'anyOf', 'oneOf'] as const).flatMap((name) =>
      (validation[name] ?? []).flatMap((schema, index) => nested(`${name}[${index}]`, schema)),
    ),
  ];
}

function nestedCompleteness(validation: StructuralSchema, structure: StructuralSchema, paths: Paths): FieldError[] {
  const below = (step: string, schema: StructuralSchema, counterpart: StructuralSchema | undefined): FieldError[] => {
    const at = { structure: `${paths.structure}.${step}`, validation: `${paths.validation}.${step}` };
    return counterpart === undefined
      ? [required(at.structure, `because it is defined in ${at.validation}`)]
      : nestedCompleteness(schema, counterpart, at);
  };
  return [
    ...completenessErrors(validation, structure, paths),
    ...(validation.items === undefined ? [] : below('items', validation.items, structure.items)),
    ...Object.entries(validation.properties ?? {}).flatMap(([key, property]) =>
      below(`properties[${key}]`, property, structure.properties?.[key]),
    ),
  ];
}

import { canonicalJson, type FieldError, invalid, type Json, type StructuralSchema } from '../../apimachinery/index.js';
import { prune } from '../prune.js';
import { createValidator, validateEmbeddedObjects } from '../validate/index.js';
import type { Wording } from './wording.js';

export interface DefaultCheck {
  readonly path: string;
  readonly wording: Wording;
  readonly isRoot?: boolean;
}

/**
 * Defaults must be pruned and valid against their own schema, rules included: as a new value and as an unchanged one.
 *
 * Source: apiextensions-apiserver, `pkg/apiserver/schema/defaulting/validation.go`.
 */
export function defaultErrors(schema: StructuralSchema, { path, wording, isRoot = true }: DefaultCheck): FieldError[] {
  const own =
    schema.default === undefined || schema.default === null
      ? []
      : errorsOf(schema, schema.default, { path: `${path}.default`, wording, isRoot });
  const { items, properties = {}, additionalProperties: values } = schema;
  return [
    ...own,
    ...(items === undefined ? [] : defaultErrors(items, { path: `${path}.items`, wording, isRoot: false })),
    ...(wording.defaultsInMaps && typeof values === 'object'
      ? defaultErrors(values, { path: `${path}.additionalProperties`, wording, isRoot: false })
      : []),
    ...Object.entries(properties).flatMap(([key, property]) =>
      defaultErrors(property, { path: `${path}.properties[${key}]`, wording, isRoot: false }),
    ),
  ];
}

function errorsOf(schema: StructuralSchema, value: Json, { path, wording, isRoot = true }: DefaultCheck): FieldError[] {
  const embedded = schema['x-kubernetes-embedded-resource'] === true;
  const errors: FieldError[] = [];
  if (canonicalJson(prune(schema, value, { isResourceRoot: embedded })) !== canonicalJson(value)) {
    errors.push(invalid(path, value, 'must not have unknown fields'));
  }
  const metadata = validateEmbeddedObjects(schema, value, path);
  if (metadata.length > 0) return [...errors, ...metadata];
  const validator = createValidator(schema);
  const options = { isResourceRoot: isRoot || embedded, listTypes: wording.duplicatesInDefaults };
  const asNew = validator.validate(value, options);
  const found = asNew.length > 0 ? asNew : validator.validate(value, { ...options, old: value });
  return [...errors, ...found.map((error) => ({ ...error, field: below(path, error.field) }))];
}

function below(path: string, field: string): string {
  if (field === '<nil>') return path;
  return field.startsWith('[') ? `${path}${field}` : `${path}.${field}`;
}

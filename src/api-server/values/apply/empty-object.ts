import { isJsonObject, type Json } from '@keelson/kubernetes/apimachinery';
import { type Definitions, type OpenApiSchema, referenceOf } from './open-api-schema.js';
import { goZero } from './type-from-open-api.js';

/**
 * The JSON that the server's Go type of a built-in kind writes when nothing is set: `{ metadata: {}, spec: { selector: null, template: { … } }, status: {} }`.
 *
 * It is the live object of a creation: its creator does not come to own a struct that is always there (`f:strategy` has no `.` of its own), but does own
 * one behind a pointer. A schema marks a struct by its default `{}`; a required field without default is a pointer, a list or a map (null), or a scalar
 * (its zero).
 */
export function emptyObject(definition: string, definitions: Definitions): Json {
  return emptyValue(definitions(definition) ?? {}, definitions);
}

function emptyValue(schema: OpenApiSchema, definitions: Definitions): Json {
  const required = new Set(schema.required);
  const fields: [string, Json][] = [];
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const reference = referenceOf(field);
    const target = reference === undefined ? field : (definitions(reference) ?? {});
    if (isJsonObject(field.default)) fields.push([name, isStruct(target) ? emptyValue(target, definitions) : null]);
    else if (required.has(name)) fields.push([name, goZero(target) ?? null]);
  }
  return Object.fromEntries(fields);
}

/** A struct that is written as a text (a time) is null when it is zero. */
function isStruct({ type }: OpenApiSchema): boolean {
  return type === 'object';
}

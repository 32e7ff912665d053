import { duplicate, type FieldError, invalid, required, type StructuralSchema, tooMany } from '@keelson/kubernetes/apimachinery';
import type { SelectableFields } from './definition.js';

const MAX_FIELDS = 8;
const SCALARS: readonly (string | undefined)[] = ['string', 'boolean', 'integer'];

/** Source: apiextensions-apiserver, `ValidateCustomResourceSelectableFields`. */
export function selectableFieldErrors(fields: SelectableFields, schema: StructuralSchema, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, { jsonPath }] of fields.entries()) {
    const at = `${path}[${index}].jsonPath`;
    if (jsonPath === '') {
      errors.push(required(at));
      continue;
    }
    const found = resolve(jsonPath, schema);
    if (typeof found === 'string') {
      errors.push(invalid(at, jsonPath, `is an invalid path: ${found}`));
      continue;
    }
    errors.push(...fieldErrors(found, jsonPath, at));
    if (seen.has(found.path)) errors.push(duplicate(at, jsonPath));
    seen.add(found.path);
  }
  return seen.size > MAX_FIELDS ? [...errors, tooMany(path, seen.size, MAX_FIELDS)] : errors;
}

function fieldErrors({ schema, root }: Resolved, jsonPath: string, at: string): readonly FieldError[] {
  const text = 'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
  return [
    ...(root === 'metadata' ? [invalid(at, jsonPath, 'must not point to fields in metadata')] : []),
    ...(SCALARS.includes(schema.type) ? [] : [invalid(at, jsonPath, text)]),
  ];
}

interface Resolved {
  readonly schema: StructuralSchema;
  readonly path: string;
  readonly root: string;
}

const NO_FIELD = 'does not refer to a valid field';

/** Follows `.spec.name` down the schema; a text says why it leads nowhere. */
function resolve(jsonPath: string, root: StructuralSchema): Resolved | string {
  // Delimiters are tokens; a text in single quotes is one, whatever it holds.
  const tokens = jsonPath.match(/[.[\]]|'(?:[^']|(?<=\\)')*'|[^.[\]]+/g) ?? [];
  let schema = root;
  let path = '';
  let first = '';
  for (let index = 0; index < tokens.length; index += 2) {
    if (tokens[index] === '[') return 'array notation is not allowed';
    if (tokens[index] !== '.') return `expected [ or . but got: ${tokens[index]}`;
    const name = tokens[index + 1];
    if (name === undefined) return 'unexpected end of JSON path';
    if (schema.properties !== undefined) {
      const property = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
      if (property === undefined) return NO_FIELD;
      path += path === '' ? name : `.${name}`;
      schema = property;
    } else if (typeof schema.additionalProperties === 'object') {
      path += `[${name}]`;
      schema = schema.additionalProperties;
    } else return NO_FIELD;
    if (index === 0) first = name;
  }
  return { schema, path, root: first };
}

import type { StructuralSchema } from '@keelson/kubernetes/apimachinery';
import { sentencesOf } from './field-sentences.js';
import { code, table } from './markdown.js';

export interface Field {
  /** `spec.ports[].name`; `<key>` stands for the keys of a map. */
  readonly path: string;
  readonly schema: StructuralSchema;
  readonly isRequired: boolean;
}

/** All fields below a schema in the order of their declarations, each before its own fields. */
export function fieldsBelow(path: string, schema: StructuralSchema): readonly Field[] {
  const required = new Set(schema.required);
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const field = { path: `${path}.${name}`, schema: property, isRequired: required.has(name) };
    return [field, ...fieldsBelow(field.path, property)];
  });
  const { additionalProperties, items } = schema;
  return [
    ...own,
    ...(typeof additionalProperties === 'object' ? elementOf(`${path}.<key>`, additionalProperties) : []),
    ...(items === undefined ? [] : elementOf(`${path}[]`, items)),
  ];
}

/** An element has a row of its own where there is something to say of it, beside its type. */
function elementOf(path: string, schema: StructuralSchema): readonly Field[] {
  const says = schema.description !== undefined || schema.default !== undefined || sentencesOf(schema).length > 0;
  return [...(says ? [{ path, schema, isRequired: false }] : []), ...fieldsBelow(path, schema)];
}

export function fieldTable(fields: readonly Field[]): string {
  return table(
    ['field', 'type', 'default', 'description'],
    fields.map(({ path, schema, isRequired }) => [
      code(path),
      typeText(schema),
      schema.default === undefined ? (isRequired ? 'must be given' : '') : code(JSON.stringify(schema.default)),
      [schema.description ?? '', ...sentencesOf(schema)]
        .map((text) => text.trim())
        .filter(Boolean)
        .join(' '),
    ]),
  );
}

function typeText(schema: StructuralSchema): string {
  if (schema.enum !== undefined)
    return schema.enum.map((value) => code(typeof value === 'string' ? value : JSON.stringify(value))).join(', ');
  if (schema['x-kubernetes-int-or-string'] === true) return 'integer or string';
  const { type, items, additionalProperties, format } = schema;
  if (type === 'array') return `list of ${items === undefined ? 'any' : plural(typeText(items))}`;
  if (typeof additionalProperties === 'object') return `map of ${plural(typeText(additionalProperties))}`;
  return `${type ?? 'any'}${format === undefined ? '' : ` (${format})`}`;
}

function plural(type: string): string {
  return /^[a-z]+$/.test(type) && type !== 'any' ? `${type}s` : type;
}

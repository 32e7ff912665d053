import { isRecord, type StructuralSchema, similarWord } from '@keelson/kubernetes/apimachinery';
import type { ControllerModel, CustomResourceModel } from 'keelson/internal/definition';

/** The schema of the version that a controller is for; `undefined` for kinds that others define. */
export function schemaOf({ for: kind }: Pick<ControllerModel, 'for'>): StructuralSchema | undefined {
  const model = 'customResource' in kind ? (kind.customResource as CustomResourceModel) : undefined;
  return model?.versionList.find(({ name }) => name === kind.version)?.schema;
}

/**
 * The first field of a stated status that the schema does not declare, or that has another type, in words. Values, required fields and nulls are the API server's to judge: its
 * answer names the field.
 *
 * @returns `undefined` if all fit
 */
export function statusMisfit(schema: StructuralSchema | undefined, status: unknown): string | undefined {
  const within = schema?.properties?.['status'];
  return within === undefined ? undefined : misfitOf(within, status, 'status');
}

function misfitOf(schema: StructuralSchema, value: unknown, path: string): string | undefined {
  // The API server judges values with a JSON form of their own, such as a Date.
  if (value === undefined || value === null || typeof (value as { toJSON?: unknown }).toJSON === 'function') return undefined;
  if (!hasType(schema, value)) return `${path}: is ${nameOfType(value)}, the schema says ${typeText(schema)}`;
  if (Array.isArray(value)) return firstOf(value, (item, index) => schema.items && misfitOf(schema.items, item, `${path}[${index}]`));
  if (!isRecord(value)) return undefined;
  return firstOf(Object.entries(value), ([field, item]) => {
    if (item === undefined) return undefined;
    const below = fieldSchemaOf(schema, field);
    if (below === 'unknown') return `${path}.${field}: not in the schema${hintOf(field, schema)}; correct its name, or declare it`;
    return below === 'any' ? undefined : misfitOf(below, item, `${path}.${field}`);
  });
}

function fieldSchemaOf(schema: StructuralSchema, field: string): StructuralSchema | 'any' | 'unknown' {
  const { properties = {}, additionalProperties } = schema;
  const declared = Object.hasOwn(properties, field) ? properties[field] : undefined;
  if (declared !== undefined) return declared;
  if (typeof additionalProperties === 'object') return additionalProperties;
  const isOpen = additionalProperties === true || schema['x-kubernetes-preserve-unknown-fields'] === true;
  return isOpen || schema['x-kubernetes-embedded-resource'] === true ? 'any' : 'unknown';
}

function hintOf(field: string, { properties = {} }: StructuralSchema): string {
  const similar = similarWord(field, Object.keys(properties));
  return similar === undefined ? '' : ` (${similar}?)`;
}

function firstOf<T>(items: readonly T[], find: (item: T, index: number) => string | undefined): string | undefined {
  for (const [index, item] of items.entries()) {
    const found = find(item, index);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Where a value has not the types of its schema, or lacks what that requires; with their paths. */
export function problemsOf(schema: StructuralSchema, value: unknown, path: string): string[] {
  if (value === null) return schema.nullable === true || schema.type === undefined ? [] : [`${path} is null`];
  if (!hasType(schema, value)) return [`${path} is ${nameOfType(value)}, not ${typeText(schema)}`];
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined ? [] : value.flatMap((item, index) => problemsOf(items, item, `${path}[${index}]`));
  }
  return typeof value === 'object' ? objectProblems(schema, value as Readonly<Record<string, unknown>>, path) : [];
}

/** As {@link problemsOf}, of an object. */
export function objectProblems(schema: StructuralSchema, value: Readonly<Record<string, unknown>>, path: string): string[] {
  const { properties = {}, additionalProperties, required = [] } = schema;
  const at = (field: string): string => (path === '' ? field : `${path}.${field}`);
  return [
    ...required.filter((field) => value[field] === undefined).map((field) => `${at(field)} is missing`),
    ...Object.entries(value).flatMap(([field, item]) => {
      const within = Object.hasOwn(properties, field)
        ? properties[field]
        : typeof additionalProperties === 'object'
          ? additionalProperties
          : undefined;
      return within === undefined || item === undefined ? [] : problemsOf(within, item, at(field));
    }),
  ];
}

function hasType(schema: StructuralSchema, value: unknown): boolean {
  if (schema['x-kubernetes-int-or-string'] === true) return typeof value === 'string' || Number.isInteger(value);
  switch (schema.type) {
    case undefined:
      return true;
    case 'integer':
      return Number.isInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && !Array.isArray(value);
    default:
      return typeof value === schema.type;
  }
}

function nameOfType(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

function typeText(schema: StructuralSchema): string {
  return schema['x-kubernetes-int-or-string'] === true ? 'integer or string' : (schema.type ?? 'anything');
}

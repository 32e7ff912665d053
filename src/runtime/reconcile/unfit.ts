import type { ControllerModel, CustomResourceModel } from '../../definition/index.js';
import type { StructuralSchema } from '../../kubernetes/index.js';
import type { StoredObject } from '../cache/index.js';

/** More are not shown: the first ones say it. */
const MOST = 5;

/**
 * Where a stored object has not the types of its definition, which a typed reconciler relies on (H21).
 *
 * Values are not judged: an object that breaks a rule which is younger than itself is still its owner's, as the API server sees it too.
 */
export function unfitFields(controller: ControllerModel, object: StoredObject): string[] {
  const { for: kind } = controller;
  const model = 'customResource' in kind ? (kind.customResource as CustomResourceModel) : undefined;
  const spec = model?.versionList.find(({ name }) => name === kind.version)?.schema.properties?.['spec'];
  return spec === undefined || object['spec'] === undefined ? [] : problemsOf(spec, object['spec'], 'spec').slice(0, MOST);
}

function problemsOf(schema: StructuralSchema, value: unknown, path: string): string[] {
  if (value === null) return schema.nullable === true || schema.type === undefined ? [] : [`${path} is null`];
  if (!hasType(schema, value))
    return [`${path} is ${nameOfType(value)}, not ${schema['x-kubernetes-int-or-string'] === true ? 'integer or string' : schema.type}`];
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined ? [] : value.flatMap((item, index) => problemsOf(items, item, `${path}[${index}]`));
  }
  return typeof value === 'object' ? objectProblems(schema, value as Readonly<Record<string, unknown>>, path) : [];
}

function objectProblems(schema: StructuralSchema, value: Readonly<Record<string, unknown>>, path: string): string[] {
  const { properties = {}, additionalProperties, required = [] } = schema;
  return [
    ...required.filter((field) => value[field] === undefined).map((field) => `${path}.${field} is missing`),
    ...Object.entries(value).flatMap(([field, item]) => {
      const within = Object.hasOwn(properties, field)
        ? properties[field]
        : typeof additionalProperties === 'object'
          ? additionalProperties
          : undefined;
      return within === undefined || item === undefined ? [] : problemsOf(within, item, `${path}.${field}`);
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

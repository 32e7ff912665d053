import type { ControllerModel, CustomResourceModel } from '../../definition/index.js';
import type { StructuralSchema } from '../../kubernetes/index.js';
import type { StoredObject } from '../cache/index.js';

/** More are not shown: the first ones say it. */
const MOST = 5;

/** Checked by the API server itself, for every kind. */
const OF_THE_SERVER: readonly string[] = ['apiVersion', 'kind', 'metadata'];

/**
 * Where a stored object has not the types of its definition, which a typed reconciler relies on (H21): in the spec, and in fields beside it.
 *
 * Values are not judged: an object that breaks a rule which is younger than itself is still its owner's, as the API server sees it too. A status that the
 * controller writes is not judged here, see {@link unfitStatus}. Metadata is not judged either: the API server never stores another form of it.
 */
export function unfitFields(controller: ControllerModel, object: StoredObject): string[] {
  const schema = schemaOf(controller);
  if (schema === undefined) return [];
  const { status, ...others } = schema.properties ?? {};
  const judged = controller.writesStatus || status === undefined ? others : { ...others, status };
  const properties = Object.fromEntries(Object.entries(judged).filter(([name]) => !OF_THE_SERVER.includes(name)));
  return objectProblems({ ...schema, properties }, object, '').slice(0, MOST);
}

/** The part of a stored status that does not fit. */
export interface UnfitStatus {
  /** The fields of the status that hold something of a wrong type. */
  readonly fields: readonly string[];
  readonly problems: readonly string[];
}

/**
 * Where the stored status has not the types of its definition, for a status that the controller writes: an earlier release of it wrote another form.
 *
 * @returns `undefined` if it fits
 */
export function unfitStatus(controller: ControllerModel, object: StoredObject): UnfitStatus | undefined {
  const schema = schemaOf(controller)?.properties?.['status'];
  const { status } = object;
  if (!controller.writesStatus || schema === undefined || status === undefined) return undefined;
  const problems = problemsOf(schema, status, 'status').slice(0, MOST);
  if (problems.length === 0) return undefined;
  const isObject = typeof status === 'object' && status !== null && !Array.isArray(status);
  const fields = Object.entries(isObject ? status : {}).filter(([name, value]) => {
    const within = schema.properties?.[name];
    return within !== undefined && problemsOf(within, value, name).length > 0;
  });
  return { fields: fields.map(([name]) => name), problems };
}

function schemaOf({ for: kind }: ControllerModel): StructuralSchema | undefined {
  const model = 'customResource' in kind ? (kind.customResource as CustomResourceModel) : undefined;
  return model?.versionList.find(({ name }) => name === kind.version)?.schema;
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

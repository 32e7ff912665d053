import type { Scope, StructuralSchema, ValidationRule } from '@keelson/kubernetes/apimachinery';
import { builtinSchema, builtinTypeNames } from '@keelson/kubernetes/kinds';
import { interchangeProblems } from '@keelson/kubernetes/structural';
import { checkResourceSchema, convertSchema } from '../../schema/index.js';
import { forNew, type Problem } from '../errors.js';
import type { CustomResourceVersionModel, EmbeddedTypeModel } from '../model.js';
import type { CustomResourceOptions, SchemaLike, VersionOptions } from './options.js';
import { mergeStructural } from './structural-part.js';

/** The schema of a version, with what is wrong and what is risky in it. */
export interface VersionSchema {
  readonly schema: StructuralSchema;
  readonly builtinTypes: readonly EmbeddedTypeModel[];
  readonly problems: readonly Problem[];
  readonly warnings: readonly string[];
}

/** Converts spec, status and the fields beside them, and puts the root around them that every custom object has. */
export function versionSchemaOf(
  version: VersionOptions,
  { name, options }: { readonly name: string; readonly options: CustomResourceOptions<string, string, Scope> },
): VersionSchema {
  const at = `versions.${name}`;
  const parts = (['spec', 'status'] as const).flatMap((part) => {
    const schema = version[part];
    return schema === undefined ? [] : [convertedPart(schema, part)];
  });
  const fields = version.fields === undefined ? undefined : convertedFields(version.fields);
  const root = mergeStructural(rootOf(version, parts, fields), version.structural);
  const schema = options.descriptions === 'drop' ? withoutDescriptions(root.schema) : root.schema;
  const problems: readonly Problem[] = [
    ...missingParts(version),
    ...parts.flatMap((part) => part.problems),
    ...(fields?.problems ?? []),
    ...root.problems.map(({ path, message }) => ({ path: `structural${path}`, message })),
  ];
  // A schema that could not be converted has holes: checking it would report follow-up problems only.
  const checked = problems.some(({ isForNew }) => isForNew !== true)
    ? []
    : checkResourceSchema(schema, { statusSubresource: hasStatusSubresource(version) });
  const located = ({ path, ...rest }: Problem): Problem => ({ ...rest, path: `${at}.${path === 'the schema' ? 'rules' : path}` });
  const embedded = [
    ...(fields?.builtinTypes ?? []),
    ...parts.flatMap(({ name, builtinTypes }) => builtinTypes.map(({ path, type }) => ({ path: ['properties', name, ...path], type }))),
  ];
  return {
    schema,
    builtinTypes: embedded,
    problems: [...problems, ...checked].map(located),
    warnings: [...parts.flatMap((part) => part.warnings), ...(fields?.warnings ?? [])]
      .map(located)
      .map(({ path, message }) => `${path}: ${message}`),
  };
}

/** Whether the API server keeps the status apart from the rest. */
export function hasStatusSubresource({ status, statusSubresource = status !== undefined }: VersionOptions): boolean {
  return statusSubresource;
}

function missingParts({ spec, status, fields, statusSubresource }: VersionOptions): Problem[] {
  const problems: Problem[] = [];
  if (spec === undefined && fields === undefined)
    problems.push(
      forNew({
        path: 'spec',
        message: 'is missing; write a z.object({ ... }), or fields: z.object({ ... }) for a kind without a spec',
      }),
    );
  if (status === undefined && statusSubresource !== undefined)
    problems.push(forNew({ path: 'statusSubresource', message: 'is set, but there is no status; declare a status schema' }));
  return problems;
}

function rootOf(version: VersionOptions, parts: readonly Part[], fields: Part | undefined): StructuralSchema {
  const beside = fields?.schema ?? {};
  // The status is written later, by the controller.
  const required = [
    ...parts.filter(({ name, optional }) => name === 'spec' && !optional).map(({ name }) => name),
    ...(beside.required ?? []),
  ];
  const rules = [
    ...(version.rules ?? []),
    ...(beside['x-kubernetes-validations'] ?? []),
    ...parts.filter(({ immutable, optional }) => immutable && optional).map(({ name }) => keptOnceSet(name)),
  ];
  return {
    type: 'object',
    ...(version.description === undefined ? {} : { description: version.description }),
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
      ...beside.properties,
      ...Object.fromEntries(parts.map(({ name, schema }) => [name, schema])),
    },
    ...(required.length === 0 ? {} : { required: required.sort() }),
    ...(rules.length === 0 ? {} : { 'x-kubernetes-validations': rules }),
  };
}

/** `self == oldSelf` is not evaluated once the part is gone. */
function keptOnceSet(name: string): ValidationRule {
  return { rule: `!has(oldSelf.${name}) || has(self.${name})`, message: `field ${name} is immutable once set` };
}

interface Part {
  readonly name: string;
  readonly schema: StructuralSchema;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
  readonly builtinTypes: readonly EmbeddedTypeModel[];
  readonly optional: boolean;
  readonly immutable: boolean;
}

function convertedPart(zodSchema: SchemaLike, name: 'spec' | 'status'): Part {
  const converted = convertSchema(zodSchema, { path: name, resolveBuiltin });
  const { schema, problems, optional } = converted;
  if (problems.length > 0) return { ...converted, name };
  const own: Problem[] = [];
  if (schema.type !== 'object')
    own.push(forNew({ path: name, message: `is of type ${schema.type ?? 'unknown'}; write a z.object({ ... })` }));
  if (name === 'status' && optional)
    own.push(forNew({ path: name, message: 'may be absent anyway; leave .optional(), .default() and .prefault() to its fields' }));
  return { ...converted, name, problems: own };
}

const OWN_FIELDS: readonly string[] = ['apiVersion', 'kind', 'metadata', 'spec', 'status'];
/** Keywords that the root of a custom resource may have beside its own fields. */
const ROOT_KEYWORDS: readonly string[] = ['type', 'properties', 'required', 'x-kubernetes-validations'];

function convertedFields(zodSchema: SchemaLike): Part {
  const converted = convertSchema(zodSchema, { path: '', resolveBuiltin });
  const { schema } = converted;
  const plain = ({ path, message }: Problem): Problem => ({ path: path === '' ? 'fields' : path.replace(/^\./, ''), message });
  const problems = converted.problems.map(plain);
  if (problems.length === 0) {
    const extra = Object.keys(schema).filter((keyword) => !ROOT_KEYWORDS.includes(keyword));
    if (schema.type !== 'object' || converted.optional)
      problems.push({ path: 'fields', message: 'is not a plain object; write z.object({ ... })' });
    else if (extra.length > 0)
      problems.push({ path: 'fields', message: `says ${extra.join(', ')}, which the root of a custom resource cannot; put it on a field` });
    const taken = Object.keys(schema.properties ?? {}).filter((name) => OWN_FIELDS.includes(name));
    problems.push(
      ...taken.map((name) => ({ path: `fields.${name}`, message: 'is a field that every custom resource has; give it another name' })),
    );
  }
  return { ...converted, name: 'fields', problems, warnings: converted.warnings.map(plain) };
}

function resolveBuiltin(name: string): StructuralSchema | undefined {
  const known = builtinTypeNames().find((candidate) => candidate === name);
  return known === undefined ? undefined : builtinSchema(known);
}

/** A property may be called `description`: only the keyword goes. */
function withoutDescriptions({ description: _, ...schema }: StructuralSchema): StructuralSchema {
  const { properties, items, additionalProperties } = schema;
  return {
    ...schema,
    ...(properties === undefined
      ? {}
      : { properties: Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, withoutDescriptions(property)])) }),
    ...(items === undefined ? {} : { items: withoutDescriptions(items) }),
    ...(typeof additionalProperties === 'object' ? { additionalProperties: withoutDescriptions(additionalProperties) } : {}),
  };
}

/** Without `convert` the API server reads what was stored in one version as it is in another. */
export function conversionNeeds(versions: readonly CustomResourceVersionModel[], storageVersion: string): Problem[] {
  const storage = versions.find(({ name }) => name === storageVersion);
  if (storage === undefined) return [];
  // Clients cannot read or write a version that is not served.
  return versions
    .filter((version) => version !== storage && version.served)
    .flatMap((version) =>
      interchangeProblems(version.schema, storage.schema).map(({ path, explanation }) => ({
        path: `versions.${version.name}${path === '' ? '' : `.${path}`}`,
        message: `${explanation}; write convert.${version.name} { toStorage, fromStorage }, or make it like ${storage.name}`,
      })),
    )
    .map(forNew);
}

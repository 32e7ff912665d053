import { builtinSchema, builtinTypeNames } from '../../kinds/index.js';
import type { Scope, StructuralSchema } from '../../kubernetes/index.js';
import { checkResourceSchema, convertSchema } from '../../schema/index.js';
import { interchangeProblems } from '../../structural/index.js';
import type { Problem } from '../errors.js';
import type { CustomResourceVersionModel } from '../model.js';
import type { CustomResourceOptions, SchemaLike, VersionOptions } from './options.js';

/** The schema of a version, with what is wrong and what is risky in it. */
export interface VersionSchema {
  readonly schema: StructuralSchema;
  readonly problems: readonly Problem[];
  readonly warnings: readonly string[];
}

/** Converts spec and status, and puts the root around them that every custom object has. */
export function versionSchemaOf(
  version: VersionOptions,
  { name, options }: { readonly name: string; readonly options: CustomResourceOptions<string, string, Scope> },
): VersionSchema {
  const at = `versions.${name}`;
  const parts = (['spec', 'status'] as const).flatMap((part) => {
    const schema = version[part];
    return schema === undefined ? [] : [{ part, ...convertedPart(schema, part) }];
  });
  const missing = version.spec === undefined ? [{ path: 'spec', message: 'is missing; write a z.object({ ... })' }] : [];
  const root: StructuralSchema = {
    type: 'object',
    ...(version.description === undefined ? {} : { description: version.description }),
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
      ...Object.fromEntries(parts.map(({ part, schema }) => [part, schema])),
    },
    // The status is written later, by the controller.
    required: ['spec'],
    ...(version.rules === undefined || version.rules.length === 0 ? {} : { 'x-kubernetes-validations': version.rules }),
  };
  const schema = options.descriptions === 'drop' ? withoutDescriptions(root) : root;
  const problems = [...missing, ...parts.flatMap((part) => part.problems)];
  // What could not be converted has holes: checking it would tell follow-up problems only.
  const found = problems.length > 0 ? [] : checkResourceSchema(schema, { statusSubresource: version.status !== undefined });
  const located = ({ path, message }: Problem): Problem => ({ path: `${at}.${path === 'the schema' ? 'rules' : path}`, message });
  const warnings = parts.flatMap((part) => part.warnings).map(located);
  return {
    schema,
    problems: [...problems, ...found].map(located),
    warnings: warnings.map(({ path, message }) => `${path}: ${message}`),
  };
}

interface Part {
  readonly schema: StructuralSchema;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

function convertedPart(zodSchema: SchemaLike, part: 'spec' | 'status'): Part {
  const { schema, problems, warnings, optional } = convertSchema(zodSchema, { path: part, resolveBuiltin });
  if (problems.length > 0) return { schema, problems, warnings };
  const own: Problem[] = [];
  if (schema.type !== 'object') own.push({ path: part, message: `is of type ${schema.type ?? 'unknown'}; write a z.object({ ... })` });
  if (optional) own.push({ path: part, message: 'may be absent; leave .optional(), .default() and .prefault() to its fields' });
  return { schema, problems: own, warnings };
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
  // Nobody reads or writes a version that is not served.
  return versions
    .filter((version) => version !== storage && version.served)
    .flatMap((version) =>
      interchangeProblems(version.schema, storage.schema).map(({ path, explanation }) => ({
        path: `versions.${version.name}${path === '' ? '' : `.${path}`}`,
        message: `${explanation}; write convert.${version.name} { toStorage, fromStorage }, or make it like ${storage.name}`,
      })),
    );
}

import { builtinSchema, builtinTypeNames } from '../../kinds/index.js';
import type { Scope, StructuralSchema } from '../../kubernetes/index.js';
import { convertSchema } from '../../schema/index.js';
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
  const missing = version.spec === undefined ? [{ path: `${at}.spec`, message: 'is missing; write a z.object({ ... })' }] : [];
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
  return {
    schema: options.descriptions === 'drop' ? withoutDescriptions(root) : root,
    problems: [...missing, ...parts.flatMap(({ problems }) => problems.map(({ path, message }) => ({ path: `${at}.${path}`, message })))],
    warnings: parts.flatMap(({ warnings }) => warnings.map(({ path, message }) => `${at}.${path}: ${message}`)),
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

export function interchangeProblems(_versions: readonly CustomResourceVersionModel[], _storage: string): Problem[] {
  return [];
}

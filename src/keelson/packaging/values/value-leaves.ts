import { equalJson, type Json, messageOf } from '@keelson/kubernetes/apimachinery';
import { z } from 'zod';
import { PackageError } from '../errors.js';
import type { JsonSchema, LeafType, ValueLeaf } from './value-leaf.js';

/** Values of an installation, by the names of `values.yaml`. */
export type ValueTree = { readonly [name: string]: Json };

/** The declared values of a package: their schema, and each as a leaf. */
export interface ValueModel {
  readonly schema: JsonSchema;
  readonly leaves: readonly ValueLeaf[];
  readonly defaults: ValueTree;
  /** Whether the schema takes these values. */
  readonly accepts: (values: ValueTree) => boolean;
  /** Why the schema does not take them, in a sentence that begins with the value. */
  readonly problemOf: (values: ValueTree) => string | undefined;
}

const NAME = /^[a-z][a-zA-Z0-9]*$/;

/**
 * Reads the values of a package from their zod schema.
 *
 * @throws PackageError for a value without default, a name that a template cannot say, and a schema that changes what it is given
 */
export function valueModelOf(values: z.ZodObject, overrides: ValueTree = {}): ValueModel {
  const schema = withDefaults(jsonSchemaOf(values), overrides, []);
  const leaves = leavesOf(schema, []);
  const defaults = treeOf(leaves.map(({ path, byDefault }) => [path, byDefault] as const));
  const problemOf = (tree: ValueTree): string | undefined => {
    const [issue] = values.safeParse(tree).error?.issues ?? [];
    return issue === undefined ? undefined : `values.${issue.path.join('.')}: ${issue.message}`;
  };
  const problem = problemOf(defaults);
  const parsed = values.safeParse(defaults);
  if (problem !== undefined) throw new PackageError(`${problem} (by default)`);
  if (!equalJson(parsed.data as Json, defaults)) {
    throw new PackageError(
      'values: the schema changes what it is given (a transform, coerce or trim); a chart hands values on as they are',
    );
  }
  return { schema, leaves, defaults, accepts: (tree) => problemOf(tree) === undefined, problemOf };
}

function jsonSchemaOf(values: z.ZodObject): JsonSchema {
  try {
    return z.toJSONSchema(values, { io: 'input', target: 'draft-7' }) as JsonSchema;
  } catch (error) {
    throw new PackageError(`values: the schema cannot be written as JSON Schema: ${messageOf(error)}`, { cause: error });
  }
}

/** The schema with other defaults. @throws PackageError for a default of a value that is not declared */
function withDefaults(schema: JsonSchema, defaults: ValueTree, path: readonly string[]): JsonSchema {
  const unknown = Object.keys(defaults).find((key) => schema.properties?.[key] === undefined);
  if (unknown !== undefined) throw new PackageError(`defaults.${[...path, unknown].join('.')}: there is no such value`);
  const properties = Object.entries(schema.properties ?? {}).map(([key, property]): [string, JsonSchema] => {
    const value = defaults[key];
    if (value === undefined) return [key, property];
    return [key, isGroup(property) ? withDefaults(property, value as ValueTree, [...path, key]) : { ...property, default: value }];
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}

function leavesOf(schema: JsonSchema, path: readonly string[]): ValueLeaf[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, property]) => {
    const here = [...path, key];
    const name = here.join('.');
    if (!NAME.test(key)) throw new PackageError(`values.${name}: write the name in lowerCamelCase; templates cannot say others`);
    if (key === 'global' && path.length === 0) throw new PackageError('values.global: Helm hands this name to all charts; choose another');
    if (isGroup(property)) return leavesOf(property, here);
    if (property.default === undefined) {
      throw new PackageError(
        `values.${name}: has no default, and a chart must render as it is; add .default(...), for a text that may be left out .default('')`,
      );
    }
    return [
      { path: here, name, type: typeOf(property, name), byDefault: property.default, options: optionsOf(property), schema: property },
    ];
  });
}

/** An object of declared fields is a group of values; with a default of its own, or with free keys, it is one value. */
function isGroup(schema: JsonSchema): boolean {
  return schema.type === 'object' && schema.default === undefined && Object.keys(schema.properties ?? {}).length > 0;
}

function typeOf(schema: JsonSchema, name: string): LeafType {
  if (optionsOf(schema).length > 0) return 'choice';
  switch (schema.type) {
    case 'string':
      return 'text';
    case 'integer':
    case 'number':
      return schema.type;
    case 'array':
      return 'list';
    case 'object':
      return 'map';
    default:
      throw new PackageError(
        `values.${name}: is neither a text, a number, a boolean, an enum, a list nor a map; a union needs two values, one for each of its types`,
      );
  }
}

function optionsOf(schema: JsonSchema): readonly Json[] {
  if (schema.type === 'boolean') return [false, true];
  if (schema.const !== undefined) return [schema.const];
  return schema.enum ?? [];
}

/**
 * The values of several packages in one tree, each under its name, with `enabled` beside them.
 *
 * @throws PackageError for a default that is not taken
 */
export function joinedValues(parts: ReadonlyMap<string, ValueModel>, defaults: ValueTree = {}): ValueModel {
  const enabled: JsonSchema = { type: 'boolean', default: true, description: 'Whether this part is installed.' };
  const properties = Object.fromEntries(
    [...parts].map(([part, { schema }]): [string, JsonSchema] => [
      part,
      { ...schema, properties: { enabled, ...schema.properties }, $schema: undefined, default: undefined },
    ]),
  );
  const schema = withDefaults({ type: 'object', properties, additionalProperties: false }, defaults, []);
  const leaves = leavesOf(schema, []);
  const tree = treeOf(leaves.map(({ path, byDefault }) => [path, byDefault] as const));
  const problemOf = (given: ValueTree): string | undefined => {
    const stray = Object.keys(given).find((name) => !parts.has(name));
    if (stray !== undefined) return `values.${stray}: there is no such part; there are ${[...parts.keys()].join(', ')}`;
    for (const [part, model] of parts) {
      const { enabled: isEnabled, ...own } = given[part] as ValueTree;
      const problem = typeof isEnabled === 'boolean' ? model.problemOf(own) : 'values.enabled: must be true or false';
      if (problem !== undefined) return problem.replace(/^values\./, `values.${part}.`);
    }
    return undefined;
  };
  const problem = problemOf(tree);
  if (problem !== undefined) throw new PackageError(`${problem} (by default)`);
  return { schema, leaves, defaults: tree, accepts: (given) => problemOf(given) === undefined, problemOf };
}

/** Nested objects from paths and their values. */
export function treeOf(entries: readonly (readonly [path: readonly string[], value: Json])[]): ValueTree {
  const root: Record<string, Json> = {};
  for (const [path, value] of entries) {
    let node = root;
    for (const key of path.slice(0, -1)) {
      node[key] ??= {};
      node = node[key] as Record<string, Json>;
    }
    node[path.at(-1) ?? ''] = value;
  }
  return root;
}

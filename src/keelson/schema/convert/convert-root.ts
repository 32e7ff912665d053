import type { StructuralSchema } from '@keelson/kubernetes/apimachinery';
import type { SchemaProblem } from '@keelson/kubernetes/structural';
import type { ConversionContext, Converted } from './context.js';
import { convert } from './convert.js';

/** A built-in type of Kubernetes within a schema. */
export interface EmbeddedType {
  /** Keys that lead to its schema: `['properties', 'template']`. */
  readonly path: readonly string[];
  readonly type: string;
}

export interface ConvertedRoot extends Converted {
  /** Where `k.builtin()` stands, in the order of the schema. */
  readonly builtinTypes: readonly EmbeddedType[];
  readonly problems: readonly SchemaProblem[];
  readonly warnings: readonly SchemaProblem[];
}

/** Converts a whole schema. The context is made here, so that the modules of the converter meet in it and not in each other. */
export function convertRoot(
  schema: unknown,
  { path, resolveBuiltin }: { path: string; readonly resolveBuiltin: (name: string) => StructuralSchema | undefined },
): ConvertedRoot {
  const context: ConversionContext = {
    problems: [],
    warnings: [],
    resolveBuiltin,
    builtinTypes: new Map(),
    convert: (nested, place) => convert(nested, context, place),
  };
  const converted = convert(schema, context, { path, depth: 0, ancestors: [] });
  const builtinTypes = embeddedTypes(converted.schema as StructuralSchema, context.builtinTypes, []);
  return { ...converted, builtinTypes, problems: unique(context.problems), warnings: unique(context.warnings) };
}

function embeddedTypes(schema: StructuralSchema, names: ReadonlyMap<object, string>, path: readonly string[]): readonly EmbeddedType[] {
  const { properties, items, additionalProperties } = schema;
  const type = properties === undefined ? undefined : names.get(properties);
  if (type !== undefined) return [{ path, type }];
  const nested: readonly (readonly [readonly string[], StructuralSchema | undefined])[] = [
    ...Object.entries(properties ?? {}).map(([name, property]) => [['properties', name], property] as const),
    [['items'], items],
    [['additionalProperties'], typeof additionalProperties === 'object' ? additionalProperties : undefined],
  ];
  return nested.flatMap(([step, below]) => (below === undefined ? [] : embeddedTypes(below, names, [...path, ...step])));
}

function unique(problems: readonly SchemaProblem[]): readonly SchemaProblem[] {
  const seen = new Map(problems.map((problem) => [`${problem.path}\n${problem.message}`, problem]));
  return [...seen.values()];
}

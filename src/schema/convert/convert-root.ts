import type { StructuralSchema } from '../../kubernetes/index.js';
import type { SchemaProblem } from '../../structural/index.js';
import type { ConversionContext, Converted } from './context.js';
import { convert } from './convert.js';

export interface ConvertedRoot extends Converted {
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
    convert: (nested, place) => convert(nested, context, place),
  };
  const converted = convert(schema, context, { path, depth: 0, ancestors: [] });
  return { ...converted, problems: unique(context.problems), warnings: unique(context.warnings) };
}

function unique(problems: readonly SchemaProblem[]): readonly SchemaProblem[] {
  const seen = new Map(problems.map((problem) => [`${problem.path}\n${problem.message}`, problem]));
  return [...seen.values()];
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StructuralSchema } from '../../src/kubernetes/apimachinery/index.js';
import { createValidator, prune } from '../../src/kubernetes/structural/index.js';

/** Where the output of a command departs from its JSON Schema: wrong fields, and fields that the schema does not know. */
export function shapeProblems(schema: string, output: unknown): readonly string[] {
  const text = readFileSync(join(__dirname, `../../src/cli/schemas/${schema}.json`), 'utf8');
  const { $schema: _, ...shape } = JSON.parse(text) as StructuralSchema & { readonly $schema: string };
  const unknown: string[] = [];
  prune(shape, output as never, { onUnknownField: (path) => unknown.push(`unknown field ${path}`) });
  return [
    ...createValidator(shape)
      .validate(output as never)
      .map(({ field, message }) => `${field}: ${message}`),
    ...unknown,
  ];
}

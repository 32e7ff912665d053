import * as zod from 'zod';
import { convertSchema, type ZodLike } from '../../../src/keelson/schema/index.js';
import { builtinSchema } from '../../../src/kubernetes/kinds/index.js';
import { zodGroups } from '../../cluster/schema/zod-cases/index.js';
import { refusalCases } from './convert/refusal-cases.js';
import { documentedForms } from './documented-forms.js';

/**
 * What the converter makes of every schema that the tests know, with the zod that is loaded.
 *
 * @public required by name, once per zod
 */
export function outputs(): { version: string; results: Record<string, unknown> } {
  const cases: (readonly [string, () => unknown])[] = [
    ...refusalCases.map(([name, schema]) => [`refusal: ${name}`, schema] as const),
    ...documentedForms.map(({ name, schema }) => [`form: ${name}`, schema] as const),
    ...Object.values(zodGroups).flatMap((group) =>
      Object.entries(group).map(([name, { schema }]) => [`case: ${name}`, () => schema] as const),
    ),
  ];
  const { major, minor, patch } = zod.core.version;
  return { version: `${major}.${minor}.${patch}`, results: Object.fromEntries(cases.map(([name, schema]) => [name, outputOf(schema)])) };
}

function outputOf(schema: () => unknown): unknown {
  return convertSchema(schema() as ZodLike, {
    path: 'spec',
    resolveBuiltin: (name) => (name === 'PodTemplat' ? undefined : builtinSchema(name as 'PodSpec')),
  });
}

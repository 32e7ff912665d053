import fc from 'fast-check';
import { z } from 'zod';
import type { Json, StructuralSchema } from '../../../src/kubernetes/index.js';
import { checkResourceSchema, convertSchema, k } from '../../../src/schema/index.js';
import { checkStructural } from '../../../src/structural/index.js';
import { commitSeed } from '../../seed/commit-seed.js';
import { KNOWN } from './known.js';
import { schemaText } from './schema-texts.js';
import { valuesOf } from './values.js';

export interface Sample {
  /** What an author would write. */
  readonly text: string;
  readonly zod: z.ZodType;
  /** The schema of the whole custom resource; `spec` is what the text says. */
  readonly root: StructuralSchema;
  /** What an API server has against it, as far as we know. */
  readonly problems: readonly string[];
  /** Whether an author is let define it: our check refuses some of what a server takes. */
  readonly isSound: boolean;
  readonly objects: readonly { readonly spec: Json }[];
}

export interface Samples {
  readonly converted: readonly Sample[];
  readonly refused: number;
}

const VALUES_PER_SCHEMA = 8;

/** Random schemas that convert, with values for each; the same for the same seed. */
export function samplesOf(count: number, seed: number): Samples {
  const texts = fc.sample(schemaText, { numRuns: count, seed });
  const converted = texts.flatMap((text, index) => sampleOf(text, seed + index) ?? []);
  return { converted, refused: texts.length - converted.length };
}

/** Schemas that a judge once took otherwise than zod, with the very values. */
export function knownSamples(): readonly Sample[] {
  return Object.entries(KNOWN).map(([text, values]) => {
    const sample = sampleOf(text, 1);
    if (sample === undefined) throw new Error(`${text} does not convert`);
    return { ...sample, objects: values.map((spec) => ({ spec })) };
  });
}

function sampleOf(text: string, seed: number): Sample | undefined {
  const schema = compiled(text);
  if (schema === undefined) return undefined;
  const { schema: spec, problems } = convertSchema(schema, { path: 'spec', resolveBuiltin: () => undefined });
  if (problems.length > 0) return undefined;
  const root: StructuralSchema = { type: 'object', required: ['spec'], properties: { spec } };
  const values = fc.sample(valuesOf(spec), { numRuns: VALUES_PER_SCHEMA, seed });
  return {
    text,
    zod: schema,
    root,
    problems: checkStructural(root).map(({ field, message }) => `${field}: ${message}`),
    isSound: checkResourceSchema(root).length === 0,
    objects: values.map((value) => ({ spec: JSON.parse(JSON.stringify(value)) as Json })),
  };
}

/** `undefined` for what zod itself refuses to make. */
function compiled(text: string): z.ZodType | undefined {
  try {
    // oxlint-disable-next-line typescript/no-implied-eval -- the text is drawn from our own
    return new Function('z', 'k', `return ${text};`)(z, k) as z.ZodType;
  } catch {
    return undefined;
  }
}

/** `KEELSON_SCHEMA_SEED` takes the place of the commit's. */
export function seedOfCommit(): number {
  return commitSeed('KEELSON_SCHEMA_SEED');
}

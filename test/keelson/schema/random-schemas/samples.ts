import fc from 'fast-check';
import { z } from 'zod';
import { checkResourceSchema, convertSchema, k } from '../../../../src/keelson/schema/index.js';
import type { Json, StructuralSchema } from '../../../../src/kubernetes/apimachinery/index.js';
import { checkStructural } from '../../../../src/kubernetes/structural/index.js';
import { commitSeed } from '../../../seed/commit-seed.js';
import { type Change, type Draft, isFields } from './drafts.js';
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
  readonly objects: readonly Draft[];
  /** Updates of these objects. */
  readonly changes: readonly Change[];
}

const VALUES_PER_SCHEMA = 8;

/** About five texts are drawn for a new schema that an author may define. */
const MOST_TEXTS = 20;

/**
 * Random schemas that convert, with values for each; the same for the same seed.
 *
 * Texts are drawn until `count` different schemas of a CRD are there that an author may define. Among the samples are also texts
 * that write one of these schemas in another way, and schemas that a definition refuses.
 */
export function samplesOf(count: number, seed: number): readonly Sample[] {
  const samples: Sample[] = [];
  const texts = new Set<string>();
  const schemas = new Set<string>();
  for (let part = 0; part < MOST_TEXTS; part += 1) {
    for (const text of fc.sample(schemaText, { numRuns: count, seed: seed + part })) {
      if (texts.has(text)) continue;
      texts.add(text);
      const sample = sampleOf(text, seed + texts.size);
      if (sample === undefined) continue;
      samples.push(sample);
      if (sample.isSound) schemas.add(JSON.stringify(sample.root));
      if (schemas.size === count) return samples;
    }
  }
  throw new Error(`${texts.size} different texts hold only ${schemas.size} schemas that may be defined`);
}

/** The different schemas of a CRD among `samples`. */
export function schemasOf(samples: readonly Sample[]): ReadonlySet<string> {
  return new Set(samples.map(({ root }) => JSON.stringify(root)));
}

/** Schemas that a judge once took otherwise than zod, with the very values. */
export function knownSamples(): readonly Sample[] {
  return Object.entries(KNOWN).map(([text, values]) => {
    const sample = sampleOf(text, 1);
    if (sample === undefined) throw new Error(`${text} does not convert`);
    const objects = values.map((spec) => ({ spec }));
    return { ...sample, objects, changes: changesOf(objects) };
  });
}

function sampleOf(text: string, seed: number): Sample | undefined {
  const schema = compiled(text);
  if (schema === undefined) return undefined;
  const { schema: spec, problems } = convertSchema(schema, { path: 'spec', resolveBuiltin: () => undefined });
  if (problems.length > 0) return undefined;
  const root: StructuralSchema = { type: 'object', required: ['spec'], properties: { spec } };
  const values = fc.sample(valuesOf(spec), { numRuns: VALUES_PER_SCHEMA, seed });
  const objects = values.map((value) => ({ spec: JSON.parse(JSON.stringify(value)) as Json }));
  return {
    text,
    zod: schema,
    root,
    problems: checkStructural(root).map(({ field, message }) => `${field}: ${message}`),
    isSound: checkResourceSchema(root).length === 0,
    objects,
    changes: changesOf(objects),
  };
}

/** Each object becomes the next one; every second change takes one field of it alone, or an immutable field would seldom stay. */
function changesOf(objects: readonly Draft[]): readonly Change[] {
  return objects.slice(1).map((next, index) => {
    const old = objects[index] as Draft;
    if (index % 2 === 0 || !isFields(old.spec) || !isFields(next.spec)) return { old, object: next };
    const fields = Object.entries(next.spec);
    const start = index % (fields.length + 1);
    return { old, object: { spec: { ...old.spec, ...Object.fromEntries(fields.slice(start, start + 1)) } } };
  });
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

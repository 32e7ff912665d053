import { differencesFromZod, ourVerdicts, simplest } from './random-schemas/comparison.js';
import { knownSamples, samplesOf, schemasOf, seedOfCommit } from './random-schemas/samples.js';

const SCHEMAS = 500;
const seed = seedOfCommit();

test.each(knownSamples().map((sample) => [sample.text, sample] as const))('zod and our validator agree on %s', (_text, sample) => {
  expect(sample.isSound).toBe(true);
  expect(differencesFromZod(sample, ourVerdicts(sample))).toEqual([]);
});

/** The suite in test/cluster asks ten times as many, and the API server's own code too. */
test(`zod and our validator agree on random schemas and values (KEELSON_SCHEMA_SEED=${seed})`, () => {
  const sound = samplesOf(SCHEMAS, seed).filter(({ isSound }) => isSound);
  expect(schemasOf(sound).size).toBe(SCHEMAS);
  const verdicts = sound.map(ourVerdicts);
  expect(simplest(sound.flatMap((sample, index) => differencesFromZod(sample, verdicts[index] ?? [])))).toEqual([]);
  // Otherwise little would have been compared.
  const stored = verdicts.flat().filter((verdict) => verdict.stored !== undefined).length;
  expect(stored).toBeGreaterThan(verdicts.flat().length * 0.2);
});

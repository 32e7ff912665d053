import { differencesFromZod, ourVerdicts, simplest } from './random-schemas/comparison.js';
import { knownSamples, samplesOf, seedOfCommit } from './random-schemas/samples.js';

const SCHEMAS = 500;
const seed = seedOfCommit();

test.each(knownSamples().map((sample) => [sample.text, sample] as const))('zod and our validator agree on %s', (_text, sample) => {
  expect(sample.isSound).toBe(true);
  expect(differencesFromZod(sample, ourVerdicts(sample))).toEqual([]);
});

/** The suite in test/cluster asks ten times as many, and the API server's own code too. */
test(`zod and our validator agree on random schemas and values (KEELSON_SCHEMA_SEED=${seed})`, () => {
  const { converted, refused } = samplesOf(SCHEMAS, seed);
  const sound = converted.filter(({ isSound }) => isSound);
  const verdicts = sound.map(ourVerdicts);
  expect(simplest(sound.flatMap((sample, index) => differencesFromZod(sample, verdicts[index] ?? [])))).toEqual([]);
  // Otherwise little would have been compared.
  expect({ refused: refused < SCHEMAS * 0.6, sound: sound.length > SCHEMAS * 0.3 }).toEqual({ refused: true, sound: true });
  const stored = verdicts.flat().filter((verdict) => verdict.stored !== undefined).length;
  expect(stored).toBeGreaterThan(verdicts.flat().length * 0.2);
});

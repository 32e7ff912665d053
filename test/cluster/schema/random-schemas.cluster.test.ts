import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { goClient } from '../../../scripts/cluster/go-client.js';
import type { Json } from '../../../src/kubernetes/index.js';
import {
  canonical,
  type Disagreement,
  differencesFromZod,
  ourVerdicts,
  simplest,
  type Verdict,
} from '../../schema/random-schemas/comparison.js';
import { knownSamples, type Sample, samplesOf, seedOfCommit } from '../../schema/random-schemas/samples.js';

/** What the API server's code answers: see judge/main.go. */
interface Answer {
  readonly problems: readonly string[];
  readonly verdicts: readonly { readonly causes: readonly string[]; readonly stored: Json }[];
}

const SCHEMAS = Number(process.env['KEELSON_SCHEMA_COUNT'] ?? 5000);
const seed = seedOfCommit();
const judge = goClient(join(__dirname, 'judge'));
const describeGo = judge.found
  ? describe
  : (name: string) => describe.skip(`${name} [skipped: ${judge.reason}]`, () => test('Go', () => undefined));

async function answersOf(samples: readonly Sample[]): Promise<readonly Answer[]> {
  if (!judge.found) throw new Error(judge.reason);
  const child = spawn(judge.path, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  const answers: Answer[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => answers.push(JSON.parse(line) as Answer));
  for (const { root, objects } of samples) {
    // The judge answers while it is asked: unread answers would stop it.
    if (!child.stdin.write(`${JSON.stringify({ schema: root, objects })}\n`)) await once(child.stdin, 'drain');
  }
  child.stdin.end();
  const [code] = await ended;
  if (code !== 0) throw new Error(`the judge ended with code ${String(code)} after ${answers.length} of ${samples.length} answers`);
  return answers;
}

describeGo(`random schemas and values (KEELSON_SCHEMA_SEED=${seed})`, () => {
  const { converted: random, refused } = samplesOf(SCHEMAS, seed);
  const converted = [...knownSamples(), ...random];
  let answers: readonly Answer[] = [];
  beforeAll(async () => {
    answers = await answersOf(converted);
  }, 300_000);

  test('most of them convert, and every answer is there', () => {
    expect(answers.length).toBe(converted.length);
    expect(refused).toBeLessThan(SCHEMAS * 0.6);
    const stored = answers.flatMap(({ verdicts }) => verdicts).filter(({ causes }) => causes.length === 0).length;
    expect(stored).toBeGreaterThan(SCHEMAS);
  });

  test('the API server takes the schemas that our check takes', () => {
    const found = converted.flatMap(({ text, problems }, index): Disagreement[] => {
      const server = answers[index]?.problems ?? [];
      return (problems.length === 0) === (server.length === 0) ? [] : [{ text, ours: problems, server }];
    });
    expect(simplest(found)).toEqual([]);
  });

  /** Both take the schema: only then there is something to ask. */
  const judged = () =>
    converted.flatMap((sample, index) => {
      const { problems = [], verdicts = [] } = answers[index] ?? {};
      return problems.length > 0 || sample.problems.length > 0 ? [] : [{ sample, verdicts }];
    });

  test('our validator and the API server store and refuse the same', () => {
    const found = judged().flatMap(({ sample, verdicts }) =>
      ourVerdicts(sample).flatMap((ours, index): Disagreement[] => {
        const { causes = [], stored = null } = verdicts[index] ?? {};
        const server = causes.length === 0 ? stored : undefined;
        if ((ours.causes.length === 0) === (causes.length === 0) && canonical(ours.stored) === canonical(server)) return [];
        return [{ text: sample.text, object: sample.objects[index]?.spec ?? null, ours, server: { causes, stored } }];
      }),
    );
    expect(simplest(found)).toEqual([]);
  });

  test('zod and the API server store and refuse the same', () => {
    const sound = judged().filter(({ sample }) => sample.isSound);
    const found = sound.flatMap(({ sample, verdicts }) =>
      differencesFromZod(
        sample,
        verdicts.map(({ causes, stored }): Verdict => ({ causes, stored: causes.length === 0 ? stored : undefined })),
      ),
    );
    expect(simplest(found)).toEqual([]);
  });
});

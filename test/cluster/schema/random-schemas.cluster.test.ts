import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { goClient } from '../../../scripts/cluster/go-client.js';
import type { Json } from '../../../src/kubernetes/apimachinery/index.js';
import {
  canonical,
  type Disagreement,
  differencesFromZod,
  ourVerdicts,
  ourVerdictsOfChanges,
  simplest,
  type Verdict,
} from '../../keelson/schema/random-schemas/comparison.js';
import type { Change, Draft } from '../../keelson/schema/random-schemas/drafts.js';
import { knownSamples, type Sample, samplesOf, schemasOf, seedOfCommit } from '../../keelson/schema/random-schemas/samples.js';

/** What the API server's code answers: see judge/main.go. */
interface Answer {
  readonly problems: readonly string[];
  readonly verdicts: readonly ServerVerdict[];
  readonly changes: readonly ServerVerdict[];
}

interface ServerVerdict {
  readonly causes: readonly string[];
  readonly stored: Json;
}

const verdictOf = ({ causes, stored }: ServerVerdict): Verdict => ({ causes, stored: causes.length === 0 ? stored : undefined });

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
  for (const { root, objects, changes } of samples) {
    // The judge answers while it is asked: unread answers would stop it.
    if (!child.stdin.write(`${JSON.stringify({ schema: root, objects, changes })}\n`)) await once(child.stdin, 'drain');
  }
  child.stdin.end();
  const [code] = await ended;
  if (code !== 0) throw new Error(`the judge ended with code ${String(code)} after ${answers.length} of ${samples.length} answers`);
  return answers;
}

describeGo(`random schemas and values (KEELSON_SCHEMA_SEED=${seed})`, () => {
  const converted = [...knownSamples(), ...samplesOf(SCHEMAS, seed)];
  let answers: readonly Answer[] = [];
  beforeAll(async () => {
    answers = await answersOf(converted);
  });

  test(`${SCHEMAS} different schemas are judged by all`, () => {
    expect(answers.length).toBe(converted.length);
    const sound = judged().filter(({ sample }) => sample.isSound);
    expect(schemasOf(sound.map(({ sample }) => sample)).size).toBeGreaterThanOrEqual(SCHEMAS);
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
      const { problems = [], verdicts = [], changes = [] } = answers[index] ?? {};
      if (problems.length > 0 || sample.problems.length > 0) return [];
      return [{ sample, verdicts: verdicts.map(verdictOf), changes: changes.map(verdictOf) }];
    });

  test('our validator and the API server store and refuse the same', () => {
    const found = judged().flatMap(({ sample, verdicts }) => differing(sample, sample.objects, ourVerdicts(sample), verdicts));
    expect(simplest(found)).toEqual([]);
  });

  test('our validator and the API server change and refuse the same', () => {
    const found = judged().flatMap(({ sample, changes }) => differing(sample, sample.changes, ourVerdictsOfChanges(sample), changes));
    expect(simplest(found)).toEqual([]);
  });

  test('zod and the API server store and refuse the same', () => {
    const sound = judged().filter(({ sample }) => sample.isSound);
    expect(simplest(sound.flatMap(({ sample, verdicts }) => differencesFromZod(sample, verdicts)))).toEqual([]);
  });

  test('zod and the API server change and refuse the same, but for immutable fields', () => {
    let immutable = 0;
    const found = judged().flatMap(({ sample, verdicts, changes }) => {
      // An object that was refused is not changed.
      const changed = sample.changes.map(({ object }, index) => ({ object, verdict: changes[index] as Verdict, old: verdicts[index] }));
      const stored = changed.filter(({ old }) => old?.causes.length === 0);
      const known = stored.filter(({ verdict: { causes } }) => !causes.some((cause) => / is immutable/.test(cause)));
      immutable += stored.length - known.length;
      const objects = known.map(({ object }) => object);
      return sample.isSound
        ? differencesFromZod(
            { ...sample, objects },
            known.map(({ verdict }) => verdict),
          )
        : [];
    });
    expect(simplest(found)).toEqual([]);
    expect(immutable).toBeGreaterThan(SCHEMAS * 0.005);
  });
});

function differing(
  { text }: Sample,
  asked: readonly (Draft | Change)[],
  ours: readonly Verdict[],
  server: readonly Verdict[],
): readonly Disagreement[] {
  return asked.flatMap((object, index): Disagreement[] => {
    const [our, its] = [ours[index] as Verdict, server[index] as Verdict];
    if ((our.causes.length === 0) === (its.causes.length === 0) && canonical(our.stored) === canonical(its.stored)) return [];
    return [{ text, object, ours: our, server: its }];
  });
}

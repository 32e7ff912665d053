import { Explorer } from './explore.js';
import type { Scenario } from './scenario.js';

/** Seeds of one test: few, so that none comes near its time limit on a machine that does much else. */
const CHUNK = 20;
/** Tests over which the crashes are spread. */
const CRASH_TESTS = 4;
const MOST_TOLD = 3;

export interface Seeds {
  /** How many seeds one run tries. */
  readonly count: number;
  /** Seeds that once found a defect: tried in each run. @defaultValue none */
  readonly kept?: readonly number[];
}

/**
 * The tests of a scenario. `KEELSON_EXPLORE=<scenario>:<seed>` plays one seed again; `KEELSON_EXPLORE_SEEDS` sets how many are tried, from
 * `KEELSON_EXPLORE_FROM` on: CI derives it from the commit, so that each commit tries seeds of its own.
 */
export function explorations(scenario: Scenario, { count: usual, kept = [] }: Seeds): void {
  const explorer = new Explorer(scenario);
  beforeAll(() => explorer.open());
  afterAll(() => explorer.close());
  const { KEELSON_EXPLORE: only = '', KEELSON_EXPLORE_SEEDS: count = usual, KEELSON_EXPLORE_FROM: from = 1 } = process.env;
  const [name, seed] = only.split(':');
  if (only !== '') {
    const isAsked = name === scenario.name;
    const reason = `[skipped: KEELSON_EXPLORE asks for ${only}]`;
    (isAsked ? test : test.skip)(isAsked ? `${scenario.name}: seed ${seed}` : `${scenario.name}: all seeds ${reason}`, () =>
      explorer.seed(Number(seed)),
    );
    if (isAsked) test.skip(`${scenario.name}: the other seeds ${reason}`, () => undefined);
    return;
  }
  test.each(Array.from({ length: CRASH_TESTS }, (_, index) => index + 1))(
    `${scenario.name}: H42: killed after any of its writes, it ends in the same state (%i of ${CRASH_TESTS})`,
    async (first) => {
      const failures: string[] = [];
      for (let n = first; n <= explorer.undisturbed.writes; n += CRASH_TESTS)
        await explorer.crashAfter(n).catch((error: unknown) => failures.push(messageOf(error)));
      expect(failures.slice(0, MOST_TOLD).join('\n\n')).toBe('');
    },
  );
  for (const seed of kept) test(`${scenario.name}: seed ${seed}, which once found a defect`, () => explorer.seed(seed));
  const last = Number(from) + Number(count);
  const chunks = Array.from({ length: Math.ceil(Number(count) / CHUNK) }, (_, index) => Number(from) + index * CHUNK);
  test.each(chunks)(`${scenario.name}: seeds from %i end as undisturbed, without duplicates, and come to rest`, async (first) => {
    const failures: string[] = [];
    for (let next = first; next < Math.min(first + CHUNK, last); next += 1) {
      await explorer.seed(next).catch((error: unknown) => failures.push(`KEELSON_EXPLORE=${scenario.name}:${next}\n${messageOf(error)}`));
    }
    expect(failures.slice(0, MOST_TOLD).join('\n\n')).toBe('');
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

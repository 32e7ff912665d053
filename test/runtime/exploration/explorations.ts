import { Explorer } from './explore.js';
import type { Scenario } from './scenario.js';

const CHUNK = 50;
const MOST_TOLD = 3;

/**
 * The tests of a scenario. A seed that fails is told, and comes again alone with `KEELSON_EXPLORE=<scenario>:<seed>`; `KEELSON_EXPLORE_SEEDS` is how many are
 * tried, from `KEELSON_EXPLORE_FROM` on.
 */
export function explorations(scenario: Scenario, seeds: number): void {
  const explorer = new Explorer(scenario);
  beforeAll(() => explorer.open(), 60_000);
  afterAll(() => explorer.close());
  const { KEELSON_EXPLORE: only = '', KEELSON_EXPLORE_SEEDS: count = seeds, KEELSON_EXPLORE_FROM: from = 1 } = process.env;
  const [name, seed] = only.split(':');
  if (only !== '') {
    const replay = name === scenario.name ? test : test.skip;
    replay(`${scenario.name}: seed ${seed}`, () => explorer.seed(Number(seed)), 60_000);
    test.skip('the others', () => undefined);
    return;
  }
  test(`${scenario.name}: H42: killed after any of its writes, it ends in the same state`, async () => {
    const failures: string[] = [];
    for (let n = 1; n <= explorer.undisturbed.writes; n += 1)
      await explorer.crashAfter(n).catch((error: unknown) => failures.push(messageOf(error)));
    expect(failures.slice(0, MOST_TOLD).join('\n\n')).toBe('');
  }, 120_000);
  const chunks = Array.from({ length: Math.ceil(Number(count) / CHUNK) }, (_, index) => Number(from) + index * CHUNK);
  test.each(chunks)(
    `${scenario.name}: seeds from %i end as undisturbed, without duplicates, and come to rest`,
    async (first) => {
      const failures: string[] = [];
      for (let next = first; next < first + CHUNK; next += 1) {
        await explorer.seed(next).catch((error: unknown) => failures.push(`KEELSON_EXPLORE=${scenario.name}:${next}\n${messageOf(error)}`));
      }
      expect(failures.slice(0, MOST_TOLD).join('\n\n')).toBe('');
    },
    120_000,
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

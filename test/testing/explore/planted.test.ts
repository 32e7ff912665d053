import { ExplorationError } from '@keelson/testing';
import { ownSeeds } from './own-seeds.js';
import * as answers from './planted/answers.js';
import * as crash from './planted/crash.js';
import { memberTwice } from './planted/member-twice.js';
import type { Planted } from './planted/planted.js';
import * as refusals from './planted/refusals.js';
import * as releases from './planted/releases.js';
import * as stale from './planted/stale.js';
import { twoSecrets } from './planted/two-secrets.js';
import * as values from './planted/values.js';
import { volatileFields } from './planted/volatile-fields.js';
import * as workloads from './planted/workloads.js';

const PLANTED: readonly Planted[] = [
  twoSecrets,
  memberTwice,
  volatileFields,
  ...Object.values(stale),
  ...Object.values(crash),
  ...Object.values(answers),
  ...Object.values(workloads),
  ...Object.values(releases),
  ...Object.values(refusals),
  ...Object.values(values),
];

async function explained(exploration: Promise<unknown>): Promise<string> {
  try {
    await exploration;
  } catch (error) {
    if (error instanceof ExplorationError) return error.message;
    throw error;
  }
  return 'nothing was found';
}

describe.each(PLANTED)('$name', ({ bug, twin, says }) => {
  // A mistake is found by one of the first seeds. Its twin must be clean by any seed, so each commit may try others.
  describe('the mistake', () => {
    ownSeeds();

    test('is found, and explained in 20 lines at most', async () => {
      const text = await explained(bug(1_000));
      if (process.env['KEELSON_EXPLORE_SHOW'] !== undefined) process.stdout.write(`${text}\n\n`);
      for (const part of says) expect(text).toMatch(part);
      expect(text.split('\n').length).toBeLessThanOrEqual(20);
    });
  });

  test('is not found in the twin', () => twin(2));
});

describe('a child that the operator deletes at the moment its status is to be broken', () => {
  ownSeeds();

  test('is no failure of the exploration', async () => {
    process.env['KEELSON_EXPLORE_FROM'] = '4137';
    await stale.terminatingPredecessor.twin(1);
  });
});

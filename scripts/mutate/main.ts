import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { mutantsOf } from './mutants-of.js';
import { outcomeOf } from './report.js';
import { runStryker } from './run-stryker.js';
import { drawn, estimateOf, type Stratum } from './sample.js';
import { testsOf } from './tests-of.js';

/**
 * `npm run mutate -- src/runtime/queue`: changes the sources of a folder one by one and runs the tests of that folder alone. A change that no test notices is
 * listed: a test is missing, or the code does nothing. With `--sample 60` it tries 60 changes of each folder, drawn by `--seed`. docs/testing-the-tests.md has the
 * survivors that are known, with reasons.
 */

/** Percent of the mutants that the folder's own tests must notice. */
const LEAST_SCORE = 90;

const USAGE = 'npm run mutate -- [--sample <mutants of each folder> [--seed <number>]] src/runtime/queue …';

interface Draw {
  readonly size: number;
  readonly seed: number;
}

function parsed(args: readonly string[]): { readonly folders: readonly string[]; readonly draw: Draw | undefined } {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { sample: { type: 'string' }, seed: { type: 'string' } },
    allowPositionals: true,
  });
  if (positionals.length === 0) throw new Error(`name a folder: ${USAGE}`);
  if (values.seed !== undefined && values.sample === undefined) throw new Error(`--seed is for --sample: ${USAGE}`);
  const folders = positionals.map((folder) => folder.replace(/\/+$/, ''));
  for (const folder of folders) {
    if (!folder.startsWith('src/') || !existsSync(folder))
      throw new Error(`${folder} is not a folder below src; write for example src/runtime/queue`);
    testsOf(folder);
  }
  return {
    folders,
    draw:
      values.sample === undefined ? undefined : { size: whole('--sample', values.sample, 1), seed: whole('--seed', values.seed ?? '1', 0) },
  };
}

function whole(option: string, text: string, least: number): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < least) throw new Error(`${option} must be a whole number from ${least}, got ${text}`);
  return number;
}

/** The files that are mutated: a door only lists names. */
function sourcesOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && basename(file) !== 'index.ts')
    .map((file) => join(folder, file))
    .sort();
}

async function mutate(folder: string, draw: Draw | undefined): Promise<Stratum> {
  const results = join('.results/mutation', folder.slice('src/'.length).replaceAll('/', '-'));
  mkdirSync(results, { recursive: true });
  const keys = draw && (await mutantsOf(sourcesOf(folder)));
  const sample = draw && keys && drawn(keys, draw);
  const { tried, noticed, byTimeLimit, survivors } = outcomeOf(runStryker({ folder, tests: testsOf(folder), results, sample }), sample);
  for (const survivor of survivors) console.log(survivor);
  const stratum: Stratum = { all: keys?.length ?? tried, sampled: tried, noticed };
  console.log(
    `${folder}: ${shares([stratum])} of ${tried} mutants were noticed, ${byTimeLimit} of them by a time limit; ${survivors.length} were not`,
  );
  if ((100 * noticed) / tried < LEAST_SCORE) {
    console.log(`${folder}: fewer than ${LEAST_SCORE} %: write the missing tests in ${testsOf(folder).match.join(', ')}`);
    process.exitCode = 1;
  }
  return stratum;
}

function shares(strata: readonly Stratum[]): string {
  const { share, from, to } = estimateOf(strata);
  const whole = strata.every(({ all, sampled }) => sampled === all);
  return whole ? `${share.toFixed(1)} %` : `${share.toFixed(1)} % (of all: between ${from.toFixed(0)} and ${to.toFixed(0)} %)`;
}

const { folders, draw } = parsed(process.argv.slice(2));
const strata: Stratum[] = [];
for (const folder of folders) strata.push(await mutate(folder, draw));
if (strata.length > 1) {
  const [all, sampled] = [strata.reduce((sum, folder) => sum + folder.all, 0), strata.reduce((sum, folder) => sum + folder.sampled, 0)];
  console.log(`together: ${shares(strata)}; ${sampled} of ${all} mutants were tried`);
}

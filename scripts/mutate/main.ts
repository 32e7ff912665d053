import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type MutationReport, type Outcome, outcomeOf } from './report.js';

/**
 * `npm run mutate -- src/runtime/queue`: changes the sources of a folder one by one and runs the tests of that folder alone. A change that no test notices is
 * listed: a test is missing, or the code does nothing. docs/testing-the-tests.md has the survivors that are known, with reasons.
 */

/** Percent of the mutants that the folder's own tests must notice. */
const LEAST_SCORE = 90;

const STRYKER = join('node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');

function configuration(folder: string, { sandbox, report }: { readonly sandbox: string; readonly report: string }): object {
  return {
    testRunner: 'jest',
    plugins: ['@stryker-mutator/jest-runner'],
    mutate: [`${folder}/**/*.ts`, `!${folder}/**/index.ts`],
    coverageAnalysis: 'perTest',
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: report },
    tempDirName: sandbox,
    // TypeScript 7 has no JavaScript API, which Stryker would rewrite the configuration with. Without the file it leaves that out: swc reads no tsconfig.
    tsconfigFile: 'none.json',
    ignorePatterns: ['lib', 'dist', '.results', 'coverage', 'api', 'docs'],
    // A mutant that never ends is a mutant that was noticed; a busy machine is not.
    timeoutMS: 20_000,
    jest: {
      configFile: 'jest.config.mjs',
      config: { testMatch: [`<rootDir>/${testsOf(folder)}/**/*.test.ts`] },
      enableFindRelatedTests: false,
    },
  };
}

/** Tests mirror sources. */
function testsOf(folder: string): string {
  return folder.replace(/^src\//, 'test/');
}

function mutate(folder: string): Outcome {
  if (!folder.startsWith('src/') || !existsSync(folder))
    throw new Error(`${folder} is not a folder below src; write for example src/runtime/queue`);
  if (!existsSync(STRYKER)) throw new Error('Stryker is not installed; run npm ci');
  if (!existsSync(testsOf(folder))) throw new Error(`${folder} has no tests of its own: ${testsOf(folder)} does not exist`);
  const results = join('.results/mutation', folder.slice('src/'.length).replaceAll('/', '-'));
  mkdirSync(results, { recursive: true });
  const sandbox = mkdtempSync(join(tmpdir(), 'keelson-mutation-'));
  const [config, report] = [join(results, 'stryker.conf.json'), join(results, 'report.json')];
  rmSync(report, { force: true });
  writeFileSync(config, JSON.stringify(configuration(folder, { sandbox, report }), null, 2));
  try {
    const { status } = spawnSync(process.execPath, [STRYKER, 'run', config], { stdio: 'inherit' });
    if (!existsSync(report)) throw new Error(`Stryker ended with ${status} and wrote no report; its output above says why`);
  } finally {
    rmSync(sandbox, { recursive: true, force: true });
  }
  return outcomeOf(JSON.parse(readFileSync(report, 'utf8')) as MutationReport);
}

const folders = process.argv.slice(2).map((folder) => folder.replace(/\/+$/, ''));
if (folders.length === 0) throw new Error('name a folder: npm run mutate -- src/runtime/queue');
for (const folder of folders) {
  const { score, mutants, survivors } = mutate(folder);
  for (const survivor of survivors) console.log(survivor);
  console.log(`${folder}: ${score.toFixed(1)} % of ${mutants} mutants were noticed; ${survivors.length} were not`);
  if (score < LEAST_SCORE) {
    console.log(`${folder}: fewer than ${LEAST_SCORE} %: write the missing tests in ${testsOf(folder)}`);
    process.exitCode = 1;
  }
}

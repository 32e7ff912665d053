import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { MutationReport } from './report.js';
import type { FocusedOptions } from './stryker-plugin.js';
import type { FolderTests } from './tests-of.js';

const STRYKER = join('node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');

/** The scripts are TypeScript: Stryker and its runner processes load one of them. */
const LOADER = ['--import', 'tsx'];

/** The deadline of a single test: a change that makes a test wait for ever is noticed by it. */
const TEST_TIMEOUT_MS = 10_000;

/** On top of what the tests need without a change. Longer than a test's own deadline, as it costs a new process: it is there for loops that let no timer run. */
const RUN_TIMEOUT_MS = 20_000;

/** The run of all tests of a folder without a change. Stryker's own limit of 5 minutes is not enough for the tests of whole clusters on a machine that does other work too. */
const FIRST_RUN_MINUTES = 30;

export interface Job {
  /** Below src. */
  readonly folder: string;
  readonly tests: FolderTests;
  /** Where configuration and report go. */
  readonly results: string;
  /** Keys of the mutants to try; all if undefined. */
  readonly sample: readonly string[] | undefined;
}

/** @throws Error if Stryker ends without a report, for example as a test fails without any change */
export function runStryker(job: Job): MutationReport {
  if (!existsSync(STRYKER)) throw new Error('Stryker is not installed; run npm ci');
  const sandbox = mkdtempSync(join(tmpdir(), 'keelson-mutation-'));
  const [config, report] = [join(job.results, 'stryker.conf.json'), join(job.results, 'report.json')];
  rmSync(report, { force: true });
  writeFileSync(
    config,
    JSON.stringify({ ...configuration(job), ...focus(job), tempDirName: sandbox, jsonReporter: { fileName: report } }, null, 2),
  );
  try {
    const { status } = spawnSync(process.execPath, [...LOADER, STRYKER, 'run', config], { stdio: 'inherit' });
    if (!existsSync(report)) throw new Error(`Stryker ended with ${status} and wrote no report; its output above says why`);
  } finally {
    rmSync(sandbox, { recursive: true, force: true });
  }
  return JSON.parse(readFileSync(report, 'utf8')) as MutationReport;
}

function focus({ results, sample }: Job): FocusedOptions {
  const testsFile = resolve(results, 'tests.json');
  rmSync(testsFile, { force: true });
  if (sample === undefined) return { focused: { testsFile } };
  const sampleFile = resolve(results, 'sample.json');
  writeFileSync(sampleFile, JSON.stringify(sample, null, 2));
  return { focused: { sampleFile, testsFile } };
}

function configuration({ folder, tests }: Job): object {
  return {
    testRunner: 'focused',
    plugins: ['@stryker-mutator/jest-runner', resolve('scripts/mutate/stryker-plugin.ts')],
    testRunnerNodeArgs: LOADER,
    // Stryker starts a checker without checks too, and it loads the plugins.
    checkerNodeArgs: LOADER,
    // A second process halves the wait, but pays for loading and compiling all modules once more.
    concurrency: 1,
    mutate: [`${folder}/**/*.ts`, `!${folder}/**/index.ts`],
    coverageAnalysis: 'perTest',
    reporters: ['json', 'progress-append-only'],
    // TypeScript 7 has no JavaScript API, which Stryker would rewrite the configuration with. Without the file it leaves that out: swc reads no tsconfig.
    tsconfigFile: 'none.json',
    ignorePatterns: ['lib', 'dist', '.results', 'coverage'],
    timeoutMS: RUN_TIMEOUT_MS,
    dryRunTimeoutMinutes: FIRST_RUN_MINUTES,
    jest: {
      configFile: 'jest.config.mjs',
      config: {
        // The file system is searched before each run: no other folder has tests of these sources.
        roots: [`<rootDir>/${tests.root}`],
        watchman: false,
        testMatch: tests.match.map((glob) => `<rootDir>/${glob}`),
        testTimeout: TEST_TIMEOUT_MS,
        testEnvironment: resolve('scripts/mutate/first-failure-environment.cjs'),
      },
      enableFindRelatedTests: false,
    },
  };
}

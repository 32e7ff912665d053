import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { type JestOptions, type Output, runAlone, runJest } from './jest.js';
import type { Suite } from './suites.js';
import { counted, failedFiles, type JudgedResults, judged, type SecondRun, type TestResults } from './test-results.js';

/** Flaky files of one run that are accepted. */
const MOST_FLAKY = 5;
/** Files that run again. With more failures the run is red whatever they do: too many of them are flaky, or one fails twice. */
const MOST_AGAIN = 20;

export interface RunOptions {
  /** Flags for jest. */
  readonly flags: readonly string[];
  /** Where the results are written. */
  readonly file: string;
  /** Default: what jest prints is shown. */
  readonly output?: Output;
  /** The program that runs the tests. Default: that of this process. */
  readonly node?: string;
}

/**
 * Runs a suite, and writes its results. A test file that fails runs once more, alone, when all others have ended.
 *
 * If it passes then, it is flaky: it counts as passed, and is listed. A suite is red with more than {@link MOST_FLAKY} flaky files, and with one that is
 * flaky although it starts no process, thread or server that could be late.
 *
 * @returns whether the suite is green
 * @throws Error where jest ends without results
 */
export async function runSuite(suite: Suite, { flags, file, output = 'inherit', node = process.execPath }: RunOptions): Promise<boolean> {
  const options = { output, node };
  const { results: first, end } = await runJest(['--config', suite.config, ...flags], options);
  if (first === undefined) throw new Error(`${suite.name}: jest ended with ${end} and wrote no results`);
  const results = judged(first, await secondRuns(first, suite, options), commit());
  writeResults(file, results);
  const complaints = complaintsAbout(suite, results);
  if (end !== 0 && failedFiles(first).length === 0) complaints.push(`jest ended with ${end}, although no test failed`);
  for (const { file: path, message } of results.flaky) console.error(`${suite.name}: flaky: ${shown(path)}: ${message}`);
  for (const complaint of complaints) console.error(`${suite.name}: ${complaint}`);
  return complaints.length === 0;
}

/** Writes a suite that cannot run here, with the reason: the summary says it. */
export function skipSuite({ name }: Suite, file: string, skipped: string): void {
  console.error(`${name}: skipped: ${skipped}`);
  writeResults(file, { ...counted([]), commit: commit(), flaky: [], skipped });
}

function writeResults(file: string, results: JudgedResults): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(results));
}

async function secondRuns(results: TestResults, { config }: Suite, options: JestOptions): Promise<ReadonlyMap<string, SecondRun>> {
  const runs = new Map<string, SecondRun>();
  const failed = failedFiles(results);
  for (const { name } of failed.slice(0, MOST_AGAIN)) {
    console.error(`\n${shown(name)} failed. It runs once more, alone:`);
    const again = await runAlone(name, config, options);
    if (again !== undefined) runs.set(name, again);
  }
  if (failed.length > MOST_AGAIN) console.error(`${failed.length - MOST_AGAIN} more files failed; they do not run again`);
  return runs;
}

/** Why a suite is red. */
export function complaintsAbout({ isComplete }: Suite, results: JudgedResults): string[] {
  const complaints = failedFiles(results).map(({ name }) => `failed: ${shown(name)}`);
  if (results.flaky.length > MOST_FLAKY) complaints.push(`${results.flaky.length} flaky files: more than ${MOST_FLAKY} fail a run`);
  // Turborepo keeps what ended well: a suite whose tests were skipped must not be kept as one that passed.
  if (isComplete && process.env['CI'] !== undefined && results.numPendingTests + results.numTodoTests > 0)
    complaints.push('skipped tests, but CI needs all of them');
  return complaints;
}

function shown(path: string): string {
  return relative(process.cwd(), path);
}

/** The commit that is tested, with `-dirty` behind it where files differ from it. */
function commit(): string {
  const { status, stdout } = spawnSync('git', ['describe', '--always', '--dirty', '--abbrev=8', '--exclude=*'], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : 'unknown';
}

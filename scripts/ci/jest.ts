import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import type { SecondRun, TestResults } from './test-results.js';

const JEST = join('node_modules', 'jest', 'bin', 'jest.js');
const RECORD_STARTS = join('scripts', 'ci', 'record-starts.cjs');

export interface JestRun {
  /** Undefined where jest ended before it wrote any. */
  readonly results: TestResults | undefined;
  /** The exit status, or the signal that ended jest. */
  readonly end: number | string;
}

/** Whether the output of jest is shown. */
export type Output = 'inherit' | 'ignore';

export interface JestOptions {
  readonly output: Output;
  /** The program that runs jest and all that it starts. Default: that of this process. */
  readonly node?: string;
  readonly environment?: NodeJS.ProcessEnv;
}

/** Runs jest. */
export async function runJest(flags: readonly string[], options: JestOptions): Promise<JestRun> {
  const { output, node = process.execPath, environment = process.env } = options;
  const folder = mkdtempSync(join(tmpdir(), 'keelson-jest-'));
  try {
    const file = join(folder, 'results.json');
    const command = [JEST, ...flags, '--json', `--outputFile=${file}`];
    // jest writes the results to the file and to its standard output, which is dropped.
    // Tests start `node` and programs of npm by their names, too.
    const env = { ...environment, PATH: [dirname(node), environment['PATH']].join(delimiter) };
    const child = spawn(node, command, { stdio: ['ignore', 'ignore', output], env });
    const end = await new Promise<number | string>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code, signal) => resolve(code ?? signal ?? 'unknown'));
    });
    return { end, results: existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as TestResults) : undefined };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs one test file alone. @returns undefined where jest ended without results */
export async function runAlone(file: string, config: string, options: JestOptions): Promise<SecondRun | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-starts-'));
  try {
    const starts = join(folder, 'starts');
    const flags = ['--config', config, '--runTestsByPath', file, '--maxWorkers=1', '--setupFiles', join(process.cwd(), RECORD_STARTS)];
    const { results } = await runJest(flags, { ...options, environment: { ...process.env, KEELSON_RECORD_STARTS: starts } });
    const result = results?.testResults[0];
    return result === undefined ? undefined : { file: result, hasStarted: existsSync(starts) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

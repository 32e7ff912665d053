import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Where global-setup.mjs has put the tarballs and the project that installed them. */
const place = process.env['KEELSON_PACKAGING'] ?? '';

/** The packed packages, by name. */
export const tarballs = JSON.parse(readFileSync(join(place, 'tarballs.json'), 'utf8')) as Readonly<Record<string, string>>;

/** The folder that they lie in. */
export const tarballFolder: string = join(place, 'npm');

/** An empty project with all packages and their peers in node_modules. */
export const consumer: string = join(place, 'consumer');

export function write(file: string, text: string): string {
  const path = join(consumer, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

export interface RunResult {
  readonly status: number | null;
  readonly output: string;
}

/** Runs a program in the consumer's project (or another folder), without the environment by which this test run could help it. */
export function run(
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  cwd: string = consumer,
): RunResult {
  const { PATH = '', HOME = '' } = process.env;
  // A file, not a pipe: a program that ends by process.exit() loses what a slow reader of its pipe has not taken yet.
  const file = join(mkdtempSync(join(tmpdir(), 'keelson-output-')), 'stdout');
  const stdout = openSync(file, 'w');
  try {
    const { status, stderr } = spawnSync(command, args, {
      cwd,
      encoding: 'utf8',
      env: { PATH, HOME, ...environment },
      stdio: ['ignore', stdout, 'pipe'],
    });
    return { status, output: `${readFileSync(file, 'utf8')}${stderr}` };
  } finally {
    closeSync(stdout);
    rmSync(dirname(file), { recursive: true });
  }
}

/** Like {@link run}, where a failure of the program is a failure of the test: what it printed is then the message. */
export function succeed(...call: Parameters<typeof run>): string {
  const { status, output } = run(...call);
  if (status !== 0) throw new Error(`exit code ${status}\n${output}`);
  return output;
}

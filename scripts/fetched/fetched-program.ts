import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheRoot } from '../cluster/binaries.js';

export interface Fetched {
  /** A package, as npm takes it. */
  readonly spec: string;
  /** The program, below node_modules. */
  readonly program: string;
}

/**
 * @param name the folder of the cache
 * @returns the path of the program
 * @throws Error with what npm said
 */
export function fetchedProgram(name: string, { spec, program }: Fetched): string {
  const cache = join(cacheRoot(), name);
  const path = join(cache, 'node_modules', program);
  if (spawnSync(path, ['--version']).status !== 0) {
    mkdirSync(cacheRoot(), { recursive: true });
    // Two workers may fetch the same program: each installs it in a folder of its own, and puts that in place by one rename.
    const folder = mkdtempSync(`${cache}-`);
    try {
      install(spec, folder);
      rmSync(cache, { recursive: true, force: true });
      renameSync(folder, cache);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return path;
}

function install(spec: string, folder: string): void {
  const flags = ['--no-fund', '--no-audit', '--loglevel=error', '--prefix', folder];
  const { error, status, stderr } = spawnSync('npm', ['install', ...flags, spec], { encoding: 'utf8', env: process.env });
  if (error !== undefined || status !== 0) throw new Error(`npm cannot install ${spec}: ${error?.message ?? stderr.trim()}`);
}

import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathProblem } from '../../examples/etcd/cluster/version.js';
import { findBinaries } from '../cluster/binaries.js';
import { findTool } from '../cluster/go-tool.js';

export type EtcdSearch =
  | { readonly found: true; readonly path: string; readonly version: string }
  /** Programs that were found, and why they are not used; may be empty. */
  | { readonly found: false; readonly refused: readonly string[] };

/** An etcd that the example can run: one that this project has built, or one on the PATH. It is asked for its version. */
export function findEtcd(environment: NodeJS.ProcessEnv = process.env): EtcdSearch {
  const refused: string[] = [];
  for (const path of candidates(environment)) {
    const version = versionAt(path);
    const problem = version === undefined ? 'does not print its version' : pathProblem([], version);
    if (version !== undefined && problem === undefined) return { found: true, path, version };
    refused.push(`${path}: ${problem}`);
  }
  return { found: false, refused };
}

function candidates(environment: NodeJS.ProcessEnv): string[] {
  const built = findBinaries(environment);
  const older = findTool('etcd-3.5', environment);
  return [
    ...(built.found && built.binaries.paths.etcd !== undefined ? [built.binaries.paths.etcd] : []),
    ...(older.found ? [older.path] : []),
    ...(environment['PATH'] ?? '')
      .split(delimiter)
      .filter((folder) => folder !== '')
      .map((folder) => join(folder, 'etcd'))
      .filter(isExecutable),
  ];
}

function versionAt(path: string): string | undefined {
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 10_000 });
  return /^etcd Version: (\d+\.\d+\.\d+)/.exec(stdout ?? '')?.[1];
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

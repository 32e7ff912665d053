import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheRoot } from './binaries.js';
import { BuildFailure } from './build-failure.js';

export type GoClient = { readonly found: true; readonly path: string } | { readonly found: false; readonly reason: string };

const PREFIX = 'go-client-';

/**
 * The program of a Go module, built into the cache unless it is there already: the name of its folder is made of all of its sources, so that a change of one
 * builds it anew. It blocks, for about a minute the first time: suites must know whether there is a program when they are declared.
 *
 * Where Go or its modules are missing there is none; in CI that is an error, as is a program that does not compile anywhere. Errors: {@link BuildFailure}.
 */
export function goClient(source: string, environment: NodeJS.ProcessEnv = process.env): GoClient {
  const target = join(cacheRoot(environment), `${PREFIX}${digestOf(source)}-${process.platform}-${process.arch}`);
  const path = join(target, 'client');
  if (existsSync(path)) return { found: true, path };
  try {
    build(source, target, environment);
  } catch (error) {
    if (error instanceof BuildFailure && error.isEnvironmental && !environment['CI']) return { found: false, reason: error.message };
    throw error;
  }
  return { found: true, path };
}

function digestOf(source: string): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(source).sort()) hash.update(`${name}\0`).update(readFileSync(join(source, name)));
  return hash.digest('hex').slice(0, 16);
}

/** The folder appears complete, by one rename; of two builds at once the second finds it there. */
function build(source: string, target: string, environment: NodeJS.ProcessEnv): void {
  const root = cacheRoot(environment);
  mkdirSync(root, { recursive: true });
  const work = mkdtempSync(`${target}.building-`);
  try {
    go(['mod', 'download'], { folder: source, environment, cause: 'modulesUnavailable' });
    go(['build', '-trimpath', '-o', join(work, 'client'), '.'], { folder: source, environment, cause: 'compileFailed' });
    if (!existsSync(target)) renameSync(work, target);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

interface GoRun {
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly cause: BuildFailure['reason'];
}

/** `readonly`: go.sum pins every module, and nothing may change it here. */
function go(parameters: readonly string[], { folder, environment, cause }: GoRun): void {
  const env = { ...environment, CGO_ENABLED: '0', GOWORK: 'off', GOFLAGS: '-mod=readonly -buildvcs=false' };
  const { error, status, stderr } = spawnSync('go', parameters, { cwd: folder, env, encoding: 'utf8' });
  if (error !== undefined) throw new BuildFailure('goMissing', `Go cannot be run: ${error.message}; see https://go.dev/dl`);
  if (status !== 0) {
    const end = stderr.trimEnd().split('\n').slice(-20).join('\n');
    throw new BuildFailure(cause, `go ${parameters.join(' ')} ended with code ${status}:\n${end}`);
  }
}

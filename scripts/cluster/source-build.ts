import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheRoot } from './binaries.js';
import { BuildFailure } from './build-failure.js';

export type SourceBuild = { readonly found: true; readonly path: string } | { readonly found: false; readonly reason: string };

interface SourceBuildOptions {
  /** The first part of the folder's name in the cache, with a hyphen at its end. */
  readonly prefix: string;
  /** A folder of plain files. */
  readonly source: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Builds into an empty folder. Errors: {@link BuildFailure}. */
  readonly build: (work: string) => void;
}

/**
 * The folder that a build of these sources has left in the cache; it is built unless it is there. Its name is made of all sources, so that a change of one
 * builds it anew. It blocks, for about a minute the first time: suites must know whether there is a program when they are declared.
 *
 * There is no folder where the machine lacks what the build needs; in CI that is an error, as is a program that does not compile anywhere.
 * Errors: {@link BuildFailure}.
 */
export function builtFrom({ prefix, source, environment, build }: SourceBuildOptions): SourceBuild {
  const path = join(cacheRoot(environment), `${prefix}${digestOf(source)}-${process.platform}-${process.arch}`);
  if (existsSync(path)) return { found: true, path };
  try {
    buildInto(path, build);
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
function buildInto(target: string, build: (work: string) => void): void {
  mkdirSync(join(target, '..'), { recursive: true });
  const work = mkdtempSync(`${target}.building-`);
  try {
    build(work);
    if (!existsSync(target)) renameSync(work, target);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

interface BuildStep {
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  /** If the program ends with another code than 0. */
  readonly cause: BuildFailure['reason'];
  /** If the program cannot be started: the cause, and where it is to be had. */
  readonly missing: { readonly cause: BuildFailure['reason']; readonly remedy: string };
}

/** Runs one program of a build to its end. Errors: {@link BuildFailure} with the end of its output. */
export function runBuildStep(program: string, parameters: readonly string[], { folder, environment, cause, missing }: BuildStep): void {
  const { error, status, stdout, stderr } = spawnSync(program, parameters, { cwd: folder, env: environment, encoding: 'utf8' });
  if (error !== undefined) throw new BuildFailure(missing.cause, `${program} cannot be run: ${error.message}; ${missing.remedy}`);
  if (status === 0) return;
  // Maven writes its errors to its standard output.
  const end = `${stdout}${stderr}`.trimEnd().split('\n').slice(-20).join('\n');
  throw new BuildFailure(cause, `${program} ${parameters.join(' ')} ended with code ${status}:\n${end}`);
}

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRecord, messageOf } from '@keelson/kubernetes/apimachinery';
import { ScaffoldError } from '../errors.js';
import type { TestRunner } from '../scaffold/index.js';

/** The folder of a project in which files are added. */
export const SOURCES = 'src';

/** A project as it is found: everything that new files must agree with. */
export interface FoundProject {
  readonly runner: TestRunner;
  /** Groups of the kinds that its sources define. */
  readonly groups: readonly string[];
  /** TypeScript files directly in `src`, without the tests. */
  readonly sources: readonly SourceFile[];
}

export interface SourceFile {
  /** `memcached`, for `src/memcached.ts`. */
  readonly name: string;
  readonly text: string;
}

/** @throws ScaffoldError where no project with keelson is, or none whose tests have a runner that is known */
export async function findProject(folder: string): Promise<FoundProject> {
  const runner = await runnerOf(folder);
  const entries = await readdir(join(folder, SOURCES)).catch((error: unknown) => {
    throw new ScaffoldError(`${SOURCES}: cannot be read: ${messageOf(error)}; run it in a project of keelson init`, { cause: error });
  });
  const names = entries.filter((entry) => entry.endsWith('.ts') && !entry.endsWith('.test.ts')).sort();
  const sources = await Promise.all(
    names.map(async (name) => ({ name: name.slice(0, -'.ts'.length), text: await readFile(join(folder, SOURCES, name), 'utf8') })),
  );
  const groups = sources.flatMap(({ text }) => [...text.matchAll(/\bgroup: '([^']+)'/g)].map(([, group = '']) => group));
  return { runner, groups: [...new Set(groups)], sources };
}

async function runnerOf(folder: string): Promise<TestRunner> {
  const dependencies = await dependenciesOf(join(folder, 'package.json'));
  if (!dependencies.has('keelson'))
    throw new ScaffoldError(
      'package.json: names no keelson among its dependencies; run it in the folder of a project, or start one with keelson init',
    );
  if (dependencies.has('vitest')) return 'vitest';
  if (dependencies.has('jest')) return 'jest';
  throw new ScaffoldError('package.json: names neither vitest nor jest, so nothing would run the new tests; install one of them');
}

async function dependenciesOf(file: string): Promise<ReadonlySet<string>> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new ScaffoldError('package.json: cannot be read; run it in the folder of a project, or start one with keelson init', {
      cause: error,
    });
  });
  const manifest = parsed(text);
  const names = ['dependencies', 'devDependencies'].flatMap((field) => {
    const dependencies = manifest[field];
    return isRecord(dependencies) ? Object.keys(dependencies) : [];
  });
  return new Set(names);
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const manifest: unknown = JSON.parse(text);
    return isRecord(manifest) ? manifest : {};
  } catch (error) {
    throw new ScaffoldError(`package.json: is not JSON: ${messageOf(error)}`, { cause: error });
  }
}

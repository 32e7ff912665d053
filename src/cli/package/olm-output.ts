import { readFile, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { messageOf } from '@keelson/kubernetes/apimachinery';
import type { BundleProblem, PackageFile } from 'keelson/packaging';
import { PackageCommandError } from '../errors.js';
import { linkBelow } from '../symbolic-link.js';
import type { Terminal } from '../terminal.js';

/** Prints the warnings of the bundle's rules. @throws PackageCommandError listing the errors: such a bundle is not written */
export async function checkBundle(files: readonly PackageFile[], terminal: Terminal): Promise<void> {
  const { bundleProblems } = await import('keelson/packaging');
  const problems = bundleProblems(files);
  for (const problem of problems.filter(({ severity }) => severity === 'warning')) terminal.error(`${problemText(problem)}\n`);
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new PackageCommandError(errors.map(problemText).join('\n'));
}

function problemText({ rule, severity, path, message }: BundleProblem): string {
  return `${severity} ${rule}: ${path}: ${message}`;
}

interface CatalogTarget {
  /** Absolute. */
  readonly file: string;
  /** As messages name it. */
  readonly shown: string;
  readonly image: string;
}

/** The catalog's text with the bundle in it, from the file as it is, or new. Nothing is written. */
export async function catalogText(files: readonly PackageFile[], { file, shown, image }: CatalogTarget): Promise<string> {
  const link = await linkBelow(dirname(file), basename(file));
  if (link !== undefined) throw new PackageCommandError(`${shown}: ${link.problem}`);
  const { olmCatalog } = await import('keelson/packaging');
  return olmCatalog(files, { image, previous: await previousText(file, shown) });
}

export async function writeCatalog(file: string, text: string): Promise<void> {
  await writeFile(file, text);
}

async function previousText(file: string, shown: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new PackageCommandError(`${shown}: cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

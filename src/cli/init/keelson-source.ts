import { readdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { messageOf } from '@keelson/kubernetes/apimachinery';
import { UsageError } from '../errors.js';
import { type KeelsonPackages, packagesAt, packagesIn } from '../scaffold/index.js';

const FILE = 'file:';

/**
 * The packages of keelson for a new project: at a version, or the tarballs of a folder.
 *
 * @param source - what `--keelson` says
 * @param project - the folder of the project: relative paths begin there, as npm reads them
 * @throws UsageError for a folder that cannot be read, ScaffoldError for a package that has no tarball there
 */
export async function keelsonFrom(source: string, project: string): Promise<KeelsonPackages> {
  if (!source.startsWith(FILE)) return packagesAt(source);
  const folder = source.slice(FILE.length).replace(/\/+$/, '');
  const files = await readdir(resolve(project, folder)).catch((error: unknown) => {
    throw new UsageError(
      `keelson init: --keelson ${source}: cannot be read: ${messageOf(error)}; give the folder into which npm run pack has written the tarballs`,
    );
  });
  return packagesIn(folder, files);
}

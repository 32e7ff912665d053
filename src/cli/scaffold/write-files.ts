import { mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { messageOf } from '@keelson/kubernetes/apimachinery';
import { ScaffoldError } from '../errors.js';
import { linkBelow } from '../symbolic-link.js';

export interface ProjectFile {
  /** Below the project's folder, with slashes. */
  readonly path: string;
  readonly text: string;
}

/**
 * Writes files that are not there yet, all or none as far as their existence goes.
 *
 * @param shown the folder as messages name it
 * @throws ScaffoldError when one exists, before the first is written, or when the disk refuses one
 */
export async function writeNewFiles(folder: string, files: readonly ProjectFile[], shown: string): Promise<void> {
  const existing: string[] = [];
  for (const { path } of files) if (await exists(join(folder, path))) existing.push(join(shown, path));
  if (existing.length > 0)
    throw new ScaffoldError(
      `${existing.join(', ')}: exists already, and is not overwritten; nothing was written. Move it away, or choose another name`,
    );
  for (const { path } of files) {
    const link = await linkBelow(folder, path);
    if (link !== undefined) throw new ScaffoldError(`${join(shown, link.path)}: ${link.problem}`);
  }
  for (const { path, text } of files) {
    const file = join(folder, path);
    try {
      await mkdir(dirname(file), { recursive: true });
      // `wx`: a file that has come since is not overwritten either.
      await writeFile(file, text, { flag: 'wx' });
    } catch (error) {
      throw new ScaffoldError(`${join(shown, path)}: cannot be written: ${messageOf(error)}`, { cause: error });
    }
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

import { lstat, readlink } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Finds the first part of a path below a folder that is a symbolic link: what is written there would be elsewhere, also in the files of another user.
 *
 * @returns the link and its problem in words; `undefined` if no part is a link. The folder itself may be one: the user has named it.
 */
export async function linkBelow(folder: string, path: string): Promise<{ readonly path: string; readonly problem: string } | undefined> {
  const names = path.split('/').filter((name) => name !== '');
  for (const [index] of names.entries()) {
    const part = names.slice(0, index + 1).join('/');
    const target = await targetOf(join(folder, part));
    if (target !== undefined)
      return { path: part, problem: `is a symbolic link to ${target}, which is not followed; remove it, or choose another folder` };
  }
  return undefined;
}

/** `undefined` for what is not there, and for what is not a link. */
async function targetOf(path: string): Promise<string | undefined> {
  try {
    return (await lstat(path)).isSymbolicLink() ? await readlink(path) : undefined;
  } catch (error) {
    // The write reports other problems.
    if (typeof error === 'object' && error !== null && 'code' in error) return undefined;
    throw error;
  }
}

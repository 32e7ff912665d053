import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { messageOf } from '@keelson/kubernetes/apimachinery';
import type { PackageFile } from 'keelson/packaging';
import { PackageCommandError } from '../errors.js';
import { linkBelow } from '../symbolic-link.js';

/** First line of a file that marks a folder as written by the command. */
const MARKER = '# Written by keelson package. Change the package, and write it again.';

interface Target {
  /** Absolute. */
  readonly folder: string;
  /** As messages name it. */
  readonly shown: string;
  /** The file that carries the marker. */
  readonly marked: string;
  /** Folders in which a file that the package does not write is refused: `''` for all of it. */
  readonly owned: readonly string[];
}

/**
 * Writes a package into a folder that is new, empty, or was written so before.
 *
 * Nothing is lost: a foreign folder, a symbolic link in the place of a file or folder that is written, and a file that the package does not write (any more) where it would take effect, are refused before anything is written.
 */
export async function writePackage(files: readonly PackageFile[], { folder, shown, marked, owned }: Target): Promise<void> {
  for (const path of [marked, ...files.map((file) => file.path)]) {
    const link = await linkBelow(folder, path);
    if (link !== undefined) throw new PackageCommandError(`${join(shown, link.path)}: ${link.problem}`);
  }
  const found = await filesIn(folder);
  if (found.length > 0 && !(await isOurs(join(folder, marked)))) {
    throw new PackageCommandError(`${shown}: exists and was not written by keelson package; name another folder with --output`);
  }
  const written = new Set(files.map(({ path }) => path));
  const stray = found.filter((path) => owned.some((start) => path.startsWith(start)) && !written.has(path));
  if (stray.length > 0) {
    const places = [...new Set(stray.map((path) => strayPlace(path, written)))];
    throw new PackageCommandError(
      `${shown}: the package does not write ${places.join(', ')}, and it would be taken for a part of it; delete it, or move it out of the folder`,
    );
  }
  for (const { path, text } of files) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, path === marked ? `${MARKER}\n${text}` : text);
  }
}

/** The topmost folder of a stray file that the package writes nothing into, for example a subchart; else the file. */
function strayPlace(path: string, written: ReadonlySet<string>): string {
  const names = path.split('/');
  const folders = names.slice(1).map((_, index) => `${names.slice(0, index + 1).join('/')}/`);
  return folders.find((folder) => ![...written].some((file) => file.startsWith(folder))) ?? path;
}

async function filesIn(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() || entry.isSymbolicLink())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
      .sort();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw new PackageCommandError(`${folder}: cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

async function isOurs(file: string): Promise<boolean> {
  try {
    return (await readFile(file, 'utf8')).startsWith(MARKER);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}

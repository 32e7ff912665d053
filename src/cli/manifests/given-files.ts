import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** A path that a user gave, followed to files; or why it leads to none. */
export type GivenFiles = { readonly files: readonly string[] } | { readonly problem: string };

const MANIFEST_FILE = /\.(ya?ml|json)$/;
const PATTERN = /[*?]/;

/** Follows a file, a folder (with all that is below it) or a pattern, in which `*` and `?` stay within a folder and `**` does not. Paths stay relative if they were given so. */
export async function filesAt(path: string, directory: string): Promise<GivenFiles> {
  const found = await stat(resolve(directory, path)).catch(() => undefined);
  if (found?.isDirectory() === true) {
    const files = await manifestsBelow(path, directory);
    return files.length === 0 ? { problem: 'the folder holds no .yaml, .yml or .json' } : { files };
  }
  if (found !== undefined) return { files: [path] };
  if (!PATTERN.test(path)) return { problem: 'there is no such file or folder' };
  const files = await matching(path, directory);
  return files.length === 0 ? { problem: 'no file matches this pattern' } : { files };
}

async function manifestsBelow(folder: string, directory: string): Promise<readonly string[]> {
  const entries = await readdir(resolve(directory, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory() && MANIFEST_FILE.test(entry.name))
    .map(({ parentPath, name }) => join(folder, parentPath.slice(resolve(directory, folder).length), name))
    .sort();
}

/** Node 20 lacks a glob of its own. */
async function matching(pattern: string, directory: string): Promise<readonly string[]> {
  const parts = pattern.split('/');
  const fixed = parts.findIndex((part) => PATTERN.test(part));
  const base = parts.slice(0, fixed).join('/') || (pattern.startsWith('/') ? '/' : '.');
  const root = resolve(directory, base);
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  const wanted = new RegExp(`^${parts.slice(fixed).map(expressionOf).join('').replace(/\/$/, '')}$`);
  return entries
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath.slice(root.length), name).replace(/^\//, ''))
    .filter((file) => wanted.test(file))
    .map((file) => join(base, file))
    .sort();
}

function expressionOf(part: string): string {
  if (part === '**') return '(?:[^/]+/)*';
  const text = part
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*+/g, '[^/]*')
    .replace(/\?/g, '[^/]');
  return `${text}/`;
}

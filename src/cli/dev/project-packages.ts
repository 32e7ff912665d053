import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { foldersAbove } from './folders-above.js';

/**
 * Loads keelson's packages in the format of the project. If the command is another copy of keelson than the project's, this is of no use and does no harm.
 *
 * Throws nothing: the project imports the same package later, and that import throws.
 */
export async function loadPackages(operatorPath: string): Promise<void> {
  try {
    if (isCommonJs(operatorPath)) {
      const load = createRequire(operatorPath);
      for (const door of ['keelson', 'keelson/kinds', '@keelson/runtime']) load(door);
    } else await Promise.all([import('keelson'), import('@keelson/kubernetes/kinds'), import('@keelson/runtime')]);
  } catch {
    // The project imports it again.
  }
}

/** As Node decides it, and loaders of TypeScript after it: by the extension, else by the package.json that is next. */
export function isCommonJs(path: string): boolean {
  const [, letter] = /\.([cm])[jt]s$/.exec(path) ?? [];
  if (letter !== undefined) return letter === 'c';
  const next = foldersAbove(dirname(path))
    .map((folder) => join(folder, 'package.json'))
    .find(existsSync);
  if (next === undefined) return true;
  const { type } = JSON.parse(readFileSync(next, 'utf8')) as { readonly type?: string };
  return type !== 'module';
}

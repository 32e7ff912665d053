import { dirname } from 'node:path';

/** The folder, and those that hold it, from the inside out: a project looks for packages and settings in them. */
export function foldersAbove(folder: string): readonly string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...foldersAbove(parent)];
}

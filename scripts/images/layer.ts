import { accessSync, constants, readFileSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { librariesOf } from './libraries.js';
import type { TarEntry } from './tar.js';

/** Content of one layer, by absolute path. */
export interface LayerContent {
  /** Paths of files on this machine, copied with the shared libraries that they load. */
  readonly copies?: Readonly<Record<string, string>>;
  readonly texts?: Readonly<Record<string, Buffer | string>>;
  readonly links?: Readonly<Record<string, string>>;
}

/** Entries of a layer, sorted, with the folders above them. */
export function layerOf({ copies = {}, texts = {}, links = {} }: LayerContent): TarEntry[] {
  const entries = new Map<string, TarEntry>();
  const add = (entry: TarEntry): void => {
    for (let folder = dirname(entry.path); folder !== '.'; folder = dirname(folder))
      if (!entries.has(folder)) entries.set(folder, { kind: 'directory', path: folder, mode: 0o755 });
    entries.set(entry.path, entry);
  };
  const copy = (path: string, source: string): void => {
    const file = realpathSync(source);
    add({ kind: 'file', path: relative(path), mode: isExecutable(file) ? 0o755 : 0o644, content: readFileSync(file) });
  };
  for (const [path, source] of Object.entries(copies)) {
    copy(path, source);
    for (const library of librariesOf(source)) copy(library, library);
  }
  for (const [path, text] of Object.entries(texts)) add({ kind: 'file', path: relative(path), mode: 0o644, content: Buffer.from(text) });
  for (const [path, target] of Object.entries(links)) add({ kind: 'link', path: relative(path), target });
  return [...entries.values()].sort((left, right) => (left.path < right.path ? -1 : 1));
}

function relative(path: string): string {
  if (!path.startsWith('/')) throw new Error(`${path}: a path in an image must be absolute`);
  return path.slice(1);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

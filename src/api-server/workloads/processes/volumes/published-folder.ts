import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import type { VolumeFile } from './volume-files.js';

const CURRENT = '..data';

/**
 * Makes a folder hold exactly these files. All of them change at once: each is a link through `..data`, which is replaced by a rename, as a kubelet does
 * (`pkg/volume/util/atomic_writer.go`); programs that watch for it see one change.
 *
 * @returns whether anything has changed
 */
export function publish(folder: string, files: readonly VolumeFile[]): boolean {
  mkdirSync(folder, { recursive: true });
  const current = join(folder, CURRENT);
  const name = `..${fingerprint(files)}`;
  const before = linkTarget(current);
  if (before?.startsWith(name) === true) return false;
  const fresh = mkdtempSync(join(folder, `${name}.`));
  for (const { path, content, mode } of files) {
    const file = join(fresh, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content, { mode });
  }
  const draft = join(folder, '..data_tmp');
  rmSync(draft, { force: true });
  symlinkSync(fresh.slice(folder.length + 1), draft);
  renameSync(draft, current);
  linkTops(folder, files);
  if (before !== undefined) rmSync(join(folder, before), { recursive: true, force: true });
  return true;
}

/** A link for each first part of a path, and none else. */
function linkTops(folder: string, files: readonly VolumeFile[]): void {
  const wanted = new Set(files.map(({ path }) => path.split(sep, 1)[0] as string));
  const present = new Set(readdirSync(folder).filter((entry) => !entry.startsWith('..')));
  for (const top of wanted) if (!present.has(top)) symlinkSync(join(CURRENT, top), join(folder, top));
  for (const top of present) if (!wanted.has(top)) rmSync(join(folder, top), { force: true });
}

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    // Nothing was published yet.
    return undefined;
  }
}

function fingerprint(files: readonly VolumeFile[]): string {
  const hash = createHash('sha256');
  for (const { path, content, mode } of files) hash.update(`${path}\0${mode}\0${content.length}\0`).update(content);
  return hash.digest('hex').slice(0, 16);
}

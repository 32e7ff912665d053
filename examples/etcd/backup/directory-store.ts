import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { BackupStoreError, type DirectoryLocation, type StoredBackup, type StoreOptions } from './store.js';

/** Names of files that are being written end so: a process that is killed amid leaves one, which is not taken for a backup. */
const UNFINISHED = '.partial';

/** Backups as files below a folder. */
export class DirectoryStore {
  readonly #directory: string;

  constructor({ directory }: DirectoryLocation) {
    this.#directory = resolve(directory);
  }

  async write(name: string, chunks: AsyncIterable<Uint8Array>, { signal }: StoreOptions = {}): Promise<void> {
    const path = this.#pathOf(name);
    const unfinished = `${path}${UNFINISHED}`;
    try {
      await mkdir(dirname(path), { recursive: true });
      const file = await open(unfinished, 'w');
      try {
        for await (const chunk of chunks) {
          signal?.throwIfAborted();
          await file.writeFile(chunk);
        }
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(unfinished, path);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw problemOf(error, path);
    }
  }

  async read(name: string): Promise<AsyncIterable<Uint8Array>> {
    const path = this.#pathOf(name);
    await stat(path).catch((error: unknown) => {
      throw problemOf(error, path);
    });
    return createReadStream(path);
  }

  async list(prefix: string): Promise<readonly StoredBackup[]> {
    const folder = dirname(this.#pathOf(`${prefix}x`));
    const files = await readdir(folder, { withFileTypes: true, recursive: true }).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw problemOf(error, folder);
    });
    const found: StoredBackup[] = [];
    for (const file of files) {
      const path = join(file.parentPath, file.name);
      const name = relative(this.#directory, path).split(sep).join('/');
      if (file.isFile() && name.startsWith(prefix) && !name.endsWith(UNFINISHED)) found.push({ name, bytes: (await stat(path)).size });
    }
    return found.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async remove(name: string): Promise<void> {
    await rm(this.#pathOf(name), { force: true });
  }

  /** A name must not lead out of the folder. */
  #pathOf(name: string): string {
    const path = resolve(this.#directory, name);
    if (!path.startsWith(`${this.#directory}${sep}`)) throw new BackupStoreError('Invalid', `'${name}' leads out of ${this.#directory}`);
    return path;
  }
}

function problemOf(error: unknown, path: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return new BackupStoreError('NotFound', `there is no file ${path}`, error);
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return new BackupStoreError('Denied', message, error);
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EIO') return new BackupStoreError('Unavailable', message, error);
  return error;
}

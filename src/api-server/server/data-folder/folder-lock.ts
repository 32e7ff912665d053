import { openSync, readFileSync, realpathSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { ApiServerError } from '../errors.js';
import { closing } from './folder-access.js';

/** Folders of servers in this process: its own number in a lock says nothing of them. */
const held = new Set<string>();

/** Keeps a second server out of a folder. A lock that a killed process has left is taken over. */
export class FolderLock {
  readonly #folder: string;
  readonly #path: string;

  /** @throws ApiServerError if another server has the folder */
  constructor(folder: string) {
    this.#folder = realpathSync(folder);
    this.#path = join(this.#folder, 'lock');
    if (held.has(this.#folder)) throw inUse(folder, process.pid);
    if (!this.#create()) {
      const holder = Number(readFileSync(this.#path, 'utf8'));
      if (holder !== process.pid && isAlive(holder)) throw inUse(folder, holder);
      rmSync(this.#path, { force: true });
      if (!this.#create()) throw inUse(folder, Number(readFileSync(this.#path, 'utf8')));
    }
    held.add(this.#folder);
  }

  release(): void {
    held.delete(this.#folder);
    rmSync(this.#path, { force: true });
  }

  /** @returns whether there was none */
  #create(): boolean {
    try {
      const file = openSync(this.#path, 'wx', 0o600);
      closing(file, () => writeSync(file, String(process.pid)));
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    }
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function inUse(folder: string, pid: number): ApiServerError {
  return new ApiServerError(`${folder}: is in use by process ${pid}; end that server first, or choose another folder`);
}

import { closeSync, openSync, rmSync } from 'node:fs';
import { ApiServerError } from '../errors.js';

const CURES: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full; make room, or choose a folder on another one',
  EDQUOT: 'the quota of this user is used up; make room, or choose a folder on another disk',
  EACCES: 'this user may not write there; change the rights of the folder, or choose another one',
  EPERM: 'this user may not write there; change the rights of the folder, or choose another one',
  EROFS: 'the file system is mounted read-only; choose a folder on another one',
  ENOTDIR: 'a part of the path is not a folder; choose another one',
  EEXIST: 'it is not a folder; choose another one',
  EISDIR: 'it is a folder, and must be a file; choose an empty folder for the data',
  ELOOP: 'its symbolic links do not end; choose another folder',
};

/**
 * Calls `act`, and returns its result.
 *
 * @throws ApiServerError with `path`, the code of the disk's error, and the cure
 */
export function accessing<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (!isDiskError(error)) throw error;
    const cure = CURES[error.code] ?? 'choose another folder';
    throw new ApiServerError(`${path}: data of the server cannot be kept or read there: ${error.code}: ${cure}`, { cause: error });
  }
}

/**
 * Opens a file that is new, for writing. A symbolic link of this name is replaced, not followed: another user of the machine may have put it there.
 *
 * @returns its descriptor
 */
export function openNew(path: string): number {
  rmSync(path, { force: true });
  return openSync(path, 'wx', 0o600);
}

/** Closes the file, whatever `act` comes to. */
export function closing<T>(file: number, act: () => T): T {
  try {
    return act();
  } finally {
    closeSync(file);
  }
}

function isDiskError(error: unknown): error is NodeJS.ErrnoException & { readonly code: string } {
  return typeof error === 'object' && error !== null && 'syscall' in error && 'code' in error;
}

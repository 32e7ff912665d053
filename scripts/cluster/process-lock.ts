import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const POLL_MS = 500;

/**
 * Runs `work` while no other process runs work under the same lock file.
 *
 * The lock saves a second build of ten minutes; it does not guard the result: that is put in place by one rename. A stale lock taken over by two
 * waiters at once therefore costs only time.
 */
export async function withProcessLock<T>(path: string, onWait: (holder: number) => void, work: () => Promise<T>): Promise<T> {
  mkdirSync(dirname(path), { recursive: true });
  let told = false;
  while (!tryLock(path)) {
    const holder = holderOf(path);
    if (holder === undefined || !isAlive(holder)) {
      rmSync(path, { force: true });
      continue;
    }
    if (!told) onWait(holder);
    told = true;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

/** A hard link appears with its content: no process can read a lock that has no holder yet. */
function tryLock(path: string): boolean {
  const own = `${path}.${process.pid}`;
  writeFileSync(own, `${process.pid}\n`);
  try {
    linkSync(own, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(own, { force: true });
  }
}

function holderOf(path: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(path, 'utf8'), 10);
    return Number.isNaN(pid) ? undefined : pid;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

import { readFileSync } from 'node:fs';

/**
 * Milliseconds that have gone by, without those in which other processes had the CPU although this thread, or the first thread of another process, could have run.
 * Time in which the thread waits for a timer or a connection is included. A limit in this time holds on a busy machine, too.
 */
export function ownTimeMs(task: number | 'thread-self' = 'thread-self'): number {
  return performance.now() - waitedForCpuMs(task);
}

/** @returns 0 where the kernel does not say it */
function waitedForCpuMs(task: number | 'thread-self'): number {
  try {
    // Nanoseconds: on a CPU, and ready but waiting for one. See "schedstats" in the documentation of Linux.
    return Number(readFileSync(`/proc/${task}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}

import { readdirSync, readFileSync } from 'node:fs';

/**
 * The process of a container as this machine sees it.
 *
 * @throws Error if the Pod has no process of that name, or several
 */
export function containerProcess(podUid: string, program: string): number {
  const found = readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .filter((pid) => fileOf(pid, 'comm').trim() === program && fileOf(pid, 'cgroup').includes(`pod${podUid}`));
  if (found.length !== 1) throw new Error(`the Pod ${podUid} has ${found.length} processes called ${program}, expected one`);
  return Number(found[0]);
}

/** Empty if the process has ended meanwhile. */
function fileOf(pid: string, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return '';
    throw error;
  }
}

import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

/**
 * The process of a container as this machine sees it.
 *
 * @throws Error if the Pod has no process of that name, or several
 */
export function containerProcess(podUid: string, program: string): number {
  const [found, ...others] = containerProcesses(podUid, program);
  if (found === undefined || others.length > 0)
    throw new Error(`the Pod ${podUid} has ${found === undefined ? 0 : others.length + 1} processes called ${program}, expected one`);
  return found;
}

/** All of that name. */
export function containerProcesses(podUid: string, program: string): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .filter((pid) => programOf(pid) === program && fileOf(pid, 'cgroup').includes(`pod${podUid}`))
    .map(Number);
}

/** The program as it was called. `comm` is the name of a thread, and Node 24 calls its first one `node-MainThread`. */
const programOf = (pid: string): string => basename(fileOf(pid, 'cmdline').split('\0')[0] ?? '');

/** Empty if the process has ended meanwhile. */
function fileOf(pid: string, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return '';
    throw error;
  }
}

/** When a process was started, and how long it has computed. */
export interface ProcessTimes {
  /** Milliseconds of the clock, to a hundredth of a second. */
  readonly startedAt: number;
  readonly cpuMs: number;
  /** How long its first thread was ready to compute, and other processes had the CPUs. */
  readonly waitedMs: number;
}

export function timesOf(pid: number): ProcessTimes {
  // The name of the program may hold blanks; it ends at the last parenthesis.
  const fields = fileOf(`${pid}`, 'stat').split(') ').at(-1)?.split(' ') ?? [];
  const ms = (field: number): number => (Number(fields[field - BEFORE_STATE]) / TICKS_PER_SECOND) * 1000;
  const uptime = Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]) * 1000;
  // Nanoseconds on a CPU, and waiting for one.
  const waited = Number(fileOf(`${pid}`, 'schedstat').split(' ')[1]) / 1e6;
  return { startedAt: Date.now() - uptime + ms(STARTTIME), cpuMs: ms(UTIME) + ms(STIME), waitedMs: waited };
}

/** Fields of stat by their numbers in proc(5), the first two of which stand before the state. */
const [UTIME, STIME, STARTTIME, BEFORE_STATE] = [14, 15, 22, 3];
/** USER_HZ: the same on all architectures that Node runs on. */
const TICKS_PER_SECOND = 100;

/** How a process was put in. */
export interface Confinement {
  /** Real, effective, saved and of the file system. */
  readonly users: readonly string[];
  readonly groups: readonly string[];
  readonly rootIsReadOnly: boolean;
}

/** What the kernel says of a process in a container: not what was asked for, but what it has. */
export function confinementOf(pid: number): Confinement {
  const status = fileOf(`${pid}`, 'status');
  const ids = (name: string): readonly string[] => new RegExp(`^${name}:\\s+(.*)$`, 'm').exec(status)?.[1]?.trim().split(/\s+/) ?? [];
  const root = fileOf(`${pid}`, 'mountinfo')
    .split('\n')
    .find((line) => line.split(' ')[4] === '/');
  return { users: ids('Uid'), groups: ids('Gid'), rootIsReadOnly: root?.split(' ')[5]?.split(',').includes('ro') === true };
}

import { readdirSync, readFileSync } from 'node:fs';

/** Answers of `/proc` about one process; `undefined` when it has ended. */

/** The terminal that a process holds the other end of. Source: `tty-index` of `/proc/<pid>/fdinfo`, Linux 4.14. */
export function terminalOf(pid: number): string | undefined {
  return ofProcess(() => {
    for (const file of readdirSync(`/proc/${pid}/fdinfo`)) {
      const index = /^tty-index:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/fdinfo/${file}`, 'utf8'))?.[1];
      if (index !== undefined) return `/dev/pts/${index}`;
    }
    return undefined;
  });
}

/** Source: `proc_pid_task(5)`; the file is there where the kernel has CONFIG_PROC_CHILDREN, as those of distributions have. */
export function firstChildOf(pid: number): number | undefined {
  return ofProcess(() => {
    const [first = ''] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
    return first === '' ? undefined : Number(first);
  });
}

/** A signal has stopped it. */
export function isStopped(pid: number): boolean {
  return statOf(pid)?.[0] === 'T';
}

/** The processes of a session: a shell on a terminal gives each of its jobs a process group, but none of them a session. */
export function processesOfSession(session: number): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => statOf(pid)?.[3] === String(session));
}

/** State, parent, process group, session, and more. The name before them is the program's choice: it may have spaces and parentheses. */
function statOf(pid: number): readonly string[] | undefined {
  return ofProcess(() => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  });
}

function ofProcess<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return undefined;
  }
}

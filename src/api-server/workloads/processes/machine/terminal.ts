import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { findProgram } from './find-program.js';
import type { Child, Command } from './supervisor.js';

/** Columns and rows. */
export interface TerminalSize {
  readonly width: number;
  readonly height: number;
}

/** Before the terminal of a program that has just started is looked for again, in real time. */
const RETRY_MS = 20;

/**
 * Terminals for programs of this machine. Node cannot make one without native code, so `script` of util-linux makes it, and `stty` sets its size.
 *
 * Assumptions: Linux, where `/proc` names the terminal that a process has made, and its children. The program leads a session of its own: when `script` is killed, the
 * kernel hangs up, which a program that ignores SIGHUP survives. {@link programOf} finds it, so that it is killed.
 */
export class Terminals {
  readonly #script: string;
  readonly #stty: string;

  private constructor(script: string, stty: string) {
    this.#script = script;
    this.#stty = stty;
  }

  /** Undefined if this machine lacks one of the programs, or has another `script` (that of busybox has other options). */
  static find(path: string): Terminals | undefined {
    const script = findProgram('script', path, '/');
    const stty = findProgram('stty', path, '/');
    if (script === undefined || stty === undefined) return undefined;
    const { stdout } = spawnSync(script, ['--version'], { encoding: 'utf8', timeout: 5_000 });
    return stdout?.includes('util-linux') === true ? new Terminals(script, stty) : undefined;
  }

  /** The command on a terminal: its output is one stream, and the terminal echoes its input. */
  on({ program, args, env, directory }: Command): Command {
    const { SHELL } = env;
    // `script` runs the text in $SHELL; the program is to have its own again.
    const shell = SHELL === undefined ? 'unset SHELL' : `SHELL=${quoted(SHELL)}`;
    const text = `${quoted(this.#stty)} sane; ${shell}; exec ${[program, ...args].map(quoted).join(' ')}`;
    return {
      program: this.#script,
      args: ['--quiet', '--return', '--command', text, '/dev/null'],
      env: { TERM: 'xterm', ...env, SHELL: '/bin/sh' },
      directory,
    };
  }

  /** @returns the program of such a command, as soon as it is there; `undefined` if the command has ended before */
  async programOf(child: Child): Promise<number | undefined> {
    let isOver = false;
    const over = child.ended.then(() => {
      isOver = true;
    });
    while (!isOver) {
      const found = firstChildOf(child.pid);
      if (found !== undefined) return found;
      let retry: NodeJS.Timeout | undefined;
      await Promise.race([over, new Promise((resolve) => (retry = setTimeout(resolve, RETRY_MS).unref()))]);
      clearTimeout(retry);
    }
    return undefined;
  }

  /** @returns sets the size of the terminal of such a command, as soon as it has one; the program gets SIGWINCH */
  sizing(child: Child): (size: TerminalSize) => void {
    let wanted: TerminalSize | undefined;
    let [isBusy, isOver] = [false, false];
    void child.ended.then(() => {
      isOver = true;
    });
    const set = (): void => {
      isBusy = wanted !== undefined && !isOver;
      if (wanted === undefined || isOver) return;
      const device = terminalOf(child.pid);
      if (device === undefined) {
        setTimeout(set, RETRY_MS).unref();
        return;
      }
      const size = ['cols', String(wanted.width), 'rows', String(wanted.height)];
      wanted = undefined;
      const stty = spawn(this.#stty, ['-F', device, ...size], { stdio: 'ignore', env: {} });
      // A program that has ended meanwhile has no terminal any more; `close` follows.
      stty.on('error', () => undefined).once('close', set);
    };
    return (size) => {
      wanted = size;
      if (!isBusy) set();
    };
  }
}

/** The terminal that a process holds the other end of. Source: `tty-index` of `/proc/<pid>/fdinfo`, Linux 4.14. */
function terminalOf(pid: number): string | undefined {
  try {
    for (const file of readdirSync(`/proc/${pid}/fdinfo`)) {
      const index = /^tty-index:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/fdinfo/${file}`, 'utf8'))?.[1];
      if (index !== undefined) return `/dev/pts/${index}`;
    }
  } catch (error) {
    // It ends just now.
    if (!['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
  return undefined;
}

/** Source: `proc_pid_task(5)`; the file is there where the kernel has CONFIG_PROC_CHILDREN, as those of distributions have. */
function firstChildOf(pid: number): number | undefined {
  try {
    const [first = ''] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
    return first === '' ? undefined : Number(first);
  } catch (error) {
    // It ends just now.
    if (!['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return undefined;
  }
}

/** One word of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

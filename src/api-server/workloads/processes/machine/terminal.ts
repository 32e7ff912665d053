import { spawn, spawnSync } from 'node:child_process';
import { findProgram } from './find-program.js';
import { firstChildOf, terminalOf } from './proc-files.js';
import type { Child, Command, Supervisor, TerminalSize } from './supervisor.js';
import { TerminalProgram } from './terminal-program.js';

/** Before the terminal of a program that has just started is looked for again, in real time. */
const RETRY_MS = 20;

/**
 * Terminals for programs of this machine. Node cannot make one without native code, so `script` of util-linux makes it, and `stty` sets its size.
 *
 * Assumptions: Linux, where `/proc` names the terminal that a process has made, and its children.
 */
export class Terminals {
  /** Why {@link find} finds none, and the way out. */
  static readonly LACK: string = 'the programs script (of util-linux) and stty are not in the PATH of the server; install them';
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

  /** Starts a command on a terminal. Signals go to the program, and its terminal ends with it. */
  start(supervisor: Supervisor, command: Command, options: { readonly hasInput?: boolean }): Child {
    const script = supervisor.start(this.on(command), { ...options, leaderOf: firstChildOf });
    const program = new TerminalProgram(script, supervisor);
    return { ...script, signal: (signal) => program.signal(signal), resize: this.#sizing(script) };
  }

  /** @returns sets the size of the terminal of such a command, as soon as it has one; the program gets SIGWINCH */
  #sizing(child: Child): (size: TerminalSize) => void {
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

/** One word of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

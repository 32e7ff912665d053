import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { processesOfSession } from './proc-files.js';

/**
 * A shell that holds one end of a pipe. When the server is gone, whatever way it went (SIGKILL runs no exit hook), the pipe reads end-of-file; the shell then
 * kills all process groups that it was given, the sessions that their children lead (a program on a terminal, of which the server may not have heard yet), then what
 * is left of these sessions (jobs of a shell on a terminal), and removes the temporary folder.
 */
const WATCH = `
groups=
while read -r verb group; do
  case $verb in
    guard) groups="$groups $group" ;;
    forget) kept=; for each in $groups; do [ "$each" = "$group" ] || kept="$kept $each"; done; groups=$kept ;;
  esac
done
guarded=$groups
for each in /proc/[0-9]*/stat; do
  { read -r stat < "$each"; } 2>/dev/null || continue
  set -- "$1" \${stat##*) }
  case "$guarded " in *" $3 "*) each=\${each%/stat}; [ "$5" != "\${each#/proc/}" ] || groups="$groups $5" ;; esac
done
for each in $groups; do kill -9 "-$each" 2>/dev/null; done
for each in /proc/[0-9]*/stat; do
  { read -r stat < "$each"; } 2>/dev/null || continue
  set -- "$1" \${stat##*) }
  case "$groups " in *" $5 "*) each=\${each%/stat}; kill -9 "\${each#/proc/}" 2>/dev/null ;; esac
done
[ -z "$1" ] || rm -rf "$1"
`;

/**
 * Reports its process group before it becomes the program. It holds the pipe until then, so that no end of the server falls between the start of a program and the
 * report. The shell's own variable is not the program's.
 */
const ENTER = 'echo "guard $$" >&3; exec 3>&-; unset PWD; exec "$@"';

/** Before pipes that are open after the end of their program are looked at, in real time. */
const PIPES_WITHIN_MS = 500;
/** Turns of the event loop in which all is read that a program wrote before its end: some pieces of 64 KiB. */
const TURNS_TO_READ = 64;

export interface Command {
  /** An absolute path. */
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly directory: string;
}

interface StartOptions {
  readonly hasInput?: boolean;
  /**
   * Names the process that leads a session of its own below the one that is started, as soon as there is one. It is asked before a kill: a program may be killed before
   * the caller has had the time to {@link Supervisor.join} it, and the leader cannot be found afterwards.
   */
  readonly leaderOf?: (pid: number) => number | undefined;
}

/** A process with a group of its own. */
export interface Child {
  readonly pid: number;
  /** Undefined: it was started without one. */
  readonly stdin: Writable | undefined;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Settles when it has ended and all that it wrote was read. */
  readonly ended: Promise<Ended>;
  /** To all processes of its group. */
  signal(signal: NodeJS.Signals): void;
  /** Sets the size of its terminal. Undefined: it has none. */
  readonly resize?: (size: TerminalSize) => void;
}

/** Columns and rows. */
export interface TerminalSize {
  readonly width: number;
  readonly height: number;
}

export interface Ended {
  readonly code: number | undefined;
  readonly signal: NodeJS.Signals | undefined;
}

/** Starts processes that do not outlive the server. */
export class Supervisor {
  readonly #shell: ChildProcess;
  readonly #over: Promise<void>;
  readonly #children = new Set<Child>();
  /** Sessions that end with a child. */
  readonly #joined = new Map<Child, number>();

  /** @param temporary folder that is removed at the end; `''`: none */
  constructor(temporary: string) {
    // Detached: an interrupt from the terminal goes to the foreground group, and must not take the supervisor first.
    this.#shell = spawn('/bin/sh', ['-c', WATCH, 'keelson-supervisor', temporary], {
      detached: true,
      env: { PATH: process.env['PATH'] ?? '' },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    this.#over = new Promise((resolve, reject) => {
      this.#shell.once('exit', () => resolve());
      this.#shell.once('error', reject);
    });
    // Awaited by finish; a failure before is reported there.
    this.#over.catch(() => undefined);
    this.#shell.stdin?.on('error', () => undefined);
    this.#shell.unref();
  }

  start({ program, args, env, directory }: Command, { hasInput = false, leaderOf }: StartOptions = {}): Child {
    const { stdin: pipe } = this.#shell;
    if (pipe === null) throw new RangeError('the supervisor was started with a pipe');
    const started = spawn('/bin/sh', ['-c', ENTER, 'keelson-container', program, ...args], {
      cwd: directory,
      env,
      detached: true,
      stdio: [hasInput ? 'pipe' : 'ignore', 'pipe', 'pipe', pipe],
    });
    const plain = childOf(started);
    const signal = (signal: NodeJS.Signals): void => {
      const leader = signal === 'SIGKILL' && !this.#joined.has(child) ? leaderOf?.(child.pid) : undefined;
      if (leader !== undefined) this.join(child, leader);
      plain.signal(signal);
    };
    const child: Child = { ...plain, signal };
    started.unref();
    this.#children.add(child);
    const forget = (): void => {
      this.#children.delete(child);
      // Children of the program end with it, as all processes of a container do.
      const session = this.#joined.get(child);
      this.#joined.delete(child);
      killGroup(child.pid, 'SIGKILL');
      if (session !== undefined) killSession(session);
      for (const group of [child.pid, session ?? 0]) pipe.write(`forget ${group}\n`);
    };
    started.once('exit', forget);
    return child;
  }

  /** Ends the session of a program with the child that has started it, and with the server. @param leader the program */
  join(child: Child, leader: number): void {
    if (!this.#children.has(child)) {
      killSession(leader);
      return;
    }
    this.#joined.set(child, leader);
    this.#shell.stdin?.write(`guard ${leader}\n`);
  }

  /** Kills what still runs, and resolves when all is gone. May be called again. */
  async finish(): Promise<void> {
    const children = [...this.#children];
    for (const child of children) child.signal('SIGKILL');
    await Promise.allSettled(children.map(({ ended }) => ended));
    this.#shell.ref();
    this.#shell.stdin?.end();
    await this.#over;
  }
}

function childOf(started: ChildProcess): Child {
  const { pid, stdin, stdout, stderr } = started;
  if (stdout === null || stderr === null) throw new RangeError('a container was started with pipes');
  for (const stream of [stdin, stdout, stderr]) {
    // A broken pipe is part of a process' end.
    stream?.on('error', () => undefined);
    (stream as { unref?: () => void } | null)?.unref?.();
  }
  const ended = new Promise<Ended>((resolve) => {
    started.once('error', () => resolve({ code: 126, signal: undefined }));
    started.once('exit', (code, signal) => {
      const end = (): void => resolve({ code: code ?? undefined, signal: signal ?? undefined });
      started.once('close', end);
      abandonWhenRead([stdout, stderr], end);
    });
  });
  return {
    pid: pid ?? 0,
    stdin: stdin ?? undefined,
    stdout,
    stderr,
    ended,
    signal: (signal) => killGroup(pid ?? 0, signal),
  };
}

/**
 * Closes the pipes of a program that has ended, though a daemon that left its group holds them: that is not waited for. Readers are, however slow: the program wrote to
 * them before its end.
 */
function abandonWhenRead(pipes: readonly Readable[], abandoned: () => void): void {
  const look = (turnsLeft: number): void => {
    if (pipes.some((pipe) => pipe.isPaused() && !pipe.destroyed)) {
      abandonWhenRead(pipes, abandoned);
    } else if (turnsLeft > 0) {
      // A server that was busy for as long comes here before it has read.
      setImmediate(look, turnsLeft - 1);
    } else {
      for (const pipe of pipes) pipe.destroy();
      abandoned();
    }
  };
  setTimeout(look, PIPES_WITHIN_MS, TURNS_TO_READ).unref();
}

/** To all processes of a group, if it is still there. */
export function killGroup(pid: number, signal: NodeJS.Signals): void {
  // 0 and 1 would mean others.
  if (pid > 1) sent(-pid, signal);
}

/** The group of its leader first, so that it starts no more jobs. */
function killSession(leader: number): void {
  killGroup(leader, 'SIGKILL');
  for (const pid of processesOfSession(leader)) sent(pid, 'SIGKILL');
}

function sent(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

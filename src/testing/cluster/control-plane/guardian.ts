import { type ChildProcess, spawn } from 'node:child_process';

/**
 * A shell that holds one end of a pipe. When the process that started it is gone, whatever way it went (SIGKILL runs no exit hook), the pipe reads end-of-file;
 * the shell then kills the guarded processes and removes the data directory.
 */
const SCRIPT = `
pids=
while read -r verb pid; do
  case $verb in
    guard) pids="$pids $pid" ;;
    forget) kept=; for each in $pids; do [ "$each" = "$pid" ] || kept="$kept $each"; done; pids=$kept ;;
  esac
done
[ -z "$pids" ] || kill -9 $pids
rm -rf "$1"
`;

/** Ends the processes of a control plane when the process that started it is gone. */
export class Guardian {
  readonly #shell: ChildProcess;
  readonly #ended: Promise<void>;

  /** @param directory removed at the end: it must hold nothing of others */
  constructor(directory: string) {
    // Detached: an interrupt from the terminal goes to the foreground group, and must not take the guardian first.
    this.#shell = spawn('/bin/sh', ['-c', SCRIPT, 'guardian', directory], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
    this.#ended = new Promise((resolve, reject) => {
      this.#shell.once('exit', () => resolve());
      this.#shell.once('error', reject);
    });
    this.#shell.unref();
  }

  guard(pid: number): void {
    this.#shell.stdin?.write(`guard ${pid}\n`);
  }

  /** A process that has ended gives its number back: a later process may get it. */
  forget(pid: number): void {
    this.#shell.stdin?.write(`forget ${pid}\n`);
  }

  /** Ends the guarded processes and removes the data. May be called again. */
  async finish(): Promise<void> {
    this.#shell.ref();
    this.#shell.stdin?.end();
    await this.#ended;
  }
}

import { type ChildProcess, spawn } from 'node:child_process';

/**
 * A shell at the other end of a pipe. When the process that holds this end is gone, in whatever way (no handler runs on SIGKILL), the shell reads end-of-file,
 * kills the processes that it was told of, and removes their data.
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

/** Sees to it that no process outlives the one that started it. */
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

  /** The number of a process that has ended may become another's. */
  forget(pid: number): void {
    this.#shell.stdin?.write(`forget ${pid}\n`);
  }

  /** Ends what is guarded and removes the data. May be called again. */
  async finish(): Promise<void> {
    this.#shell.ref();
    this.#shell.stdin?.end();
    await this.#ended;
  }
}

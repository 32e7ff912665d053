import { firstChildOf, isStopped } from './proc-files.js';
import { type Child, killGroup, type Supervisor } from './supervisor.js';

/** Before `/proc` is looked at again, in real time. */
const RETRY_MS = 20;
/** `script` stops itself some milliseconds after its program was stopped, unless the machine is very busy. */
const STOPS_WITHIN_MS = 10_000;

/**
 * The program that `script` runs on a terminal. It leads a session of its own: a signal to the process group of `script` does not reach it, and a signal that ends `script`
 * alone would only hang up, which a program may ignore.
 */
export class TerminalProgram {
  readonly #script: Child;
  readonly #pid: Promise<number | undefined>;
  #isOver = false;
  #isStopped = false;
  /** The signals before: each is delivered when the one before has been. */
  #delivered: Promise<void> = Promise.resolve();

  constructor(script: Child, supervisor: Supervisor) {
    this.#script = script;
    void script.ended.then(() => {
      this.#isOver = true;
    });
    this.#pid = this.#found();
    void this.#pid.then((pid) => {
      if (pid !== undefined) supervisor.join(script, pid);
    });
  }

  signal(signal: NodeJS.Signals): void {
    // The supervisor ends the program's session with `script`.
    if (signal === 'SIGKILL') this.#script.signal(signal);
    else this.#delivered = this.#delivered.then(() => this.#deliver(signal));
  }

  async #deliver(signal: NodeJS.Signals): Promise<void> {
    const pid = await this.#pid;
    if (pid === undefined || this.#isOver) return;
    killGroup(pid, signal);
    if (signal === 'SIGSTOP') this.#isStopped = true;
    if (signal !== 'SIGCONT' || !this.#isStopped) return;
    this.#isStopped = false;
    // `script` stops itself when it hears that its program was stopped, be that running again or not: continued before that, it would stop for good.
    await this.#until(() => isStopped(this.#script.pid), performance.now() + STOPS_WITHIN_MS);
    this.#script.signal(signal);
  }

  async #found(): Promise<number | undefined> {
    let pid: number | undefined;
    await this.#until(() => {
      pid = firstChildOf(this.#script.pid);
      return pid !== undefined;
    });
    return pid;
  }

  /** Settles when the condition is met, `script` has ended, or the deadline has passed. */
  async #until(condition: () => boolean, deadline = Number.POSITIVE_INFINITY): Promise<void> {
    while (!this.#isOver && !condition() && performance.now() < deadline) {
      let retry: NodeJS.Timeout | undefined;
      await Promise.race([this.#script.ended, new Promise((resolve) => (retry = setTimeout(resolve, RETRY_MS).unref()))]);
      clearTimeout(retry);
    }
  }
}

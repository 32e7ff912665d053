import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { bundledProgram } from '../harness/index.js';

export interface ProcessOptions {
  /** Folder under `examples/`. */
  readonly example: string;
  /** The entry point. Default: `operator.ts` in the folder of the example. */
  readonly entry?: string | undefined;
  readonly podName: string;
  /** What the container has; nothing of the test's own environment but the path of programs. */
  readonly environment: Readonly<Record<string, string>>;
}

/** The entry point of an example's image, in a process of its own, as a Pod would have it. */
export class OperatorProcess {
  readonly podName: string;
  readonly lines: string[] = [];
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;

  constructor({ example, entry = `examples/${example}/operator.ts`, podName, environment }: ProcessOptions) {
    this.podName = podName;
    this.#child = spawn(process.execPath, [bundledProgram(entry)], {
      env: { PATH: process.env['PATH'], POD_NAME: podName, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      // The pipe may hand over a part of a line.
      if (stream !== null) createInterface({ input: stream }).on('line', (line) => line !== '' && this.lines.push(line));
    }
    // Not `exit`: what it wrote at last may come after that.
    this.#ended = once(this.#child, 'close');
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** Stands still, with its connections open, until it is resumed. */
  pause(): void {
    this.#child.kill('SIGSTOP');
  }

  resume(): void {
    this.#child.kill('SIGCONT');
  }

  /** @returns the exit code; null: by the signal */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    if (!this.hasEnded) {
      this.#child.kill(signal);
      await this.#ended;
    }
    return this.#child.exitCode;
  }
}

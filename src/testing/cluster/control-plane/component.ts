import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { TestClusterError } from '../errors.js';
import type { Guardian } from './guardian.js';

/** An API server takes six seconds on a free machine; more than this means that something is wrong. */
const READY_WITHIN_MS = 90_000;
const LOOK_EVERY_MS = 100;
const LOG_LINES = 25;

export interface ComponentOptions {
  readonly name: string;
  readonly command: string;
  readonly parameters: readonly string[];
  readonly logFile: string;
  /** Asked again and again; a rejection is "not yet". */
  readonly isReady: () => Promise<boolean>;
}

/** A part of the control plane did not start. */
export class ComponentError extends TestClusterError {
  /** Another process was quicker to take the port. */
  readonly isPortTaken: boolean;

  constructor(name: string, what: string, log: string) {
    super(`${name} ${what}; the end of its log:\n${log}`);
    this.isPortTaken = /address already in use/.test(log);
  }
}

/** One process of the control plane. */
export class Component {
  readonly #options: ComponentOptions;
  readonly #guardian: Guardian;
  #process: ChildProcess | undefined;
  #end: string | undefined;

  constructor(options: ComponentOptions, guardian: Guardian) {
    this.#options = options;
    this.#guardian = guardian;
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Resolves when it is ready. @throws ComponentError with the end of its log */
  async start(): Promise<void> {
    const { name, command, parameters, logFile } = this.#options;
    const log = openSync(logFile, 'a');
    const child = spawn(command, parameters, { detached: true, stdio: ['ignore', log, log] });
    closeSync(log);
    child.unref();
    this.#process = child;
    child.once('error', (error) => {
      this.#end = error.message;
    });
    child.once('exit', (code, signal) => {
      this.#end = `ended with ${signal ?? `code ${code}`}`;
      if (child.pid !== undefined) this.#guardian.forget(child.pid);
    });
    if (child.pid !== undefined) this.#guardian.guard(child.pid);
    if (await this.#isReady()) return;
    const what = this.#end ?? `was not ready within ${READY_WITHIN_MS / 1000} s`;
    throw new ComponentError(name, what, readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-LOG_LINES).join('\n'));
  }

  /** Ends the process at once: its data is thrown away. */
  async kill(): Promise<void> {
    const child = this.#process;
    if (child === undefined || this.#end !== undefined) return;
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.ref();
    child.kill('SIGKILL');
    await ended;
  }

  async #isReady(): Promise<boolean> {
    const deadline = performance.now() + READY_WITHIN_MS;
    while (this.#end === undefined && performance.now() < deadline) {
      if (await this.#options.isReady().catch(() => false)) return true;
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
    return false;
  }
}

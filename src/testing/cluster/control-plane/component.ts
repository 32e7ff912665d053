import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { TestClusterError } from '../errors.js';
import type { Guardian } from './guardian.js';

/** An API server takes six seconds on a free machine; after this long something is wrong. */
const READY_WITHIN_MS = 90_000;
/** After a SIGTERM that is not obeyed a process is killed. */
const STOP_WITHIN_MS = 15_000;
const LOOK_EVERY_MS = 100;
const LOG_LINES = 25;

export interface ComponentOptions {
  readonly name: string;
  readonly command: string;
  readonly parameters: readonly string[];
  readonly logFile: string;
  /** Asked again and again after a start; a rejection counts as "not yet". */
  readonly isReady: () => Promise<boolean>;
}

/** Hears of processes that must not outlive the one that started them. */
export type ProcessKeeper = Pick<Guardian, 'forget' | 'guard'>;

/** A part of the control plane did not start. */
export class ComponentError extends TestClusterError {
  /** Another process was quicker to take the port. */
  readonly isPortTaken: boolean;

  constructor(name: string, what: string, log: string) {
    super(`${name} ${what}; the end of its log:\n${log}`);
    this.isPortTaken = /address already in use/.test(log);
  }
}

/** One process of the control plane. It may be started again after a stop or a kill: same flags, same ports, same data. */
export class Component {
  readonly name: string;
  readonly #options: ComponentOptions;
  readonly #guardian: ProcessKeeper;
  #process: ChildProcess | undefined;

  constructor(options: ComponentOptions, guardian: ProcessKeeper) {
    this.name = options.name;
    this.#options = options;
    this.#guardian = guardian;
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  get isRunning(): boolean {
    return this.#process !== undefined;
  }

  /** Resolves when it is ready. @throws ComponentError with the end of its log; TestClusterError if it is running */
  async start(): Promise<void> {
    if (this.#process !== undefined) throw new TestClusterError(`${this.name} is running already`);
    const { command, parameters, logFile } = this.#options;
    const log = openSync(logFile, 'a');
    const child = spawn(command, parameters, { detached: true, stdio: ['ignore', log, log] });
    closeSync(log);
    child.unref();
    this.#process = child;
    let end: string | undefined;
    child.once('error', (error) => {
      end = error.message;
    });
    child.once('exit', (code, signal) => {
      end = `ended with ${signal ?? `code ${code}`}`;
      if (child.pid !== undefined) this.#guardian.forget(child.pid);
      if (this.#process === child) this.#process = undefined;
    });
    if (child.pid !== undefined) this.#guardian.guard(child.pid);
    if (await this.#becomesReady(() => end !== undefined)) return;
    throw new ComponentError(this.name, end ?? `was not ready within ${READY_WITHIN_MS / 1000} s`, this.logTail());
  }

  /** Asks the process to end (SIGTERM), as a rollout does, and kills it if it does not obey. */
  async stop(): Promise<void> {
    await this.#end('SIGTERM');
  }

  /** Ends the process without a word to its clients, as a lost machine does. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** Stops the process where it stands: connections stay open and nothing is answered. */
  pause(): void {
    this.#process?.kill('SIGSTOP');
  }

  resume(): void {
    this.#process?.kill('SIGCONT');
  }

  logTail(lines: number = LOG_LINES): string {
    return readFileSync(this.#options.logFile, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
  }

  async #end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const child = this.#process;
    if (child === undefined) return;
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.ref();
    child.kill(signal);
    const insist = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
    await ended;
    clearTimeout(insist);
  }

  async #becomesReady(hasEnded: () => boolean): Promise<boolean> {
    const deadline = performance.now() + READY_WITHIN_MS;
    while (!hasEnded() && performance.now() < deadline) {
      if (await this.#options.isReady().catch(() => false)) return !hasEnded();
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
    return false;
  }
}

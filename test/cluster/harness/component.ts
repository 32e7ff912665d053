import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import type { Guardian } from './guardian.js';
import { pollUntil } from './poll.js';

/** A loaded machine with two cores starts the API server in ten seconds rather than six; a minute means that something is wrong. */
const READY_WITHIN_MS = 90_000;
const STOP_WITHIN_MS = 15_000;

export interface ComponentOptions {
  readonly name: string;
  readonly command: string;
  readonly parameters: readonly string[];
  readonly logFile: string;
  /** Asked again and again after a start; a rejection counts as "not yet". */
  readonly isReady: () => Promise<boolean>;
}

/** The process ended before it was ready. */
export class ComponentFailure extends Error {
  constructor(name: string, what: string, log: string) {
    super(`${name} ${what}; the end of its log:\n${log}`);
    this.name = 'ComponentFailure';
  }

  /** Another process took the port between our look and the bind. */
  get isPortTaken(): boolean {
    return /address already in use/.test(this.message);
  }
}

/** One process of the control plane. It may be started again after a stop or a kill: same flags, same ports, same data. */
export class Component {
  readonly name: string;
  readonly #options: ComponentOptions;
  readonly #guardian: Guardian;
  #process: ChildProcess | undefined;

  constructor(options: ComponentOptions, guardian: Guardian) {
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

  /** Resolves when the component is ready. Errors: {@link ComponentFailure} with the end of the log. */
  async start(): Promise<void> {
    if (this.#process !== undefined) throw new Error(`${this.name} is running already`);
    const { command, parameters, logFile, isReady } = this.#options;
    const log = openSync(logFile, 'a');
    const child = spawn(command, [...parameters], { detached: true, stdio: ['ignore', log, log] });
    closeSync(log);
    this.#process = child;
    child.unref();
    let failure: string | undefined;
    child.once('error', (error) => {
      failure = error.message;
    });
    child.once('exit', (code, signal) => {
      failure = `ended with ${signal ?? `code ${code}`}`;
      if (child.pid !== undefined) this.#guardian.forget(child.pid);
      if (this.#process === child) this.#process = undefined;
    });
    if (child.pid !== undefined) this.#guardian.guard(child.pid);
    const ready = await pollUntil(async () => failure !== undefined || (await isReady().catch(() => false)), READY_WITHIN_MS);
    if (failure !== undefined) throw new ComponentFailure(this.name, failure, this.logTail());
    if (!ready) throw new ComponentFailure(this.name, `was not ready within ${READY_WITHIN_MS / 1000} s`, this.logTail());
  }

  /** Asks the process to end (SIGTERM), as a rollout does, and insists after a while. */
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

  logTail(lines = 25): string {
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
}

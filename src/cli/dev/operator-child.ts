import { type ChildProcess, spawn } from 'node:child_process';
import { request } from 'node:http';
import { connect } from 'node:net';
import type { Readable } from 'node:stream';
import type { Announcement, Go, Load, Message, Order, ProcessListeners } from './messages.js';
import type { ProjectModules } from './project-modules.js';

/** How long an operator may take to end by itself. Its drain is a second. */
const GRACE_MS = 2_500;
const READY_LOOK_MS = 40;

export interface OperatorProcessOptions {
  readonly modules: ProjectModules;
  readonly directory: string;
  /** The program of `keelson`, which runs the operator's side too. */
  readonly program: string;
  readonly healthPort: number;
  /** Called with whole lines of its standard output and standard error. */
  readonly onLine: (line: string) => void;
  readonly listeners: ProcessListeners;
}

/** How a process of the operator ended. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** One process of the operator, from its start to its end. It loads the packages of the project, and waits for {@link load}. */
export class OperatorProcess {
  /** Resolves with what it needs; never, if it ends before. */
  readonly announced: Promise<Announcement>;
  readonly ended: Promise<Ending>;
  readonly #child: ChildProcess;
  readonly #healthPort: number;
  #hasEnded = false;

  constructor({ modules, directory, program, healthPort, onLine, listeners }: OperatorProcessOptions) {
    const { loader, operator, run } = modules;
    const parameters = [...process.execArgv, ...loader, program, 'dev-child', operator, ...(run === undefined ? [] : [run])];
    this.#healthPort = healthPort;
    this.#child = spawn(process.execPath, parameters, { cwd: directory, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    this.announced = new Promise((resolve) => {
      this.#child.on('message', (message) => {
        const said = message as Message;
        if ('run' in said) listeners.onRun(said.run);
        else if ('heard' in said) listeners.onHeard(said.heard);
        else if ('review' in said) listeners.onReview(said.review);
        else resolve(said);
      });
    });
    this.ended = new Promise((resolve) => {
      this.#child.once('close', (code, signal) => {
        this.#hasEnded = true;
        resolve({ code, signal });
      });
      this.#child.once('error', (error) => {
        onLine(`the operator's process cannot be started: ${error.message}`);
        this.#hasEnded = true;
        resolve({ code: 1, signal: null });
      });
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) if (stream !== null) eachLine(stream, onLine);
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** It loads the project's sources now, and announces the operator. */
  load(): void {
    this.#child.send({ load: true } satisfies Load, () => undefined);
  }

  go(go: Go): void {
    // It may end at this moment: that is seen by `ended`.
    this.#child.send(go, () => undefined);
  }

  /** Only after {@link go}. */
  order(order: Order): void {
    this.#child.send(order, () => undefined);
  }

  /**
   * Until its readiness probe passes. The probe is asked when all ports are open: before, each question would leave a warning in the operator's log.
   *
   * @param ports open when it is ready
   * @returns false if it ended instead
   */
  async ready(ports: readonly number[]): Promise<boolean> {
    const looks = [...ports.map((port) => () => isOpen(port)), () => answersReady(this.#healthPort)];
    for (const look of looks) {
      while (!(await look())) {
        if (this.#hasEnded) return false;
        await new Promise((resolve) => setTimeout(resolve, READY_LOOK_MS));
      }
    }
    return !this.#hasEnded;
  }

  /** Asks it to end, and ends it. */
  async stop(): Promise<void> {
    if (this.#hasEnded) return;
    this.#child.kill('SIGTERM');
    const timer = setTimeout(() => this.kill(), GRACE_MS);
    await this.ended;
    clearTimeout(timer);
  }

  /** Ends it without a word, as a node that fails. */
  kill(): void {
    this.#child.kill('SIGKILL');
  }
}

function eachLine(stream: Readable, onLine: (line: string) => void): void {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  });
  stream.on('end', () => {
    if (rest !== '') onLine(rest);
  });
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    const done = (open: boolean): void => {
      socket.destroy();
      resolve(open);
    };
    socket.once('connect', () => done(true));
    socket.once('error', () => done(false));
  });
}

function answersReady(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = request({ host: '127.0.0.1', port, path: '/readyz', agent: false, timeout: 1_000 }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    asked.once('timeout', () => asked.destroy());
    asked.once('error', () => resolve(false));
    asked.end();
  });
}

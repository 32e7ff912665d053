import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { bundledProgram } from '../harness/index.js';

export const LEASE = 'disturbed';
export const OPERATOR_NAMESPACE = 'disturbed-system';

export interface ReplicaOptions {
  /** Of the Pod that it would be. */
  readonly name: string;
  /** Path. */
  readonly kubeconfig: string;
  readonly healthPort: number;
  readonly environment?: Readonly<Record<string, string>>;
}

export interface LogLine {
  readonly level: string;
  readonly msg: string;
  /** Of the object that was looked at. */
  readonly name?: string;
  readonly title?: string;
  readonly uid?: string;
}

/** One replica of the operator, in a process of its own. */
export class Replica {
  readonly name: string;
  /** What it has logged. */
  readonly lines: LogLine[] = [];
  /** What came that is not a log line: the last words of a process that crashes. */
  readonly words: string[] = [];
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  readonly #healthPort: number;

  constructor({ name, kubeconfig, healthPort, environment }: ReplicaOptions) {
    this.name = name;
    this.#healthPort = healthPort;
    this.#child = spawn(process.execPath, [bundledProgram('test/cluster/runtime-disturbances/main.ts')], {
      env: {
        ...process.env,
        ...environment,
        KUBECONFIG: kubeconfig,
        POD_NAME: name,
        POD_NAMESPACE: OPERATOR_NAMESPACE,
        KEELSON_LEASE_NAME: LEASE,
        KEELSON_HEALTH_PORT: String(healthPort),
        KEELSON_METRICS_PORT: '0',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      if (stream !== null) createInterface({ input: stream }).on('line', (line) => this.#hear(line));
    }
    // Not `exit`: what it wrote at last may come after that.
    this.#ended = once(this.#child, 'close');
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Whether it has logged such a message. */
  said(message: string): boolean {
    return this.lines.some(({ msg }) => msg === message);
  }

  /** Of the objects that it has looked at, in order. */
  lookedAt(since = 0): readonly LogLine[] {
    return this.lines.slice(since).filter(({ msg }) => msg === 'looked at');
  }

  /** Status and text of its readiness, as the kubelet would ask. */
  async readiness(): Promise<readonly [number, string]> {
    const answer = await fetch(`http://127.0.0.1:${this.#healthPort}/readyz?verbose`);
    return [answer.status, await answer.text()];
  }

  /** Stopped where it stands, until `SIGCONT`. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#child.kill(signal);
  }

  /** @returns the exit code; null: by the signal */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    if (this.isRunning) {
      this.#child.kill(signal);
      await this.#ended;
    }
    return this.#child.exitCode;
  }

  #hear(line: string): void {
    if (line.startsWith('{')) this.lines.push(JSON.parse(line) as LogLine);
    else this.words.push(line);
  }
}

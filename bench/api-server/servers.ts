import { type ChildProcess, fork } from 'node:child_process';
import { findBinaries } from '../../scripts/cluster/binaries.js';
import { startCluster } from '../../test/cluster/harness/index.js';
import type { Endpoint } from './connection.js';

/** A server under measurement, in a process of its own: the client has the other core. */
export interface BenchServer extends Endpoint {
  readonly title: string;
  close(): Promise<void>;
}

export interface StartFigures {
  readonly importMs: number;
  readonly startMs: number;
  readonly importCpuMs: number;
  readonly startCpuMs: number;
}

export interface EventLoopDelay {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

export interface MemoryFigures {
  readonly heapUsed: number;
  readonly external: number;
  readonly rss: number;
}

type Asked = { readonly memory: MemoryFigures; readonly delay: EventLoopDelay; readonly cpu: number };

/** An in-process API server in another process. */
export class HostedServer implements BenchServer {
  readonly title: string;
  readonly url: string;
  readonly ca: string | undefined;
  readonly token: string;
  readonly figures: StartFigures;
  readonly #process: ChildProcess;
  #asked = 0;

  private constructor(title: string, process: ChildProcess, hello: StartFigures & Endpoint) {
    this.title = title;
    this.#process = process;
    this.url = hello.url;
    this.ca = hello.ca;
    this.token = hello.token;
    this.figures = hello;
  }

  static start(module: string, protocol: 'http' | 'https', options: object = {}): Promise<HostedServer> {
    const child = fork('bench/processes/api-server.mjs', [module, protocol, JSON.stringify(options)], {
      execArgv: ['--expose-gc'],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code) => reject(new Error(`the server's process ended with ${code}`)));
      child.once('message', (hello) => resolve(new HostedServer(`keelson, ${protocol}`, child, hello as StartFigures & Endpoint)));
    });
  }

  ask<K extends keyof Asked>(what: K): Promise<Asked[K]> {
    this.#asked += 1;
    const id = this.#asked;
    return new Promise((resolve) => {
      const answered = (message: unknown): void => {
        const answer = message as { id: number; value: Asked[K] };
        if (answer.id !== id) return;
        this.#process.off('message', answered);
        resolve(answer.value);
      };
      this.#process.on('message', answered);
      this.#process.send({ id, ask: what });
    });
  }

  close(): Promise<void> {
    const ended = new Promise<void>((resolve) => this.#process.once('exit', () => resolve()));
    this.#process.send({ id: 0, ask: 'close' });
    return ended;
  }
}

/** kube-apiserver and etcd, without an audit log, or the reason why not. */
export async function startRealServer(): Promise<BenchServer | string> {
  const search = findBinaries();
  if (!search.found) return search.reason;
  // Of flags that are given twice the last one counts: the harness wants a log of all requests, which would cost the server dearly.
  const cluster = await startCluster({ apiServerFlags: ['--audit-log-path=', '--audit-policy-file=', '--audit-log-mode=batch'] });
  const { url, ca, tokens } = cluster.connection;
  return { title: 'kube-apiserver + etcd', url, ca, token: tokens['admin'] ?? '', close: () => cluster.stop() };
}

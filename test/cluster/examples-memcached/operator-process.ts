import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

export interface ProcessOptions {
  readonly podName: string;
  /** Path. */
  readonly kubeconfig: string;
}

/** The entry point of the memcached image, in a process of its own, as a Pod would have it. */
export class OperatorProcess {
  readonly podName: string;
  readonly lines: string[] = [];
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;

  constructor({ podName, kubeconfig }: ProcessOptions) {
    this.podName = podName;
    this.#child = spawn(process.execPath, ['--import', 'tsx', 'examples/memcached/operator.ts'], {
      env: {
        ...process.env,
        KUBECONFIG: kubeconfig,
        POD_NAME: podName,
        POD_NAMESPACE: 'memcached-operator-system',
        KEELSON_LEASE_NAME: 'memcached-operator',
        KEELSON_HEALTH_PORT: '0',
        KEELSON_METRICS_PORT: '0',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => this.lines.push(...text.split('\n').filter((line) => line !== '')));
    }
    this.#ended = once(this.#child, 'exit');
  }

  /** @returns the exit code; null: by the signal */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    this.#child.kill(signal);
    await this.#ended;
    return this.#child.exitCode;
  }
}

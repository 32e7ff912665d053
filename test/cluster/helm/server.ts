import { execFile } from 'node:child_process';
import { DEADLINE_MS } from '../../deadline.cjs';
import { eventually } from '../../eventually.js';

/** A server, through the real kubectl. */
export class Server {
  readonly kubeconfig: string;
  readonly #kubectl: string;

  constructor(kubectl: string, kubeconfig: string) {
    this.#kubectl = kubectl;
    this.kubeconfig = kubeconfig;
  }

  /** What a path answers, as text; `undefined` if there is nothing. */
  async get(path: string): Promise<string | undefined> {
    const { code, stdout, stderr } = await this.#run('get', '--raw', path);
    if (code === 0) return stdout;
    if (stderr.includes('NotFound')) return undefined;
    throw new Error(`kubectl get --raw ${path}: ${stderr}`);
  }

  /** @throws Error with what kubectl said */
  async must(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.#run(...args);
    if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr}`);
    return stdout;
  }

  /** Asks until it is so: the API server learns of kinds and webhooks a moment after they are stored or deleted. @throws Error with what kubectl said last */
  async eventually(...args: readonly string[]): Promise<void> {
    let last = '';
    const isDone = async (): Promise<boolean> => {
      const { code, stderr } = await this.#run(...args);
      last = stderr;
      return code === 0;
    };
    await eventually(isDone, () => `kubectl ${args.join(' ')}: ${last}`);
  }

  #run(...args: readonly string[]): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
    return new Promise((resolve) => {
      execFile(this.#kubectl, ['--kubeconfig', this.kubeconfig, ...args], { timeout: DEADLINE_MS }, (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : 1, stdout, stderr });
      });
    });
  }
}

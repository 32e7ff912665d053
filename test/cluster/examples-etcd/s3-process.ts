import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type GoClient, goClient } from '../../../scripts/cluster/go-client.js';

/** An S3 server in memory, as a program; where it cannot be built, the reason. */
export const s3Server: GoClient = goClient(join(__dirname, 's3-server'));

/** It ends with the process of the test. */
export class S3Process {
  readonly endpoint: string;
  readonly #process: ChildProcess;

  static async start(...buckets: readonly string[]): Promise<S3Process> {
    if (!s3Server.found) throw new Error(s3Server.reason);
    const process = spawn(s3Server.path, buckets, { stdio: ['pipe', 'pipe', 'inherit'] });
    const ended = once(process, 'exit').then(() => {
      throw new Error('the S3 server has ended');
    });
    const [line] = await Promise.race([once(process.stdout, 'data') as Promise<[Buffer]>, ended]);
    ended.catch(() => undefined);
    return new S3Process(process, line.toString().trim());
  }

  private constructor(process: ChildProcess, endpoint: string) {
    this.#process = process;
    this.endpoint = endpoint;
  }

  async stop(): Promise<void> {
    const ended = once(this.#process, 'exit');
    this.#process.stdin?.end();
    await ended;
  }
}

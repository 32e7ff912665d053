import { spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { enterNode } from '../../../../scripts/cluster/node/in-node.js';
import { eventually } from '../../../eventually.js';
import type { SharedNode } from './describe-node.js';

const NAME = 'kube-apiserver';
const SHOWN_LINES = 20;

/** The API server of a node, to be stopped where it stands, or killed and started again with the same data. */
export class ApiServerProcess {
  readonly #node: SharedNode;

  constructor(node: SharedNode) {
    this.#node = node;
  }

  /** Connections stay open, and nothing is answered. */
  pause(): void {
    process.kill(this.#pid(), 'SIGSTOP');
  }

  resume(): void {
    const pid = this.#pid();
    const [, parent = ''] = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    // nsenter stops itself when its child is stopped.
    for (const stopped of [Number(parent), pid]) process.kill(stopped, 'SIGCONT');
  }

  /**
   * Every connection breaks, and watches begin anew. Resolves when it is ready again.
   *
   * @throws Error with the end of its log
   */
  async killAndStart(): Promise<void> {
    const pid = this.#pid();
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
    const file = join(this.#node.connection.directory, `${NAME}.log`);
    process.kill(pid, 'SIGKILL');
    await eventually(async () => hasEnded(pid), `${NAME} ends`);
    this.#start(command, file);
    const logEnd = (): string => readFileSync(file, 'utf8').split('\n').slice(-SHOWN_LINES).join('\n');
    await eventually(
      () => this.#isReady(),
      () => `${NAME} is ready again; its log ends with:\n${logEnd()}`,
    );
  }

  #start(command: readonly string[], file: string): void {
    const log = openSync(file, 'a');
    // It ends with the namespaces of the node, as the first one did.
    spawn('nsenter', [...enterNode(this.#node.initPid), ...command], { detached: true, stdio: ['ignore', log, log] }).unref();
    closeSync(log);
  }

  #isReady(): Promise<boolean> {
    return this.#node.request('GET', '/readyz').then(
      ({ status }) => status === 200,
      () => false,
    );
  }

  #pid(): number {
    const pid = this.#find();
    if (pid === undefined) throw new Error(`no ${NAME} runs in the node`);
    return pid;
  }

  #find(): number | undefined {
    const namespace = readlinkSync(`/proc/${this.#node.initPid}/ns/pid`);
    const found = readdirSync('/proc').find((pid) => /^\d+$/.test(pid) && isIt(pid, namespace));
    return found === undefined ? undefined : Number(found);
  }
}

function isIt(pid: string, namespace: string): boolean {
  try {
    return (
      !hasEnded(Number(pid)) &&
      readFileSync(`/proc/${pid}/comm`, 'utf8') === `${NAME}\n` &&
      readlinkSync(`/proc/${pid}/ns/pid`) === namespace
    );
  } catch {
    return false;
  }
}

/**
 * Whether nothing of it runs any more; its parent may not have heard of it yet. A process that is killed lets its port go some 20 ms later, on a busy machine seconds: when its last
 * thread has ended, and the first one has become a zombie. It has no command line from long before. One that is started in between cannot listen, and ends.
 */
function hasEnded(pid: number): boolean {
  try {
    return /^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8')) && readdirSync(`/proc/${pid}/task`).length === 1;
  } catch (error) {
    if (!['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return true;
  }
}

import { containerdClient, runInNode } from '../../../../scripts/cluster/node/in-node.js';
import { AuditLog, type RequestLog } from '../../../../src/testing/request-log/index.js';
import { Cluster } from '../../harness/index.js';
import { type NodeConnection, sharedNodeConnection } from './connection.js';

/** A shared node as a suite sees it. */
export class SharedNode extends Cluster {
  readonly nodeAddress: string;
  /** The process whose namespaces are those of the node. */
  readonly initPid: number;
  readonly #audit: AuditLog;

  constructor(connection: NodeConnection) {
    super(connection);
    this.nodeAddress = connection.nodeAddress;
    this.initPid = connection.initPid;
    this.#audit = new AuditLog(connection.auditFile);
  }

  /** All requests since the node was started, those of other suites and of the node itself among them: narrow it by user. */
  get requests(): RequestLog {
    return this.#audit.log;
  }

  /** Takes a file of `docker save`, so that Pods can name its image. Its name must be none of the node's own. */
  async importImage(file: string): Promise<void> {
    await this.#containerd('images', 'import', file);
  }

  /** The store outlives the node: an image of one run alone must be taken away. */
  async removeImages(...names: readonly string[]): Promise<void> {
    await this.#containerd('images', 'remove', ...names);
  }

  #containerd(...parameters: readonly string[]): Promise<string> {
    return runInNode(this.initPid, containerdClient(...parameters));
  }
}

/**
 * A suite on a shared node. Where there is none, every test is reported as skipped, with the reason in the suite's name.
 *
 * @param body declares tests; it must use `node` inside hooks and tests only.
 */
export function describeNode(name: string, body: (node: SharedNode) => void): void {
  const connection = sharedNodeConnection();
  if ('absent' in connection) {
    describe.skip(`${name} [skipped: ${connection.absent}]`, () => body(undefined as unknown as SharedNode));
    return;
  }
  describe(name, () => {
    const node = new SharedNode(connection);
    afterAll(() => node.disconnect());
    body(node);
  });
}

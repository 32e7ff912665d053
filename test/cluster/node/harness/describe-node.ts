import { AuditLog, type RequestLog } from '../../../../src/testing/request-log/index.js';
import { Cluster } from '../../harness/index.js';
import { type NodeConnection, sharedNodeConnection } from './connection.js';

/** A shared node as a suite sees it. */
export class SharedNode extends Cluster {
  readonly nodeAddress: string;
  readonly #audit: AuditLog;

  constructor(connection: NodeConnection) {
    super(connection);
    this.nodeAddress = connection.nodeAddress;
    this.#audit = new AuditLog(connection.auditFile);
  }

  /** All requests since the node was started, those of other suites and of the node itself among them: narrow it by user. */
  get requests(): RequestLog {
    return this.#audit.log;
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

import type { Cluster } from './cluster.js';
import { type PlaneSort, SharedCluster, sharedConnection } from './shared-cluster.js';

export interface ClusterNeeds {
  /** Default false: none is needed, but one may be there. */
  readonly controllerManager?: boolean;
  /** The sort of control plane. Default `managed`. */
  readonly plane?: PlaneSort;
}

/**
 * A suite against the shared cluster. Where there is none, or it lacks what the suite needs, every test is reported as skipped, with the reason in the
 * suite's name.
 *
 * @param body declares tests; it must use `cluster` inside hooks and tests only.
 */
export function describeCluster(name: string, body: (cluster: Cluster) => void, needs: ClusterNeeds = {}): void {
  const connection = sharedConnection(needs.plane ?? 'managed');
  if ('absent' in connection) {
    describeSkipped(name, body, connection.absent);
    return;
  }
  if (needs.controllerManager === true && !connection.controllerManager) {
    if (process.env['CI']) throw new Error(`${name}: there is no kube-controller-manager`);
    describeSkipped(name, body, 'there is no kube-controller-manager');
    return;
  }
  describe(name, () => {
    const cluster = new SharedCluster(connection);
    body(cluster);
    // Declared last, it runs last.
    afterAll(() => cluster.stop());
  });
}

/** On a control plane without controllers, which streams lists. */
export function describeBareCluster(name: string, body: (cluster: Cluster) => void): void {
  describeCluster(name, body, { plane: 'bare' });
}

function describeSkipped(name: string, body: (cluster: Cluster) => void, reason: string): void {
  const absent = new Proxy({} as Cluster, {
    get(_, property) {
      throw new Error(`cluster.${String(property)} was used while the tests of "${name}" were declared: use it in a hook or a test`);
    },
  });
  describe.skip(`${name} [skipped: ${reason}]`, () => body(absent));
}

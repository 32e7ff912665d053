import { describeCluster } from './harness/index.js';
import { startOnPool } from './harness/pool-test-cluster.js';
import { renamesSuite } from './renames/suite.js';

describeCluster('renames and removals on a real control plane', () => {
  renamesSuite((operator) => startOnPool({ operator, namespace: 'shop' }));
});

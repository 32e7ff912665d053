import { heldChildren } from '../runtime/children/held/suite.js';
import { describeCluster } from './harness/index.js';
import { startOnPool } from './harness/pool-test-cluster.js';

describeCluster('children that are held as they are, on kube-apiserver', () => {
  heldChildren((operator) => startOnPool({ operator, namespace: 'shop' }));
});

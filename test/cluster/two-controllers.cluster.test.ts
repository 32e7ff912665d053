import { twoControllers } from '../runtime/two-controllers/suite.js';
import { describeCluster } from './harness/index.js';
import { startOnPool } from './harness/pool-test-cluster.js';

describeCluster('two controllers of one kind on kube-apiserver', () => {
  twoControllers((operator) => startOnPool({ operator, namespace: 'shop' }));
});

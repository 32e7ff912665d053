import { oneName } from '../runtime/reconcile/one-name/suite.js';
import { describeCluster } from './harness/index.js';
import { startOnPool } from './harness/pool-test-cluster.js';

describeCluster('handles of one name, on kube-apiserver', () => {
  oneName((operator) => startOnPool({ operator, namespace: 'shop' }));
});

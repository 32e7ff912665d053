import { oneName } from '../runtime/reconcile/one-name/suite.js';
import { describeCluster, startOnPool } from './harness/index.js';

describeCluster('handles of one name, on kube-apiserver', () => {
  oneName((operator) => startOnPool({ operator, namespace: 'shop' }));
});

import { twoControllers } from '../runtime/two-controllers/suite.js';
import { describeCluster, startOnPool } from './harness/index.js';

describeCluster('two controllers of one kind on kube-apiserver', () => {
  twoControllers((operator) => startOnPool({ operator, namespace: 'shop' }));
});

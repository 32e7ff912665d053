import { heldChildren } from '../runtime/children/held/suite.js';
import { describeCluster, startOnPool } from './harness/index.js';

describeCluster('children that are held as they are, on kube-apiserver', () => {
  heldChildren((operator) => startOnPool({ operator, namespace: 'shop' }));
});

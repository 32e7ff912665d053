import { describeCluster } from './harness/index.js';
import { startOnPool } from './harness/pool-test-cluster.js';
import { operator } from './optional-kinds/operator.js';
import { optionalKindsSuite } from './optional-kinds/suite.js';

describeCluster('kinds that come and go on a real control plane', () => {
  optionalKindsSuite(() => startOnPool({ operator, namespace: 'shop' }));
});

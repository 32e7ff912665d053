import { describeCluster } from './harness/index.js';
import { startOnPool } from './harness/pool-test-cluster.js';
import { operator } from './instances/operator.js';
import { instancesSuite } from './instances/suite.js';

describeCluster('two instances on a real control plane, told apart by labels', () => {
  instancesSuite('labels', () => startOnPool({ operator, namespace: 'shop' }));
});

describeCluster('two instances on a real control plane, told apart by fields', () => {
  instancesSuite('fields', () => startOnPool({ operator, namespace: 'shop' }));
});

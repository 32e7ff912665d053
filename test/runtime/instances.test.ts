import { TestCluster } from '@keelson/testing';
import { operator } from '../cluster/instances/operator.js';
import { instancesSuite, type Narrowing } from '../cluster/instances/suite.js';

describe.each<Narrowing>(['labels', 'fields'])('two instances, told apart by %s', (by) => {
  instancesSuite(by, () => TestCluster.start({ operator, namespace: 'shop' }));
});

import { TestCluster } from '@keelson/testing';
import { operator } from '../cluster/optional-kinds/operator.js';
import { optionalKindsSuite } from '../cluster/optional-kinds/suite.js';

describe('kinds that come and go in the process', () => {
  optionalKindsSuite(() => TestCluster.start({ operator, namespace: 'shop' }));
});

import { TestCluster } from '@keelson/testing';
import { renamesSuite } from '../cluster/renames/suite.js';

describe('renames and removals in the process', () => {
  renamesSuite((operator) => TestCluster.start({ operator, namespace: 'shop' }));
});

import { TestCluster } from '@keelson/testing';
import { oneName } from './suite.js';

describe('handles of one name', () => {
  oneName((operator) => TestCluster.start({ operator, namespace: 'shop' }));
});

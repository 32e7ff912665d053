import { TestCluster } from '@keelson/testing';
import { twoControllers } from './suite.js';

describe('two controllers of one kind', () => {
  twoControllers((operator) => TestCluster.start({ operator, namespace: 'shop' }));
});

import { TestCluster } from '@keelson/testing';
import { heldChildren } from './suite.js';

describe('children that are held as they are', () => {
  heldChildren((operator) => TestCluster.start({ operator, namespace: 'shop' }));
});

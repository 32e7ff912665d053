import { TestCluster } from 'keelson/testing';
import { immutableChildren } from './suite.js';

jest.setTimeout(60_000);

describe('children with fields that cannot change', () => {
  immutableChildren((operator) => TestCluster.start({ operator, namespace: 'shop' }));
});

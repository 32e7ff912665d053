import { TestCluster } from 'keelson/testing';
import { twoControllers } from './suite.js';

jest.setTimeout(60_000);

describe('two controllers of one kind', () => {
  twoControllers((operator) => TestCluster.start({ operator, namespace: 'shop' }));
});

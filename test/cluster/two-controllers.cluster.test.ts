import { TestCluster } from 'keelson/testing';
import { findBinaries } from '../../scripts/cluster/binaries.js';
import { twoControllers } from '../runtime/two-controllers/suite.js';
import { describeCluster } from './harness/index.js';

const binaries = (): string => {
  const search = findBinaries();
  if (!search.found) throw new Error(search.reason);
  return search.binaries.directory;
};

describeCluster('two controllers of one kind on kube-apiserver', () => {
  jest.setTimeout(180_000);
  twoControllers((operator) => TestCluster.start({ server: 'kube-apiserver', binaries: binaries(), operator, namespace: 'shop' }));
});

import { TestCluster } from 'keelson/testing';
import { findBinaries } from '../../scripts/cluster/binaries.js';
import { heldChildren } from '../runtime/children/held/suite.js';
import { describeCluster } from './harness/index.js';

const binaries = (): string => {
  const search = findBinaries();
  if (!search.found) throw new Error(search.reason);
  return search.binaries.directory;
};

describeCluster('children that are held as they are, on kube-apiserver', () => {
  jest.setTimeout(180_000);
  heldChildren((operator) => TestCluster.start({ server: 'kube-apiserver', binaries: binaries(), operator, namespace: 'shop' }));
});

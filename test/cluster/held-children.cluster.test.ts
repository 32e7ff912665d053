import { TestCluster } from 'keelson/testing';
import { heldChildren } from '../runtime/children/held/suite.js';
import { describeCluster, requiredBinaries } from './harness/index.js';

describeCluster('children that are held as they are, on kube-apiserver', () => {
  heldChildren((operator) =>
    TestCluster.start({ server: 'kube-apiserver', binaries: requiredBinaries().directory, operator, namespace: 'shop' }),
  );
});

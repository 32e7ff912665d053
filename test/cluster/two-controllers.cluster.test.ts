import { TestCluster } from 'keelson/testing';
import { twoControllers } from '../runtime/two-controllers/suite.js';
import { describeCluster, requiredBinaries } from './harness/index.js';

describeCluster('two controllers of one kind on kube-apiserver', () => {
  twoControllers((operator) =>
    TestCluster.start({ server: 'kube-apiserver', binaries: requiredBinaries().directory, operator, namespace: 'shop' }),
  );
});

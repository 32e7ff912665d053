import { TestCluster } from 'keelson/testing';
import { oneName } from '../runtime/reconcile/one-name/suite.js';
import { describeCluster, requiredBinaries } from './harness/index.js';

describeCluster('handles of one name, on kube-apiserver', () => {
  oneName((operator) =>
    TestCluster.start({ server: 'kube-apiserver', binaries: requiredBinaries().directory, operator, namespace: 'shop' }),
  );
});

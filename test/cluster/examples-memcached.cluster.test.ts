import { TestCluster } from 'keelson/testing';
import { operator } from '../../examples/memcached/memcached-operator.js';
import { findBinaries } from '../../scripts/cluster/binaries.js';
import { Kubelet } from './examples-memcached/kubelet.js';
import { replicasSuite } from './examples-memcached/replicas.js';
import { GRANTED_WITH_OTHERS } from './examples-memcached/rights.js';
import { memcachedSuite } from './examples-memcached/suite.js';
import { describeCluster } from './harness/index.js';

const binaries = (): string => {
  const search = findBinaries();
  if (!search.found) throw new Error(search.reason);
  return search.binaries.directory;
};

describeCluster(
  'memcached on a real control plane',
  () => {
    memcachedSuite(async () => {
      const cluster = await TestCluster.start({
        server: 'kube-apiserver',
        mode: 'cluster',
        binaries: binaries(),
        operator,

        namespace: 'shop',
        // Lists are asked for page by page here; in the process they are streamed.
        apiServerFlags: ['--feature-gates=WatchList=false'],
      });
      const kubelet = new Kubelet(cluster);
      await kubelet.start();
      return {
        cluster,
        setReady: (pod, isReady) => kubelet.setReady(pod, isReady),
        crash: (pod) => kubelet.crash(pod),
        // Two of them need a conflict, which only the server in the process brings about at will.
        unused: [...GRANTED_WITH_OTHERS, 'patch events.events.k8s.io'].sort(),
        close: async () => {
          await kubelet.stop();
          await cluster.close();
        },
      };
    });
  },
  { controllerManager: true },
);

describeCluster('replicas of memcached on a real kube-apiserver', () => {
  replicasSuite(() => TestCluster.start({ server: 'kube-apiserver', binaries: binaries(), operator, webhooks: false }));
});

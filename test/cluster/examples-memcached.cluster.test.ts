import { TestCluster } from 'keelson/testing';
import { operator } from '../../examples/memcached/memcached-operator.js';
import { replicasSuite } from './examples-memcached/replicas.js';
import { memcachedSuite } from './examples-memcached/suite.js';
import { describeCluster, requiredBinaries } from './harness/index.js';
import { NodePlayer } from './node-player.js';

describeCluster(
  'memcached on a real control plane',
  () => {
    memcachedSuite(async () => {
      const cluster = await TestCluster.start({
        server: 'kube-apiserver',
        mode: 'cluster',
        binaries: requiredBinaries().directory,
        operator,
        namespace: 'shop',
        // Lists are asked for page by page here; in the process they are streamed.
        apiServerFlags: ['--feature-gates=WatchList=false', '--enable-admission-plugins=OwnerReferencesPermissionEnforcement'],
      });
      const player = new NodePlayer(cluster.client);
      await player.start();
      return {
        cluster,
        hasOwnerPlugin: true,
        setReady: (pod, isReady) => player.setReady(pod, isReady),
        crash: (name) => player.crash({ name, namespace: cluster.namespace }),
        close: async () => {
          await player.stop();
          await cluster.close();
        },
      };
    });
  },
  { controllerManager: true },
);

describeCluster('replicas of memcached on a real kube-apiserver', () => {
  replicasSuite(() => TestCluster.start({ server: 'kube-apiserver', binaries: requiredBinaries().directory, operator, webhooks: false }));
});

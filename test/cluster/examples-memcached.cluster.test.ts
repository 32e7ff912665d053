import { operator } from '../../examples/memcached/memcached-operator.js';
import { replicasSuite } from './examples-memcached/replicas.js';
import { memcachedSuite } from './examples-memcached/suite.js';
import { describeCluster } from './harness/index.js';
import { startOnPool } from './harness/pool-test-cluster.js';
import { NodePlayer } from './node-player.js';

describeCluster(
  'memcached on a real control plane',
  () => {
    memcachedSuite(async () => {
      const cluster = await startOnPool({ mode: 'cluster', operator, namespace: 'shop' });
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
  replicasSuite(() => startOnPool({ operator, webhooks: false }));
});

import { TestCluster } from '@keelson/testing';
import { operator } from '../../examples/memcached/memcached-operator.js';
import { memcachedSuite } from '../cluster/examples-memcached/suite.js';

describe('in the process', () => {
  memcachedSuite(async () => {
    const cluster = await TestCluster.start({ operator, workloads: true, namespace: 'shop' });
    return {
      cluster,
      setReady: (pod, isReady) => cluster.pods.setReady(pod, isReady),
      crash: (pod) => cluster.pods.crash(pod, { exitCode: 137 }),
      hasOwnerPlugin: false,
      // Lists are not streamed.
      age: () => void cluster.faults.fail({ verb: 'watch', status: 422, times: 3 }),
      close: () => cluster.close(),
    };
  });
});

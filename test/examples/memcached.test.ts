import { TestCluster } from 'keelson/testing';
import { Memcached } from '../../examples/memcached/memcached.js';
import { operator } from '../../examples/memcached/memcached-operator.js';
import { GRANTED_WITH_OTHERS } from '../cluster/examples-memcached/rights.js';
import { memcachedSuite } from '../cluster/examples-memcached/suite.js';

describe('in the process', () => {
  memcachedSuite(async () => {
    const cluster = await TestCluster.start({ operator, workloads: true, namespace: 'shop' });
    return {
      cluster,
      setReady: (pod, isReady) => cluster.pods.setReady(pod, isReady),
      crash: (pod) => cluster.pods.crash(pod, { exitCode: 137 }),
      provoke: async () => {
        // Somebody else changes the finalizers at the same time, so that the object is read anew, and finalized and told of again.
        await cluster.create(Memcached({ metadata: { name: 'contended' }, spec: { size: 1, image: 'memcached:1.6' } }));
        await cluster.until(Memcached, 'contended', { status: { replicas: 1 } });
        const fault = cluster.faults.fail({ verb: 'patch', kind: Memcached, subresource: '', status: 409, times: 5 });
        await cluster.delete(Memcached, 'contended');
        await cluster.until(Memcached, 'contended', 'absent');
        fault.remove();
        // A server that does not stream lists.
        cluster.faults.fail({ verb: 'watch', status: 422, times: 3 });
      },
      unused: GRANTED_WITH_OTHERS,
      close: () => cluster.close(),
    };
  });
});

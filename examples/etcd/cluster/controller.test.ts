import { reconcileOnce } from '@keelson/testing';
import { FakeEtcd } from '../client/fake-etcd.js';
import { etcdCluster } from './cluster-objects.js';
import { etcdClusterController } from './controller.js';

const fresh = etcdCluster({}, { clusterID: undefined });
const marked = { ...fresh, metadata: { ...fresh.metadata, annotations: { 'etcd.database.coreos.com/scope': 'clusterwide' } } };

test('2A-1 the Services are there before the first Pod', async () => {
  const { owned, writes, status } = await reconcileOnce(etcdClusterController, { object: fresh, etcd: new FakeEtcd(), clusters: [fresh] });
  expect(owned?.['services']?.map(({ metadata }) => metadata.name)).toEqual(['ring', 'ring-client']);
  expect(writes.map(({ handle, verb }) => `${verb} ${handle}`)).toEqual([
    'apply services',
    'apply services',
    'apply budgets',
    'create pods',
  ]);
  expect(status).toMatchObject({ phase: 'Creating', serviceName: 'ring-client', clientPort: 2379, size: 0 });
});

test.each([
  ['clusterwide', fresh, false],
  ['clusterwide', marked, true],
  ['namespaced', fresh, true],
  ['namespaced', marked, false],
  ['all', fresh, true],
  ['all', marked, true],
] as const)('2A-35 an operator of the scope %s serves its clusters alone', async (scope, object, isServed) => {
  const sources = { object, etcd: new FakeEtcd(), clusters: [object], config: { scope } };
  const { writes, ignored = false } = await reconcileOnce(etcdClusterController, sources);
  expect(writes.length > 0).toBe(isServed);
  // The status of another operator's cluster is that operator's too.
  expect(ignored).toBe(!isServed);
});

import { type InProcessCluster, TestCluster } from '@keelson/testing';
import { Deployment, Secret } from 'keelson/kinds';
import { Memcached } from './memcached.js';
import { operator } from './memcached-operator.js';

// #region start
let cluster: InProcessCluster;
beforeAll(async () => {
  cluster = await TestCluster.start({ operator, webhooks: false, namespace: 'shop' });
});
afterAll(() => cluster.close());
// #endregion

// #region schema
test('the API server fills what a user leaves out', async () => {
  const { spec } = await cluster.create(Memcached({ metadata: { name: 'defaulted' }, spec: {} }));
  expect(spec).toEqual({ size: 3, port: 11211 });
});

test('the API server refuses what the schema forbids, in the words of the definition', async () => {
  const low = cluster.create(Memcached({ metadata: { name: 'low' }, spec: { port: 80 } }));
  await expect(low).rejects.toThrow('ports below 1024 are for root, which the pods are not');
});
// #endregion

// #region rights
test('the operator may do what its controllers declare, and nothing else', async () => {
  const asOperator = cluster.as(cluster.operator);
  await expect(asOperator.list(Deployment)).resolves.toEqual([]);
  await expect(asOperator.list(Secret)).rejects.toThrow('cannot list resource "secrets"');
  expect(cluster.requests.denied().all).toMatchObject([{ verb: 'list', resource: 'secrets', code: 403 }]);
});
// #endregion

// #region until
test('who waits is told what was seen', async () => {
  await cluster.create(Memcached({ metadata: { name: 'waiting' }, spec: { size: 1 } }));
  await cluster.patchStatus(Memcached, 'waiting', { replicas: 1 });
  await cluster.until(Memcached, 'waiting', { spec: { size: 1 }, status: { replicas: 1 } });
  const never = cluster.until(Memcached, 'waiting', { status: { replicas: 5 } }, { timeout: '50ms' });
  await expect(never).rejects.toThrow('status.replicas');
});
// #endregion

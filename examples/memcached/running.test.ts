import { type InProcessCluster, mergePatch, type RunningOperator, TestCluster } from '@keelson/testing';
import { Deployment, Pod } from 'keelson/kinds';
import { Memcached } from './memcached.js';
import { operator } from './memcached-operator.js';

// #region start
let cluster: InProcessCluster;
let running: RunningOperator;
beforeAll(async () => {
  cluster = await TestCluster.start({ operator, webhooks: false, workloads: true, namespace: 'shop' });
  running = await cluster.startOperator();
});
afterAll(() => cluster.close());

const sessions = (name: string, spec: Partial<Memcached['spec']> = {}) =>
  Memcached({ metadata: { name }, spec: { image: 'memcached:1.6', ...spec } });

test('a Memcached becomes ready when its pods do', async () => {
  await cluster.create(sessions('first', { size: 3 }));
  await cluster.settled();
  const { status } = await cluster.get(Memcached, 'first');
  const pods = await cluster.list(Pod, { labels: { 'app.kubernetes.io/instance': 'first' } });
  expect(status?.nodes).toEqual(pods.map(({ metadata }) => metadata.name).sort());
  expect(status?.conditions).toMatchObject([
    { type: 'Available', status: 'True' },
    { type: 'Ready', status: 'True', reason: 'PodsReady', observedGeneration: 1 },
  ]);
});
// #endregion

// #region repair
test('what somebody changes in the Deployment is changed back', async () => {
  await cluster.create(sessions('drift', { size: 1 }));
  await cluster.settled();
  await cluster.patch(Deployment, 'drift', mergePatch({ spec: { replicas: 7 } }));
  await cluster.settled();
  expect((await cluster.get(Deployment, 'drift')).spec?.replicas).toBe(1);
  await cluster.delete(Deployment, 'drift');
  await cluster.until(Deployment, 'drift', { spec: { replicas: 1 } });
});
// #endregion

// #region quiet
test('when nothing changes nothing is written, and nothing is asked for without a right', async () => {
  await cluster.settled();
  await running.stop();
  const { mark } = cluster.requests;
  running = await cluster.startOperator();
  await cluster.settled();
  cluster.requests.since(mark).expectNoWrites();
  cluster.requests.expectNoneDenied();
});
// #endregion

import { TestCluster } from '@keelson/testing';
import { permissionsOf } from 'keelson';
import { ConfigMap, Deployment } from 'keelson/kinds';
import type { ManagedFieldsEntry } from '../../../src/kubernetes/apimachinery/index.js';
import { type ApiClient, createClient, mergePatch } from '../../../src/runtime/client/index.js';
import { Memcached, memcachedTwin } from './memcached-twin.js';

const key = { name: 'a', namespace: 'shop' };
const former = { fieldManager: 'manager' } as const;

/** What an operator of the name `manager` has written by create and update. */
async function writeAsFormer(client: ApiClient, owner: Memcached): Promise<void> {
  const { apiVersion, kind, metadata } = owner;
  const reference = { apiVersion, kind, name: key.name, uid: metadata.uid as string, controller: true };
  const settings = ConfigMap({ metadata: { ...key, ownerReferences: [reference] }, data: { port: '11211', retired: 'yes' } });
  await client.create(ConfigMap, settings, former);
  const conditions = ['Available', 'Degraded'].map((type) => ({
    type,
    status: type === 'Available' ? 'True' : 'False',
    reason: 'Reconciling',
    message: '',
    lastTransitionTime: '2026-01-01T00:00:00Z',
  }));
  await client.status(Memcached).patch(key, mergePatch({ status: { nodes: ['a'], conditions } }), former);
}

const managersOf = ({ metadata }: { metadata: object }): string[] =>
  (metadata as { managedFields: ManagedFieldsEntry[] }).managedFields.map(({ manager = '', operation = '' }) => `${manager} ${operation}`);

async function scene(formerFieldManagers: readonly string[]) {
  const cluster = await TestCluster.start({ operator: memcachedTwin(formerFieldManagers), namespace: 'shop' });
  const client = createClient({ connection: cluster.connection });
  await writeAsFormer(client, await cluster.create(Memcached({ metadata: { name: 'a' }, spec: {} })));
  return { cluster, client };
}

test('what a former field manager wrote and the controller does not state goes away', async () => {
  const { cluster, client } = await scene(['manager']);
  const before = await client.get(ConfigMap, key);
  await cluster.startOperator();
  await cluster.until(Memcached, 'a', { status: { conditions: [{ type: 'Available', reason: 'Reconciled' }] } });
  await cluster.settled();
  const settings = await client.get(ConfigMap, key);
  expect(settings.metadata.uid).toBe(before.metadata.uid);
  expect(settings.data).toEqual({ port: '11211' });
  expect(managersOf(settings)).toEqual(['memcached-operator/memcached Apply']);
  const { status } = await client.get(Memcached, key);
  expect(status?.conditions?.map(({ type }) => type).sort()).toEqual(['Available', 'Ready']);
  client.close();
  await cluster.close();
});

test('without a word it stays, as a field of somebody else', async () => {
  const { cluster, client } = await scene([]);
  await cluster.startOperator();
  await cluster.until(Memcached, 'a', { status: { conditions: [{ type: 'Available', reason: 'Reconciled' }] } });
  await cluster.settled();
  expect((await client.get(ConfigMap, key)).data).toEqual({ port: '11211', retired: 'yes' });
  expect((await client.get(Memcached, key)).status?.conditions?.map(({ type }) => type)).toContain('Degraded');
  client.close();
  await cluster.close();
});

test('a second start asks nothing more of children', async () => {
  const { cluster, client } = await scene(['manager']);
  const first = await cluster.startOperator();
  await cluster.until(Memcached, 'a', { status: { conditions: [{ type: 'Available', reason: 'Reconciled' }] } });
  await cluster.settled();
  await first.stop();
  const { length } = cluster.requests.all;
  await cluster.startOperator();
  await cluster.settled();
  const later = cluster.requests.all
    .slice(length)
    .filter(({ verb, resource }) => verb !== 'watch' && resource !== 'memcacheds' && resource !== 'selfsubjectrulesreviews');
  expect(later).toEqual([]);
  client.close();
  await cluster.close();
});

test('it takes the right to read what it takes over, and no more', () => {
  const rules = (names: readonly string[]) => permissionsOf(memcachedTwin(names)).cluster;
  const verbs = (names: readonly string[], resource: string) => rules(names).find(({ resources }) => resources?.includes(resource))?.verbs;
  for (const { plural } of [ConfigMap, Deployment, Memcached]) {
    const [without = [], withNames = []] = [verbs([], plural), verbs(['manager'], plural)];
    expect([...withNames].sort()).toEqual([...new Set([...without, 'get'])].sort());
  }
});

test.each([[''], ['a\nb'], ['x'.repeat(129)]])('%j is refused', (name) => {
  expect(() => memcachedTwin([name])).toThrow('is not the name of a field manager; see metadata.managedFields of a child');
});

import { ConfigMap, Secret } from 'keelson/kinds/core/v1';
import { mergePatch } from '../../../src/runtime/client/index.js';
import type { InProcessCluster } from '../../../src/testing/cluster/in-process-cluster.js';
import { TestCluster } from '../../../src/testing/cluster/index.js';

let cluster: InProcessCluster;
beforeAll(async () => {
  cluster = await TestCluster.start();
});
afterAll(() => cluster?.close());

test('objects are created, read, changed and deleted by kinds and texts', async () => {
  const created = await cluster.create(ConfigMap, { metadata: { name: 'a' }, data: { x: '1' } });
  expect(created.metadata.namespace).toBe('default');
  expect((await cluster.get(ConfigMap, 'default/a')).data).toEqual({ x: '1' });
  expect(await cluster.find(ConfigMap, 'default/absent')).toBeUndefined();
  await cluster.update({ ...created, data: { x: '2' } });
  await cluster.patch(ConfigMap, 'a', mergePatch({ data: { y: '3' } }));
  await cluster.apply(ConfigMap, { metadata: { name: 'a', namespace: 'default' }, data: { z: '4' } });
  expect((await cluster.get(ConfigMap, { namespace: 'default', name: 'a' })).data).toEqual({ x: '2', y: '3', z: '4' });
  expect((await cluster.list(ConfigMap, { namespace: 'default' })).map(({ metadata }) => metadata.name)).toContain('a');
  await cluster.delete(ConfigMap, 'a');
  expect(await cluster.find(ConfigMap, 'a')).toBeUndefined();
});

test('an object that its factory made needs no kind', async () => {
  const created = await cluster.create(Secret({ metadata: { name: 'b' }, stringData: { x: '1' } }));
  expect(created.metadata.uid).toBeDefined();
});

import { createClient } from '@keelson/runtime';
import { TestCluster } from '@keelson/testing';
import { customResourceDefinitionManifest, defineCustomResource } from 'keelson';
import { ConfigMap, CustomResourceDefinition } from 'keelson/kinds';
import { z } from 'zod';

const Monitor = defineCustomResource({ group: 'monitoring.example.com', kind: 'Monitor', versions: { v1: { spec: z.object({}) } } });

test('a watch of a custom resource ends when its definition goes, and the next one is answered with 404; others go on', async () => {
  const cluster = await TestCluster.start({ namespace: 'shop' });
  const client = createClient({ connection: cluster.connection });
  try {
    const definition = customResourceDefinitionManifest(Monitor) as never;
    await cluster.create(definition);
    await cluster.until(CustomResourceDefinition, 'monitors.monitoring.example.com', { status: { conditions: [{ type: 'Established' }] } });
    await cluster.create(Monitor({ metadata: { name: 'a' }, spec: {} }));
    const watch = await client.watch(Monitor, { namespace: 'shop' });
    const other = await client.watch(ConfigMap, { namespace: 'shop' });
    const told: string[] = [];
    const ended = (async () => {
      for await (const event of watch) if (event.type !== 'BOOKMARK') told.push(`${event.type} ${event.object.metadata.name}`);
    })();
    await cluster.delete(CustomResourceDefinition, 'monitors.monitoring.example.com');
    await ended;
    expect(told).toEqual(['ADDED a', 'DELETED a']);
    await expect(client.watch(Monitor, { namespace: 'shop' })).rejects.toMatchObject({ httpStatus: 404 });
    await cluster.create(ConfigMap({ metadata: { name: 'later' } }));
    for await (const event of other) if (event.type === 'ADDED' && event.object.metadata.name === 'later') break;
  } finally {
    client.close();
    await cluster.close();
  }
});

import { TestCluster } from '@keelson/testing';
import { defineController, defineCustomResource, defineOperator } from 'keelson';
import { Node, Secret } from 'keelson/kinds';
import { z } from 'zod';

const Depot = defineCustomResource({
  group: 'served.example.com',
  kind: 'Depot',
  versions: { v1: { spec: z.object({}), status: z.object({ seen: z.array(z.string()).optional(), background: z.string().optional() }) } },
});
const controller = defineController({
  name: 'depots',
  for: Depot,
  reads: { secrets: Secret, nodes: Node },
  background: {
    count: async ({ secrets }) => (await secrets.list({ namespace: '*' })).map(({ metadata }) => metadata.namespace).join(' '),
  },
  async reconcile({ secrets, nodes, count, done }) {
    const seen = (await secrets.list({ namespace: '*' })).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
    await nodes.list({ namespace: '*' });
    const state = count.start('all');
    return done({ status: { seen, ...(state.phase === 'done' ? { background: state.result } : {}) } });
  },
});

test("under a scope of namespaces, list({ namespace: '*' }) asks each of them, as there is no right on the whole cluster", async () => {
  const operator = defineOperator({ name: 'depots', controllers: [controller] });
  const cluster = await TestCluster.start({ operator, namespaces: ['east', 'west', 'north'] });
  try {
    await cluster.startOperator({ settings: { watchNamespaces: ['east', 'west'] } });
    for (const namespace of ['east', 'west', 'north']) await cluster.create(Secret({ metadata: { namespace, name: 's' } }));
    const mark = cluster.requests.mark;
    await cluster.create(Depot({ metadata: { namespace: 'east', name: 'a' }, spec: {} }));
    await cluster.until(Depot, 'east/a', ({ status }) =>
      expect(status).toMatchObject({ seen: ['east/s', 'west/s'], background: 'east west' }),
    );
    const lists = cluster.requests.since(mark).filter({ kind: Secret, verb: 'list' });
    const places = new Set([...lists].map(({ namespace }) => namespace));
    expect([...places].sort()).toEqual(['east', 'west']);
  } finally {
    await cluster.close();
  }
});

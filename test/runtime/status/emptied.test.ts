import { mergePatch, TestCluster } from '@keelson/testing';
import { defineController, defineCustomResource, defineOperator, k } from 'keelson';
import { z } from 'zod';
import { keptLog } from '../outside/kept-log.js';

const names = z.array(z.string());
const Team = defineCustomResource({
  group: 'status.example.com',
  kind: 'Team',
  versions: {
    v1: {
      spec: z.object({ names }),
      status: z.object({
        set: k.set(z.string()).optional(),
        needed: k.set(z.string()),
        byName: k.listMap(z.object({ name: z.string() }), 'name').optional(),
        plain: names.optional(),
        record: z.record(z.string(), z.string()),
        deep: z.object({ record: z.record(z.string(), z.string()).optional() }).optional(),
      }),
    },
  },
});

test('a list or map of a status that becomes empty is stored empty, once, and is no error', async () => {
  const controller = defineController({
    name: 'team',
    for: Team,
    reconcile({ object: { spec }, done }) {
      const record = Object.fromEntries(spec.names.map((name) => [name, 'x']));
      const all = [...spec.names];
      return done({
        status: { set: all, needed: all, byName: all.map((name) => ({ name })), plain: all, record, deep: { record } },
      });
    },
  });
  const cluster = await TestCluster.start({ operator: defineOperator({ name: 'team-operator', controllers: [controller] }) });
  const { log, at } = keptLog();
  const running = await cluster.startOperator({ log });
  await cluster.create(Team, Team({ metadata: { name: 'a' }, spec: { names: ['x', 'y'] } }));
  await cluster.until(Team, 'a', ({ status }) => status?.set?.length === 2);
  await cluster.patch(Team, 'a', mergePatch({ spec: { names: [] } }));
  const empty = { set: [], needed: [], byName: [], plain: [], record: {}, deep: { record: {} } };
  await cluster.until(Team, 'a', ({ status }) => expect(status).toEqual(empty));
  await cluster.settled();
  const mark = cluster.requests.mark;
  running.enqueue(Team, 'default/a');
  await cluster.settled();
  cluster.requests.since(mark).expectNoWrites();
  expect(at('error', 'warn')).toEqual([]);
  // They fill again, and are this controller's as before.
  await cluster.patch(Team, 'a', mergePatch({ spec: { names: ['z'] } }));
  await cluster.until(Team, 'a', ({ status }) => status?.record?.['z'] === 'x' && status.needed.length === 1);
  await cluster.close();
});

const Fleet = defineCustomResource({
  group: 'status.example.com',
  kind: 'Fleet',
  versions: {
    v1: {
      spec: z.object({ names }),
      status: z.object({
        ships: k
          .listMap(
            z.object({
              name: z.string(),
              crew: k.set(z.string()),
              guests: k.set(z.string()).optional(),
              cargo: z.object({ labels: z.record(z.string(), z.string()) }).optional(),
              decks: k.listMap(z.object({ level: z.int(), cabins: k.set(z.string()) }), 'level').optional(),
            }),
            'name',
          )
          .optional(),
      }),
    },
  },
});

test('lists and maps within elements of lists that become empty are stored empty, once, and are no error', async () => {
  const controller = defineController({
    name: 'fleet',
    for: Fleet,
    reconcile({ object: { spec }, done }) {
      const all = [...spec.names];
      const labels = Object.fromEntries(all.map((name) => [name, 'x']));
      const ship = (name: string) => ({ name, crew: all, guests: all, cargo: { labels }, decks: [{ level: 1, cabins: all }] });
      return done({ status: { ships: [ship('a'), ship('b')] } });
    },
  });
  const cluster = await TestCluster.start({ operator: defineOperator({ name: 'fleet-operator', controllers: [controller] }) });
  const { log, at } = keptLog();
  const running = await cluster.startOperator({ log });
  await cluster.create(Fleet, Fleet({ metadata: { name: 'a' }, spec: { names: ['x', 'y'] } }));
  await cluster.until(Fleet, 'a', ({ status }) => status?.ships?.[1]?.crew.length === 2);
  await cluster.patch(Fleet, 'a', mergePatch({ spec: { names: [] } }));
  const empty = (name: string) => ({ name, crew: [], guests: [], cargo: { labels: {} }, decks: [{ level: 1, cabins: [] }] });
  await cluster.until(Fleet, 'a', ({ status }) => expect(status).toEqual({ ships: [empty('a'), empty('b')] }));
  await cluster.settled();
  const mark = cluster.requests.mark;
  running.enqueue(Fleet, 'default/a');
  await cluster.settled();
  cluster.requests.since(mark).expectNoWrites();
  expect(at('error', 'warn')).toEqual([]);
  await cluster.patch(Fleet, 'a', mergePatch({ spec: { names: ['z'] } }));
  await cluster.until(Fleet, 'a', ({ status }) => status?.ships?.[0]?.decks?.[0]?.cabins[0] === 'z');
  await cluster.close();
});

test('a status that becomes empty as a whole is stored so, and is no error', async () => {
  const controller = defineController({
    name: 'fleet',
    for: Fleet,
    reconcile: ({ object: { spec }, done }) => done({ status: spec.names.length === 0 ? {} : { ships: [{ name: 'a', crew: [] }] } }),
  });
  const cluster = await TestCluster.start({ operator: defineOperator({ name: 'fleet-operator', controllers: [controller] }) });
  const { log, at } = keptLog();
  await cluster.startOperator({ log });
  await cluster.create(Fleet, Fleet({ metadata: { name: 'a' }, spec: { names: ['x'] } }));
  await cluster.until(Fleet, 'a', ({ status }) => status?.ships?.length === 1);
  await cluster.patch(Fleet, 'a', mergePatch({ spec: { names: [] } }));
  await cluster.until(Fleet, 'a', ({ status }) => status?.ships === undefined);
  await cluster.settled();
  expect(at('error', 'warn')).toEqual([]);
  await cluster.close();
});

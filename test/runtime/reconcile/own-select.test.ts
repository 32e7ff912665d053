import { jsonPatch, mergePatch } from '@keelson/testing';
import { defineController, defineCustomResource, defineOperator, k, own } from 'keelson';
import { ConfigMap, Secret } from 'keelson/kinds';
import { z } from 'zod';
import { RunningController } from '../harness/running-controller.js';

const Safe = defineCustomResource({
  group: 'safes.example.com',
  kind: 'Safe',
  versions: {
    v1: {
      spec: z.object({ names: z.array(z.string()), labels: z.record(z.string(), z.string()).default({}) }),
      status: z.object({ seen: z.array(z.string()).optional(), conditions: k.conditions() }),
    },
  },
});
const labels = { 'safes.example.com/part': 'key' };
const controller = defineController({
  name: 'safes',
  for: Safe,
  owns: {
    keys: own(Secret, { select: { labels } }),
    notes: own(ConfigMap, { verbs: ['create'], select: { labels } }),
  },
  async reconcile({ object, keys, notes, done }) {
    const { name } = object.metadata;
    if (notes.get(`${name}-note`) === undefined) await notes.create(ConfigMap({ metadata: { name: `${name}-note` } }));
    const seen = keys.list().map(({ metadata }) => metadata.name);
    return done({
      owned: { keys: object.spec.names.map((key) => Secret({ metadata: { name: key, labels: { ...object.spec.labels } } })) },
      status: { seen: seen.sort() },
    });
  },
});
const operator = defineOperator({ name: 'safes', controllers: [controller] });

let running: RunningController;
beforeEach(async () => {
  running = await RunningController.start(operator);
});
afterEach(() => running.close());

const safe = (names: string[], more: Record<string, string> = {}) => Safe({ metadata: { name: 'a' }, spec: { names, labels: more } });

test('children carry the labels, and the cache asks for no other objects of the kind', async () => {
  const { cluster } = running;
  await cluster.create(safe(['one', 'two'], { mine: 'x' }));
  await cluster.until(Safe, 'a', ({ status }) => expect(status?.seen).toEqual(['one', 'two']));
  expect((await cluster.get(Secret, 'one')).metadata.labels).toEqual({ ...labels, mine: 'x' });
  await cluster.until(ConfigMap, 'a-note', ({ metadata }) => expect(metadata.labels).toEqual(labels));
  // But for the look before a child is made, which names it.
  const asked = [...cluster.requests.filter({ kind: Secret })]
    .filter(({ verb }) => verb === 'list' || verb === 'watch')
    .map(({ url }) => decodeURIComponent(url));
  expect(asked.length).toBeGreaterThan(2);
  for (const url of asked) expect(url).toMatch(/labelSelector=safes.example.com\/part=key|fieldSelector=metadata.name/);
  await cluster.patch(Safe, 'a', mergePatch({ spec: { names: ['two'] } }));
  await cluster.until(Secret, 'one', 'absent');
});

test("an object of the child's name that is not selected is refused, not taken over", async () => {
  const { cluster } = running;
  await cluster.create(Secret({ metadata: { name: 'one' }, data: { a: 'eA==' } }));
  await cluster.create(safe(['one']));
  await cluster.until(Safe, 'a', ({ status }) => (status?.conditions ?? []).some(({ message }) => message.includes('Secret shop/one')));
  const { metadata, data } = await cluster.get(Secret, 'one');
  expect([metadata.labels, metadata.ownerReferences, data]).toEqual([undefined, undefined, { a: 'eA==' }]);
});

test('a child that loses the label gets it back, and is the same object', async () => {
  const { cluster } = running;
  await cluster.create(safe(['one']));
  const { metadata } = await cluster.until(Secret, 'one', 'present');
  await running.settled();
  await cluster.patch(Secret, 'one', jsonPatch([{ op: 'remove', path: '/metadata/labels' }]));
  await cluster.until(Secret, 'one', (found) => expect(found.metadata).toMatchObject({ labels, uid: metadata.uid }));
});

test('a child with another value of a label is refused by its name', async () => {
  const { cluster } = running;
  await cluster.create(safe(['one'], { 'safes.example.com/part': 'door' }));
  await cluster.until(Safe, 'a', ({ status }) =>
    (status?.conditions ?? []).some(({ message }) =>
      message.includes('has the label safes.example.com/part=door, where its handle selects'),
    ),
  );
});

test('a selection without labels, or by something else, is refused', () => {
  expect(() => own(Secret, { select: {} as never })).toThrow('name the labels');
  expect(() => own(Secret, { select: { labels: { 'not a label': 'x' } } })).toThrow("'not a label'");
  const bare = own(Secret, { select: { labels: {} } });
  expect(() => defineController({ name: 'x', for: Safe, owns: { bare }, reconcile: ({ done }) => done() })).toThrow('has no labels');
});

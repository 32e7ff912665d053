import { mergePatch } from '@keelson/testing';
import { type Annotations, defineController, defineOperator, type Operator, own } from 'keelson';
import { ConfigMap, Secret } from 'keelson/kinds';
import { RunningController } from '../harness/running-controller.js';
import { Widget } from './widget.js';

const keeping = (finalized?: string[], annotations: Annotations = { deletion: true }): Operator =>
  defineOperator({
    name: 'widget-operator',
    controllers: [
      defineController({
        name: 'widget',
        for: Widget,
        annotations,
        owns: { configs: ConfigMap, secrets: own(Secret, { existence: 'once', onDelete: 'orphan' }) },
        reconcile: ({ object, done }) => {
          const { name } = object.metadata;
          const metadata = { name };
          return done({
            owned: { configs: [ConfigMap({ metadata }), ConfigMap({ metadata: { name: `${name}-2` } })], secrets: [Secret({ metadata })] },
          });
        },
        ...(finalized === undefined ? {} : { finalize: ({ object }) => void finalized.push(object.metadata.name) }),
      }),
    ],
  });

let running: RunningController;
afterEach(() => running.close());

async function made(deletion?: string): Promise<RunningController['cluster']> {
  const { cluster } = running;
  const annotations = deletion === undefined ? {} : { 'test.example.com/deletion': deletion };
  await cluster.create(Widget({ metadata: { name: 'a', annotations }, spec: {} }));
  await cluster.until(Secret, 'a', 'present');
  await running.settled();
  return cluster;
}

test('the children of a deleted object stay where its annotation says so, and finalize is not called', async () => {
  const finalized: string[] = [];
  running = await RunningController.start(keeping(finalized));
  const cluster = await made('orphan');
  const { mark } = cluster.requests;
  await cluster.delete(Widget, 'a');
  await cluster.until(Widget, 'a', 'absent');
  await running.settled();
  for (const name of ['a', 'a-2']) expect((await cluster.get(ConfigMap, name)).metadata.ownerReferences).toBeUndefined();
  expect((await cluster.get(Secret, 'a')).metadata.annotations?.['keelson.dev/owner']).toBeUndefined();
  expect(finalized).toEqual([]);
  const writes = cluster.requests.since(mark).writes().byUser('system:serviceaccount:widget-operator-system:widget-operator').all;
  // The released children may bring another run before the end of the object is known.
  expect([...new Set(writes.map(({ verb, resource, name }) => `${verb} ${resource} ${name}`))]).toEqual([
    'patch configmaps a',
    'patch configmaps a-2',
    'patch secrets a',
    'patch widgets a',
  ]);
  expect(cluster.requests.denied().all).toEqual([]);
  // An object of the same name takes them back.
  await made();
  expect((await cluster.get(ConfigMap, 'a')).metadata.ownerReferences).toHaveLength(1);
});

test('without the annotation, and with delete, children go as before', async () => {
  const finalized: string[] = [];
  running = await RunningController.start(keeping(finalized));
  const cluster = await made('delete');
  await cluster.delete(Widget, 'a');
  await cluster.until(ConfigMap, 'a', 'absent');
  expect(finalized).toEqual(['a']);
});

test('a misspelt value deletes nothing, and is told on the object', async () => {
  running = await RunningController.start(keeping());
  const cluster = await made('orfan');
  await cluster.delete(Widget, 'a');
  await cluster.until(Widget, 'a', ({ status }) => status?.conditions?.some(({ type }) => type === 'Stalled') === true);
  const { status } = await cluster.get(Widget, 'a');
  expect(status?.conditions?.find(({ type }) => type === 'Stalled')?.message).toBe(
    "annotation test.example.com/deletion: 'orfan' is unknown; write orphan or delete, or remove the annotation",
  );
  await cluster.get(ConfigMap, 'a');
  await cluster.patch(Widget, 'a', mergePatch({ metadata: { annotations: { 'test.example.com/deletion': 'orphan' } } }));
  await cluster.until(Widget, 'a', 'absent');
  await running.settled();
  await cluster.get(ConfigMap, 'a');
});

import { mergePatch } from '@keelson/testing';
import { defineController, defineOperator } from 'keelson';
import { ConfigMap, Deployment, Pod, Service } from 'keelson/kinds';
import { Journal } from '../../../src/runtime/journal/index.js';
import { RunningController } from '../harness/running-controller.js';
import { Website, websiteOperator } from './website.js';
import { Widget, widgetOperator } from './widget.js';

const USER = 'system:serviceaccount:website-operator-system:website-operator';
const observed = (value: string | null) => mergePatch({ metadata: { annotations: { 'web.example.com/mode': value } } });

let running: RunningController;
afterEach(() => running.close());

const conditionIn = ({ status }: Website) => status?.conditions?.find(({ type }) => type === 'WouldChange');

test('an observed object shows what its run would write, and nothing of that is written', async () => {
  const journal = new Journal();
  running = await RunningController.start(websiteOperator, { journal });
  const { cluster } = running;
  await cluster.create(Website({ metadata: { name: 'a' }, spec: { title: 'A' } }));
  await running.settled();
  await cluster.patch(Website, 'a', observed('observe'));
  await cluster.until(Website, 'a', (object) => conditionIn(object)?.status === 'False');
  expect(conditionIn(await cluster.get(Website, 'a'))?.message).toBe('the run would write nothing');

  await cluster.patch(Website, 'a', mergePatch({ spec: { title: 'B', withService: false } }));
  await cluster.until(Website, 'a', (object) => conditionIn(object)?.status === 'True');
  await running.settled();
  const { status } = await cluster.get(Website, 'a');
  const condition = status?.conditions?.find(({ type }) => type === 'WouldChange');
  expect(condition).toMatchObject({ reason: 'Observed' });
  expect(condition?.message).toMatch(
    /^the run would make 3 writes: apply ConfigMap shop\/a \(data\.title: "A" → "B"\); delete Service shop\/a; apply Website\/status shop\/a \(/,
  );
  expect(condition?.message).not.toContain('WouldChange');
  expect(status?.observedGeneration).toBe(1);
  expect((await cluster.get(ConfigMap, 'a')).data).toEqual({ title: 'A' });
  await cluster.until(Service, 'a', 'present');
  const last = journal.runs({ object: 'shop/a' }).at(-1);
  expect(last?.writes.map(({ verb, kind, isDryRun = false }) => `${verb} ${kind} ${isDryRun}`)).toEqual([
    'apply ConfigMap true',
    'delete Service true',
    'apply Website true',
    'apply Website false',
  ]);

  await cluster.patch(Website, 'a', observed(null));
  await cluster.until(ConfigMap, 'a', { data: { title: 'B' } });
  await cluster.until(Service, 'a', 'absent');
  await running.settled();
  const after = await cluster.get(Website, 'a');
  expect(conditionIn(after)).toBeUndefined();
  expect(after.status?.observedGeneration).toBe(2);
  expect(cluster.requests.denied().all).toEqual([]);
});

test('an observed object whose children are missing comes to rest, and a process that begins writes nothing', async () => {
  running = await RunningController.start(websiteOperator);
  const { cluster } = running;
  await cluster.create(Website({ metadata: { name: 'a', annotations: { 'web.example.com/mode': 'observe' } }, spec: {} }));
  await running.settled();
  expect(conditionIn(await cluster.get(Website, 'a'))?.message).toMatch(/^the run would make 4 writes: apply ConfigMap shop\/a/);
  expect(await cluster.list(Deployment)).toEqual([]);
  await running.stop();
  const { mark } = cluster.requests;
  await running.begin();
  await running.settled();
  const writes = cluster.requests.since(mark).writes().byUser(USER).all;
  expect(writes.filter(({ url }) => !url.includes('dryRun=All'))).toEqual([]);
});

test('another mode than observe writes nothing, and is told on the object', async () => {
  running = await RunningController.start(websiteOperator);
  const { cluster } = running;
  await cluster.create(Website({ metadata: { name: 'a', annotations: { 'web.example.com/mode': 'obsrve' } }, spec: {} }));
  await cluster.until(Website, 'a', ({ status }) => status?.conditions?.some(({ type }) => type === 'Stalled') === true);
  const [ready] = (await cluster.get(Website, 'a')).status?.conditions ?? [];
  expect(ready?.message).toBe("annotation web.example.com/mode: 'obsrve' is not a mode; write observe, or remove the annotation");
  expect(await cluster.list(ConfigMap)).not.toContainEqual(expect.objectContaining({ metadata: expect.objectContaining({ name: 'a' }) }));
});

test('verbs of handles, statuses amid a run and finalizers are withheld, and a failing run says so', async () => {
  const operator = widgetOperator({
    reconcile: async ({ object, pods, status, events }) => {
      events.normal('Made', 'a pod');
      await status.write({ size: 7 });
      await pods.create({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: object.metadata.name },
        spec: { containers: [{ name: 'a', image: 'a:1' }] },
      });
      throw new Error('it fails');
    },
    finalize: () => undefined,
  });
  running = await RunningController.start(operator);
  const { cluster } = running;
  await cluster.create(Widget({ metadata: { name: 'a', annotations: { 'test.example.com/mode': 'observe' } }, spec: {} }));
  await cluster.until(Widget, 'a', ({ status }) => (status?.conditions ?? []).length > 0);
  const { metadata, status } = await cluster.get(Widget, 'a');
  expect(status).toMatchObject({ conditions: [{ type: 'WouldChange', status: 'Unknown' }] });
  expect(status?.conditions?.[0]?.message).toMatch(
    /^the run failed: it fails; before that the run would make 1 write: create Pod shop\/a \(/,
  );
  expect(status?.size).toBeUndefined();
  expect(metadata.finalizers).toBeUndefined();
  await cluster.until(Pod, 'a', 'absent');
  expect(running.recorded).toEqual([]);
});

test('an observed object that is deleted is finalized', async () => {
  const finalized: string[] = [];
  const operator = defineOperator({
    name: 'widget-operator',
    controllers: [
      defineController({
        name: 'widget',
        for: Widget,
        reconcile: ({ done }) => done(),
        finalize: ({ object }) => void finalized.push(object.metadata.name),
      }),
    ],
  });
  running = await RunningController.start(operator);
  const { cluster } = running;
  await cluster.create(Widget({ metadata: { name: 'a' }, spec: {} }));
  await cluster.until(Widget, 'a', ({ metadata }) => metadata.finalizers !== undefined);
  await cluster.patch(Widget, 'a', mergePatch({ metadata: { annotations: { 'test.example.com/mode': 'observe' } } }));
  await running.settled();
  await cluster.delete(Widget, 'a');
  await cluster.until(Widget, 'a', 'absent');
  expect(finalized).toEqual(['a']);
});

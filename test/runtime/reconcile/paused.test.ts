import { mergePatch } from '@keelson/testing';
import { type Annotations, defineController, defineOperator, type Operator, referenced, watch } from 'keelson';
import { ConfigMap, Secret } from 'keelson/kinds';
import { RunningController } from '../harness/running-controller.js';
import { Website, websiteOperator } from './website.js';
import { Widget, widgetOperator } from './widget.js';

const USER = 'system:serviceaccount:website-operator-system:website-operator';
const PAUSED = 'web.example.com/paused';

let running: RunningController;
afterEach(() => running.close());

const annotated = (annotations: Readonly<Record<string, string | null>>) => mergePatch({ metadata: { annotations } });
const pausedIn = (status: Website['status']) => status?.conditions?.find(({ type }) => type === 'Paused');

test('a paused object is not reconciled, says by whom and since when, and runs again as soon as it is resumed', async () => {
  running = await RunningController.start(websiteOperator);
  const { cluster } = running;
  await cluster.create(Website({ metadata: { name: 'a' }, spec: { title: 'A' } }));
  await running.settled();
  await cluster.patch(Website, 'a', annotated({ [PAUSED]: 'true' }), { fieldManager: 'kubectl-annotate' });
  await cluster.until(Website, 'a', ({ status }) => pausedIn(status) !== undefined);
  const { status } = await cluster.get(Website, 'a');
  expect(pausedIn(status)).toMatchObject({
    status: 'True',
    reason: 'PausedByAnnotation',
    message: expect.stringMatching(
      /^kubectl-annotate paused the object at \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ; to resume it, remove the annotation web\.example\.com\/paused$/,
    ),
  });
  // All else stays as the last run left it.
  expect(status).toMatchObject({ replicas: 0, observedGeneration: 1 });
  expect(running.recorded.map(({ type, reason, about }) => `${type} ${reason} ${about}`)).toEqual(['Normal Paused Website a']);

  await cluster.patch(Website, 'a', mergePatch({ spec: { title: 'B' } }));
  await cluster.delete(ConfigMap, 'a');
  await running.settled();
  await cluster.until(ConfigMap, 'a', 'absent');

  await cluster.patch(Website, 'a', annotated({ [PAUSED]: null }));
  await cluster.until(ConfigMap, 'a', { data: { title: 'B' } });
  await running.settled();
  const resumed = (await cluster.get(Website, 'a')).status;
  expect(pausedIn(resumed)).toBeUndefined();
  expect(resumed?.observedGeneration).toBe(2);
  expect(cluster.requests.denied().all).toEqual([]);
});

test('a paused object costs no request at the start, and another object is reconciled', async () => {
  running = await RunningController.start(websiteOperator);
  const { cluster } = running;
  for (const name of ['a', 'b'])
    await cluster.create(
      Website({ metadata: { name, annotations: { [PAUSED]: name === 'a' ? 'true' : 'false' } }, spec: { title: name } }),
    );
  await cluster.until(ConfigMap, 'b', 'present');
  await running.settled();
  expect(pausedIn((await cluster.get(Website, 'a')).status)?.status).toBe('True');
  await running.stop();
  const { mark } = cluster.requests;
  await running.begin();
  await running.settled();
  const requests = cluster.requests.since(mark).byUser(USER).all;
  expect(requests.filter(({ name, verb }) => name === 'a' || verb === 'patch')).toEqual([]);
  await cluster.until(ConfigMap, 'a', 'absent');
});

const finalizing = (finalized: string[], annotations: Annotations = {}): Operator => {
  return defineOperator({
    name: 'widget-operator',
    controllers: [
      defineController({
        name: 'widget',
        for: Widget,
        annotations,
        reconcile: ({ done }) => done(),
        finalize: ({ object }) => {
          finalized.push(object.metadata.name);
        },
      }),
    ],
  });
};

test('a paused object that is deleted is finalized', async () => {
  const finalized: string[] = [];
  running = await RunningController.start(finalizing(finalized));
  const { cluster } = running;
  await cluster.create(Widget({ metadata: { name: 'a' }, spec: {} }));
  await cluster.until(Widget, 'a', ({ metadata }) => metadata.finalizers !== undefined);
  await cluster.patch(Widget, 'a', annotated({ 'test.example.com/paused': 'true' }));
  await running.settled();
  await cluster.delete(Widget, 'a');
  await cluster.until(Widget, 'a', 'absent');
  expect(finalized).toEqual(['a']);
});

test('a paused object that is deleted waits until it is resumed, where the definition says so', async () => {
  const finalized: string[] = [];
  running = await RunningController.start(finalizing(finalized, { pausedDeletion: 'wait' }));
  const { cluster } = running;
  await cluster.create(Widget({ metadata: { name: 'a' }, spec: {} }));
  await cluster.until(Widget, 'a', ({ metadata }) => metadata.finalizers !== undefined);
  await cluster.patch(Widget, 'a', annotated({ 'test.example.com/paused': 'true' }));
  await running.settled();
  await cluster.delete(Widget, 'a');
  await running.settled();
  expect(finalized).toEqual([]);
  await cluster.patch(Widget, 'a', annotated({ 'test.example.com/paused': null }));
  await cluster.until(Widget, 'a', 'absent');
  expect(finalized).toEqual(['a']);
});

test('a resumed object does not wait for the back-off of the failures before it was paused', async () => {
  let fails = true;
  const backoff = { baseMs: 3_600_000, maxMs: 3_600_000 };
  const operator = widgetOperator({
    reconcile: ({ done }) => {
      if (fails) throw new Error('it fails');
      return done({ status: { size: 1 } });
    },
  });
  running = await RunningController.start(operator, { backoff });
  const { cluster } = running;
  await cluster.create(Widget({ metadata: { name: 'a' }, spec: {} }));
  await cluster.until(() => expect(running.log.texts).toContain('error reconciling failed'));
  await cluster.patch(Widget, 'a', annotated({ 'test.example.com/paused': 'true' }));
  await cluster.until(Widget, 'a', ({ status }) => status?.conditions?.some(({ type }) => type === 'Paused') === true);
  fails = false;
  await cluster.patch(Widget, 'a', annotated({ 'test.example.com/paused': null }));
  await cluster.until(Widget, 'a', ({ status }) => status?.size === 1);
});

test("the pause of a project's own annotation counts, and the default one does not then", async () => {
  const operator = defineOperator({
    name: 'widget-operator',
    controllers: [
      defineController({
        name: 'widget',
        for: Widget,
        annotations: { paused: 'cluster.x-k8s.io/paused' },
        reconcile: ({ object, done }) => done({ status: { size: object.spec.size } }),
      }),
    ],
  });
  running = await RunningController.start(operator);
  const { cluster } = running;
  await cluster.create(Widget({ metadata: { name: 'a', annotations: { 'cluster.x-k8s.io/paused': '' } }, spec: {} }));
  await cluster.create(Widget({ metadata: { name: 'b', annotations: { 'test.example.com/paused': 'true' } }, spec: {} }));
  await cluster.until(Widget, 'b', ({ status }) => status?.size === 1);
  await cluster.until(Widget, 'a', ({ status }) => status?.conditions?.some(({ type }) => type === 'Paused') === true);
  expect((await cluster.get(Widget, 'a')).status?.size).toBeUndefined();
});

const ignoring = (ignores: () => boolean): Operator =>
  widgetOperator({ reconcile: ({ object, done }) => (ignores() ? done({ ignored: true }) : done({ status: { size: object.spec.size } })) });

test('the status that another operator writes is left alone, and so is an object that is ignored once it is resumed', async () => {
  running = await RunningController.start(ignoring(() => true));
  const { cluster } = running;
  const pause = { 'test.example.com/paused': 'true' };
  await cluster.create(Widget({ metadata: { name: 'theirs' }, spec: {} }));
  await cluster.patchStatus(Widget, 'theirs', { size: 9 });
  await cluster.patch(Widget, 'theirs', annotated(pause));
  await cluster.create(Widget({ metadata: { name: 'new', annotations: pause }, spec: {} }));
  await cluster.until(Widget, 'new', ({ status }) => status?.conditions?.length === 1);
  await running.settled();
  expect((await cluster.get(Widget, 'theirs')).status).toEqual({ size: 9 });
  await cluster.patch(Widget, 'new', annotated({ 'test.example.com/paused': null }));
  await cluster.until(Widget, 'new', ({ status }) => (status?.conditions ?? []).length === 0);
  await running.settled();
  expect(running.log.texts.filter((text) => /^(warn|error)/.test(text))).toEqual([]);
});

test('nothing is watched for a paused object, and what it names is read before it runs again', async () => {
  const seen: (string | undefined)[] = [];
  const counts: number[] = [];
  const operator = defineOperator({
    name: 'widget-operator',
    controllers: [
      defineController({
        name: 'widget',
        for: Widget,
        watches: { secrets: watch(Secret, { only: referenced(Widget, ({ spec }) => [spec.secret]) }) },
        reconcile: ({ object, secrets, done }) => {
          seen.push(secrets.get(object.spec.secret ?? '')?.data?.['a']);
          return done();
        },
      }),
    ],
  });
  running = await RunningController.start(operator, { observer: { paused: (_, objects) => counts.push(objects) } });
  const { cluster } = running;
  await cluster.create(Secret({ metadata: { name: 's' }, data: { a: 'Yg==' } }));
  await cluster.create(Widget({ metadata: { name: 'a', annotations: { 'test.example.com/paused': 'true' } }, spec: { secret: 's' } }));
  await cluster.until(Widget, 'a', ({ status }) => status?.conditions?.length === 1);
  await running.settled();
  expect(cluster.requests.filter({ kind: Secret, verb: 'watch' }).all).toEqual([]);
  await cluster.patch(Widget, 'a', annotated({ 'test.example.com/paused': null }));
  await cluster.until(() => expect(seen).toEqual(['Yg==']));
  await cluster.patch(Widget, 'a', annotated({ 'test.example.com/paused': 'true' }));
  await cluster.until(() => expect(counts).toEqual([1, 0, 1]));
  await cluster.delete(Widget, 'a');
  await cluster.until(() => expect(counts).toEqual([1, 0, 1, 0]));
});

test('an operator that is paused as a whole finalizes what is deleted, and writes nothing else, conditions neither', async () => {
  const finalized: string[] = [];
  running = await RunningController.start(finalizing(finalized));
  const { cluster } = running;
  await cluster.create(Widget({ metadata: { name: 'a' }, spec: {} }));
  await cluster.until(Widget, 'a', ({ metadata }) => metadata.finalizers !== undefined);
  await running.settled();
  await running.stop();
  await running.begin({ isPaused: true });
  const { mark } = cluster.requests;
  await cluster.create(Widget({ metadata: { name: 'b' }, spec: {} }));
  await cluster.delete(Widget, 'a');
  await cluster.until(Widget, 'a', 'absent');
  await running.settled();
  expect(finalized).toEqual(['a']);
  const writes = cluster.requests.since(mark).writes().byUser('system:serviceaccount:widget-operator-system:widget-operator').all;
  expect(writes.map(({ verb, name }) => `${verb} ${name}`)).toEqual(['patch a']);
});

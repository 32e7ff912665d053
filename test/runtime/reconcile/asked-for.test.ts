import { mergePatch } from '@keelson/testing';
import { type Annotations, defineController, defineCustomResource, defineOperator, k, type Operator, TerminalError } from 'keelson';
import { z } from 'zod';
import { RunningController } from '../harness/running-controller.js';

const Gadget = defineCustomResource({
  group: 'test.example.com',
  kind: 'Gadget',
  versions: {
    v1: {
      spec: z.object({}),
      status: z.object({ runs: k.int32().optional(), lastHandledReconcile: z.string().optional(), conditions: k.conditions() }),
    },
  },
});

let running: RunningController;
let runs = 0;
afterEach(() => running.close());

async function started(reconcile: () => void, annotations?: Annotations): Promise<RunningController['cluster']> {
  runs = 0;
  const operator: Operator = defineOperator({
    name: 'gadget-operator',
    controllers: [
      defineController({
        name: 'gadget',
        for: Gadget,
        ...(annotations === undefined ? {} : { annotations }),
        reconcile: ({ done }) => {
          runs += 1;
          reconcile();
          return done({ status: { runs } });
        },
      }),
    ],
  });
  running = await RunningController.start(operator, { backoff: { baseMs: 3_600_000, maxMs: 3_600_000 } });
  const { cluster } = running;
  await cluster.create(Gadget({ metadata: { name: 'a' }, spec: {} }));
  await cluster.until(() => expect(runs).toBe(1));
  await running.settled();
  return cluster;
}

const annotate = (name: string, value: string | null) =>
  running.cluster.patch(Gadget, 'a', mergePatch({ metadata: { annotations: { [name]: value } } }));

test('a run that a user has asked for answers with the token of the user, and keeps it when the annotation goes', async () => {
  const cluster = await started(() => undefined);
  await annotate('test.example.com/reconcile', 'now');
  await cluster.until(Gadget, 'a', ({ status }) => status?.lastHandledReconcile === 'now' && status.runs === 2);
  await annotate('test.example.com/reconcile', 'again');
  await cluster.until(Gadget, 'a', ({ status }) => status?.lastHandledReconcile === 'again' && status.runs === 3);
  await running.settled();
  expect(runs).toBe(3);
  await annotate('test.example.com/reconcile', null);
  await cluster.until(Gadget, 'a', ({ status }) => status?.runs === 4);
  expect((await cluster.get(Gadget, 'a')).status?.lastHandledReconcile).toBe('again');
});

test('a run that fails answers too, and does not wait for the back-off of those before it', async () => {
  const cluster = await started(() => {
    throw runs < 3 ? new Error('it fails') : new TerminalError('it fails for good');
  });
  await annotate('test.example.com/reconcile', 'one');
  await cluster.until(Gadget, 'a', ({ status }) => status?.lastHandledReconcile === 'one');
  await annotate('test.example.com/reconcile', 'two');
  await cluster.until(Gadget, 'a', ({ status }) => status?.lastHandledReconcile === 'two');
  expect(runs).toBe(3);
});

test('a paused object does not answer before it is resumed', async () => {
  const cluster = await started(() => undefined);
  await annotate('test.example.com/paused', 'true');
  await annotate('test.example.com/reconcile', 'now');
  await cluster.until(Gadget, 'a', ({ status }) => status?.conditions?.some(({ type }) => type === 'Paused') === true);
  await running.settled();
  expect((await cluster.get(Gadget, 'a')).status?.lastHandledReconcile).toBeUndefined();
  await annotate('test.example.com/paused', null);
  await cluster.until(Gadget, 'a', ({ status }) => status?.lastHandledReconcile === 'now');
});

test("the annotation of a project's own is answered, and none where it is turned off", async () => {
  const cluster = await started(() => undefined, { reconcile: 'reconcile.fluxcd.io/requestedAt' });
  await annotate('reconcile.fluxcd.io/requestedAt', 'then');
  await cluster.until(Gadget, 'a', ({ status }) => status?.lastHandledReconcile === 'then');
  await running.close();
  const other = await started(() => undefined, { reconcile: false });
  await annotate('test.example.com/reconcile', 'now');
  await other.until(Gadget, 'a', ({ status }) => status?.runs === 2);
  expect((await other.get(Gadget, 'a')).status?.lastHandledReconcile).toBeUndefined();
});

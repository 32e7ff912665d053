import { type FakeClock, type InProcessOptions, mergePatch, TestCluster } from '@keelson/testing';
import { defineController, defineCustomResource, defineOperator, k } from 'keelson';
import { z } from 'zod';

const Note = defineCustomResource({
  group: 'notes.example.com',
  kind: 'Note',
  versions: { v1: { spec: z.object({ text: z.string().default('') }), status: z.object({ conditions: k.conditions() }) } },
});

/** What the reconcilers of a test wait for. */
const gate = { calls: 0, hold: undefined as Promise<void> | undefined };
beforeEach(() => Object.assign(gate, { calls: 0, hold: undefined }));

const controller = (name: string, more: object = {}) =>
  defineController({
    name,
    for: Note,
    ...more,
    async reconcile({ done }) {
      gate.calls += 1;
      await gate.hold;
      return done({});
    },
  });
const operator = defineOperator({ name: 'notes', controllers: [controller('note')] });
const start = (options: InProcessOptions<FakeClock> = {}) => TestCluster.start<FakeClock>({ operator, ...options });
const note = (name: string, text = 'hello') => Note({ metadata: { name }, spec: { text } });

test('reconciled waits for the end of a run that began after it was called, and gives what that run did', async () => {
  await using cluster = await start();
  await cluster.startOperator();
  await cluster.create(note('a'));
  await cluster.settled();
  const before = cluster.journal(Note, 'a').map(({ id }) => id);
  const next = cluster.reconciled(Note, 'a');
  await cluster.patch(Note, 'a', mergePatch({ spec: { text: 'changed' } }));
  const run = await next;
  expect(before).not.toContain(run.id);
  expect(run).toMatchObject({ controller: 'note', kind: 'Note', object: 'default/a', outcome: { result: 'success' } });
});

test('a run that was under way when it was called does not count', async () => {
  await using cluster = await start();
  await cluster.startOperator();
  let release: () => void = () => undefined;
  gate.hold = new Promise((resolve) => {
    release = resolve;
  });
  await cluster.create(note('a'));
  await cluster.until(() => gate.calls === 1);
  const [first] = cluster.journal(Note, 'a');
  const next = cluster.reconciled(Note, 'a');
  release();
  await cluster.settled();
  await cluster.patch(Note, 'a', mergePatch({ spec: { text: 'changed' } }));
  expect((await next).id).not.toBe(first?.id);
});

test('runs of another object, and of another controller than the one that is named, do not count', async () => {
  const two = defineOperator({ name: 'notes', controllers: [controller('note'), controller('other', { writesStatus: false })] });
  await using cluster = await TestCluster.start({ operator: two });
  await cluster.startOperator();
  const [ofOther, never] = [
    cluster.reconciled(Note, 'a', { controller: 'other' }),
    cluster.reconciled(Note, 'b', { timeout: '300ms' }).catch((error: unknown) => (error as Error).name),
  ];
  await cluster.create(note('a'));
  expect((await ofOther).controller).toBe('other');
  expect(await never).toBe('WaitError');
});

test('no such run in time is an error that shows the runs before', async () => {
  await using cluster = await start();
  await expect(cluster.reconciled(Note, 'a', { timeout: '50ms' })).rejects.toThrow(
    'Note default/a was not reconciled within 50 ms: no operator runs here; start one with startOperator()',
  );
  await cluster.startOperator();
  await expect(cluster.reconciled(Note, 'a', { timeout: '50ms' })).rejects.toThrow(
    'Note default/a was not reconciled within 50 ms: no run has begun, and there was none before',
  );
  await cluster.create(note('a'));
  await cluster.settled();
  await expect(cluster.reconciled(Note, 'a', { timeout: '50ms' })).rejects.toThrow(
    /^Note default\/a was not reconciled within 50 ms: no run has begun since; the last one was\n.* note: Note default\/a at \d+ /,
  );
  let release: () => void = () => undefined;
  gate.hold = new Promise((resolve) => {
    release = resolve;
  });
  // The wait is over when the run has begun, however long that takes.
  const timers = jest.spyOn(globalThis, 'setTimeout');
  // oxlint-disable-next-line deadlines/no-literal -- its timer is found by its length
  const held = cluster.reconciled(Note, 'a', { timeout: '1h' });
  const [end] = timers.mock.calls.find(([, milliseconds]) => milliseconds === 3_600_000) ?? [];
  timers.mockRestore();
  const fails = expect(held).rejects.toThrow(/a run has begun and not ended\n[\s\S]*runs still$/);
  const before = gate.calls;
  await cluster.patch(Note, 'a', mergePatch({ spec: { text: 'changed' } }));
  await cluster.until(() => gate.calls > before);
  end?.();
  await fails;
  release();
});

test('an operator without a journal is an error at once', async () => {
  await using cluster = await start();
  await cluster.startOperator({ journal: false });
  await expect(cluster.reconciled(Note, 'a')).rejects.toThrow('no journal is kept');
});

import { FakeClock, type InProcessOptions, TestCluster } from '@keelson/testing';
import { defineController, defineCustomResource, defineOperator, k, validating } from 'keelson';
import { ConfigMap, Lease } from 'keelson/kinds';
import { z } from 'zod';
import { DEADLINE_MS } from '../../deadline.cjs';
import { MemoryLog } from '../../runtime/harness/running-controller.js';

const Note = defineCustomResource({
  group: 'notes.example.com',
  kind: 'Note',
  versions: { v1: { spec: z.object({ text: z.string().default('') }), status: z.object({ conditions: k.conditions() }) } },
});

/** What the reconcilers of a test wait for, and how often they were called. */
const gate = { calls: 0, hold: undefined as ((signal: AbortSignal) => Promise<void>) | undefined, fail: false };
beforeEach(() => Object.assign(gate, { calls: 0, hold: undefined, fail: false }));

const controller = defineController({
  name: 'note',
  for: Note,
  owns: { maps: ConfigMap },
  async reconcile({ object, signal, done }) {
    gate.calls += 1;
    await gate.hold?.(signal);
    if (gate.fail) throw new Error('no paper');
    return done({ owned: { maps: [ConfigMap({ metadata: { name: object.metadata.name }, data: { text: object.spec.text } })] } });
  },
});
const operator = defineOperator({ name: 'notes', controllers: [controller] });

const SILENT = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const start = (options: InProcessOptions<FakeClock> = {}) => TestCluster.start<FakeClock>({ operator, ...options });
const note = (name: string, text = 'hello') => Note({ metadata: { name }, spec: { text } });

test('an operator works in the name of its ServiceAccount until the cluster is closed, and settled waits for it', async () => {
  const cluster = await TestCluster.start({ operator });
  const running = await cluster.startOperator();
  await cluster.create(note('a'));
  await cluster.settled();
  expect((await cluster.get(ConfigMap, 'a')).data).toEqual({ text: 'hello' });
  expect(new Set(cluster.requests.all.map(({ user }) => user))).toEqual(new Set(['system:serviceaccount:notes-system:notes']));
  cluster.requests.expectNoneDenied();
  await cluster.close();
  await running.ended;
  expect(running.isLeader).toBe(false);
});

test('settled waits for a reconcile that is under way, whatever else is quiet', async () => {
  await using cluster = await start();
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  gate.hold = () => held;
  await cluster.startOperator();
  await cluster.create(note('a'));
  await cluster.until(() => gate.calls > 0);
  await expect(cluster.settled({ timeout: '200ms' })).rejects.toThrow('notes-1 is at work');
  release();
  await cluster.settled();
  await cluster.get(ConfigMap, 'a');
});

test('at a time that stands still the next try waits for the test; else settled waits for it', async () => {
  await using still = await start({ clock: new FakeClock() });
  gate.fail = true;
  await still.startOperator({ log: SILENT });
  await still.create(note('a'));
  await still.settled();
  const tried = gate.calls;
  await still.settled();
  expect(gate.calls).toBe(tried);
  gate.fail = false;
  still.clock.advance('1h');
  await still.settled();
  await still.get(ConfigMap, 'a');

  await using moving = await start();
  Object.assign(gate, { calls: 0, fail: true });
  const running = await moving.startOperator({ log: SILENT });
  await moving.create(note('a'));
  // The ninth try comes 2.56 s after the eighth: the last look of the 300 ms falls between them.
  await moving.until(() => gate.calls >= 8 && running.isIdle, { timeout: DEADLINE_MS });
  await expect(moving.settled({ timeout: '300ms' })).rejects.toThrow('notes-1 has failed with an object, and will try again');
});

test('an operator that has ended logs nothing when time goes on', async () => {
  await using cluster = await start({ clock: new FakeClock() });
  const log = new MemoryLog();
  const running = await cluster.startOperator({ log });
  await running.stop();
  cluster.clock.advance('1h');
  expect(log.texts.filter((text) => text.startsWith('warn'))).toEqual([]);
});

test('replicas elect a leader; the standby counts as at rest, and takes over', async () => {
  await using cluster = await start({ clock: new FakeClock() });
  const settings = { leaseName: 'notes' };
  const first = await cluster.startOperator({ settings });
  await cluster.until(() => first.isLeader);
  const second = await cluster.startOperator({ settings, podName: 'standby' });
  await cluster.create(note('a'));
  await cluster.settled();
  expect([first.isLeader, second.isLeader]).toEqual([true, false]);
  await first.stop();
  await cluster.until(() => {
    cluster.clock.advance('1s');
    return second.isLeader;
  });
  expect((await cluster.get(Lease, 'notes-system/notes')).spec?.holderIdentity).toMatch(/^standby_/);
  await cluster.create(note('b'));
  await cluster.settled();
  await cluster.get(ConfigMap, 'b');
});

test('closing gives up a reconcile that ends with its signal, even at a time that stands still', async () => {
  const cluster = await start({ clock: new FakeClock() });
  gate.hold = (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('given up'))));
  const running = await cluster.startOperator({ log: SILENT });
  await cluster.create(note('a'));
  await cluster.until(() => gate.calls > 0);
  await cluster.close();
  await running.ended;
});

test('what a reconciler is given is frozen', async () => {
  const spoiling = defineController({
    name: 'note',
    for: Note,
    reconcile({ object, done }) {
      (object.spec as { text: string }).text = 'mine';
      return done();
    },
  });
  await using cluster = await start({ operator: defineOperator({ name: 'notes', controllers: [spoiling] }) });
  await cluster.startOperator({ log: SILENT });
  await cluster.create(note('a'));
  const failed = { type: 'Ready', status: 'False', reason: 'ReconcileFailed' } as const;
  await cluster.until(Note, 'a', { status: { conditions: [failed] } });
  const { status } = await cluster.get(Note, 'a');
  expect(status?.conditions?.find(({ type }) => type === 'Ready')?.message).toContain('read only');
});

test('without an operator there is nothing to start', async () => {
  await using cluster = await TestCluster.start();
  await expect(cluster.startOperator()).rejects.toThrow('no operator is installed: give it to TestCluster.start({ operator })');
});

describe('webhooks', () => {
  const polite = validating(Note, ({ spec }) => (spec.text === 'rude' ? [{ path: 'spec.text', message: 'be polite' }] : []));
  const judging = defineOperator({ name: 'notes', controllers: [controller], webhooks: [polite] });

  test('answer when the operator has been started, at whatever time; and with it they end', async () => {
    await using cluster = await start({ operator: judging, clock: new FakeClock() });
    const first = await cluster.startOperator();
    await expect(cluster.create(note('a', 'rude'))).rejects.toThrow('spec.text: Invalid value: "rude": be polite');
    const second = await cluster.startOperator();
    await second.stop();
    await cluster.create(note('a'));
    await first.stop();
    await expect(cluster.create(note('b'))).rejects.toThrow('failed calling webhook');
  });

  test('are left out where their configurations are, and nothing is said about it', async () => {
    await using cluster = await start({ operator: judging, webhooks: false });
    const lines: string[] = [];
    const log = { ...SILENT, warn: (message: string) => void lines.push(message), error: (message: string) => void lines.push(message) };
    await cluster.startOperator({ log });
    await cluster.create(note('a', 'rude'));
    await cluster.settled();
    expect(lines).toEqual([]);
  });
});

import { jsonPatch, mergePatch } from '@keelson/testing';
import { type Done, defineController, defineCustomResource, defineOperator, k, type Resource } from 'keelson';
import { CustomResourceDefinition } from 'keelson/kinds';
import { z } from 'zod';
import { RunningController } from '../harness/running-controller.js';

const Palette = defineCustomResource({
  group: 'test.example.com',
  kind: 'Palette',
  versions: {
    v1: {
      spec: z.object({ size: k.int32() }),
      fields: z.object({ colors: z.array(z.string()).default([]), note: z.string().optional() }),
      status: z.object({
        size: k.int32().optional(),
        parts: z.object({ ready: k.int32().optional(), total: k.int32().optional() }).optional(),
        conditions: k.conditions(),
      }),
    },
  },
});
interface Palette extends Resource<typeof Palette> {}
interface Context {
  readonly object: Palette;
  readonly done: (outcome?: { readonly status?: NonNullable<Palette['status']> }) => Done;
}

const CRD = 'palettes.test.example.com';
const ROOT = '/spec/versions/0/schema/openAPIV3Schema';

let running: RunningController;
afterEach(() => running.close());

async function start(reconcile: (context: Context) => Done): Promise<RunningController> {
  const controller = defineController({ name: 'palette', for: Palette, reconcile: (context) => reconcile(context as unknown as Context) });
  running = await RunningController.start(defineOperator({ name: 'palettes', controllers: [controller] }));
  return running;
}

/** The definition lets anything into an object while `act` runs, as that of an older release. */
async function unguarded(act: () => Promise<unknown>): Promise<void> {
  const { cluster } = running;
  const guarded = (await cluster.get(CustomResourceDefinition, CRD)).spec.versions[0]?.schema?.openAPIV3Schema;
  const set = (value: unknown) => cluster.patch(CustomResourceDefinition, CRD, jsonPatch([{ op: 'replace', path: ROOT, value }]));
  await set({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true });
  await act();
  await set(guarded);
}

const stored = (parts: object): never =>
  ({ apiVersion: 'test.example.com/v1', kind: 'Palette', metadata: { name: 'a' }, ...parts }) as never;
const reasonsOf = ({ status }: Palette): readonly string[] => (status?.conditions ?? []).map(({ reason }) => reason);
const warnings = (): readonly unknown[] =>
  running.log.lines.filter(({ level }) => level === 'warn').map(({ fields }) => fields['problems']);

describe('an object that does not fit its definition elsewhere than in its spec (H21)', () => {
  test.each<[string, object, string]>([
    ['a field beside the spec', { spec: { size: 1 }, colors: 'red' }, 'colors is string, not array'],
    ['an item of such a field', { spec: { size: 1 }, colors: ['red', 7] }, 'colors[1] is integer, not string'],
    ['a spec that is missing', { colors: [] }, 'spec is missing'],
    ['a spec that is a text', { spec: 'big' }, 'spec is string, not object'],
  ])('%s: it is not reconciled, its conditions say why, and it recovers', async (_, parts, cause) => {
    let runs = 0;
    const { cluster } = await start(({ done }) => {
      runs += 1;
      return done();
    });
    await unguarded(() => cluster.create(stored(parts)));
    await cluster.until(Palette, 'a', (object) => reasonsOf(object).includes('ObjectUnfit'));
    expect((await cluster.get(Palette, 'a')).status?.conditions?.[0]?.message).toContain(`its definition: ${cause};`);
    expect(runs).toBe(0);
    await unguarded(() => cluster.patch(Palette, 'a', mergePatch({ spec: { size: 2 }, colors: ['red'] })));
    await cluster.until(Palette, 'a', (object) => reasonsOf(object).includes('Reconciled'));
  });
});

describe('a stored status that does not fit its definition (H21)', () => {
  const seen: unknown[] = [];
  let isBroken = false;

  async function startWith(status: unknown): Promise<void> {
    seen.length = 0;
    const { cluster } = await start(({ object, done }) => {
      seen.push(object.status);
      if (isBroken) throw new Error('the disk is full');
      return done({ status: { parts: { total: object.spec.size } } });
    });
    await running.stop();
    await unguarded(async () => {
      await cluster.create(stored({ spec: { size: 2 } }));
      await cluster.patchStatus(Palette, 'a', status as never);
    });
    await running.begin();
  }

  test('the reconciler sees none, and writes it anew: nothing of the wrong fields is left', async () => {
    isBroken = false;
    await startWith({ size: 'big', parts: { ready: 'two', total: 1, old: {} } });
    const { cluster } = running;
    await cluster.until(Palette, 'a', (object) => reasonsOf(object).includes('Reconciled'));
    await running.settled();
    expect(seen[0]).toBeUndefined();
    const { status } = await cluster.get(Palette, 'a');
    expect(status).toEqual({ parts: { total: 2 }, conditions: [expect.objectContaining({ type: 'Ready', status: 'True' })] });
    expect(warnings()).toEqual([['status.parts.ready is string, not integer', 'status.size is string, not integer']]);
  });

  test('a failure is in the conditions all the same', async () => {
    isBroken = true;
    await startWith({ size: 'big', parts: { total: 1 } });
    const { cluster } = running;
    await cluster.until(Palette, 'a', (object) => reasonsOf(object).includes('ReconcileFailed'));
    const { status } = await cluster.get(Palette, 'a');
    expect(status).toMatchObject({ parts: { total: 1 } });
    expect(status).not.toHaveProperty('size');
  });

  test('conditions of a wrong form are not what the next ones are dated by', async () => {
    isBroken = false;
    await startWith({ conditions: [{ type: 'Ready', status: true }] });
    const { cluster } = running;
    await cluster.until(Palette, 'a', (object) => reasonsOf(object).includes('Reconciled'));
    expect((await cluster.get(Palette, 'a')).status?.conditions).toEqual([
      expect.objectContaining({ type: 'Ready', status: 'True', reason: 'Reconciled' }),
    ]);
  });
});

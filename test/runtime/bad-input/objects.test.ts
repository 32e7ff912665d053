import { jsonPatch, mergePatch } from '@keelson/testing';
import { ConfigMap, CustomResourceDefinition } from 'keelson/kinds';
import { createLog } from '../../../src/runtime/telemetry/index.js';
import { RunningController, type StartOptions } from '../harness/running-controller.js';
import { type Behaviour, Widget, widgetOperator } from '../reconcile/widget.js';

let running: RunningController;
afterEach(() => running.close());

async function start(behaviour: Behaviour, options?: StartOptions): Promise<RunningController> {
  running = await RunningController.start(widgetOperator(behaviour), options);
  return running;
}

const widget = (name: string, spec = {}) => Widget({ metadata: { name }, spec });
const CRD = 'widgets.test.example.com';
const toldOf = (name: string): readonly unknown[] =>
  running.log.lines.filter(({ level, fields }) => /warn|error/.test(level) && fields['object'] === `shop/${name}`);
const conditionsOf = ({ status }: Widget): readonly string[] =>
  (status?.conditions ?? []).map(({ type, status: is }) => `${type}=${is}`).sort();
const reasonsOf = ({ status }: Widget): readonly string[] => (status?.conditions ?? []).map(({ reason }) => reason);

/** Lets anything into `spec`, as an older definition did, while `act` runs. */
async function unguarded(act: () => Promise<unknown>): Promise<void> {
  const { cluster } = running;
  const path = '/spec/versions/0/schema/openAPIV3Schema/properties/spec';
  const schema = (await cluster.get(CustomResourceDefinition, CRD)).spec.versions[0]?.schema?.openAPIV3Schema?.properties?.['spec'];
  const set = (value: unknown) => cluster.patch(CustomResourceDefinition, CRD, jsonPatch([{ op: 'replace', path, value }]));
  await set({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true });
  await act();
  await set(schema);
}

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = { a: value };
  return value;
}

describe('objects that do not fit their definition (H21)', () => {
  test.each<[string, unknown, string]>([
    ['another type', { size: 'big' }, 'spec.size is string, not integer'],
    ['null', { size: null }, 'spec.size is null'],
    ['a list for a number', { size: [1] }, 'spec.size is array, not integer'],
    ['a number for a text', { size: 1, secret: 7 }, 'spec.secret is integer, not string'],
  ])('%s: told once with object and cause, in the conditions too; others go on, and it recovers', async (_, spec, cause) => {
    const names: string[] = [];
    const { cluster } = await start({
      reconcile: ({ object, done }) => {
        names.push(object.metadata.name);
        return done({ status: { size: object.spec.size } });
      },
    });
    await unguarded(() => cluster.create({ ...widget('bad'), spec } as never));
    await cluster.create(widget('good'));
    await cluster.until(Widget, 'bad', (object) => reasonsOf(object).includes('ObjectUnfit'));
    await cluster.until(Widget, 'good', (object) => reasonsOf(object).includes('Reconciled'));
    await running.settled();
    expect((await cluster.get(Widget, 'bad')).status?.conditions?.[0]?.message).toContain(cause);
    expect(toldOf('bad')).toMatchObject([{ level: 'error', message: 'reconciling failed', fields: { object: 'shop/bad' } }]);
    expect([...new Set(names)]).toEqual(['good']);
    await cluster.patch(Widget, 'bad', mergePatch({ spec: { size: 2, secret: null } }));
    await cluster.until(Widget, 'bad', (object) => reasonsOf(object).includes('Reconciled'));
    await running.settled();
    expect(conditionsOf(await cluster.get(Widget, 'bad'))).toEqual(['Ready=True']);
    expect(toldOf('good')).toEqual([]);
  });

  test('a bound became narrower than a stored object: it does not say Ready, condition and log name the field, and it recovers', async () => {
    const { cluster } = await start({ reconcile: ({ object, done }) => done({ status: { size: object.spec.size } }) });
    await unguarded(() => cluster.create(widget('bad', { size: 1_000 })));
    await cluster.until(Widget, 'bad', (object) => reasonsOf(object).includes('ObjectUnfit'));
    await running.settled();
    const { status } = await cluster.get(Widget, 'bad');
    expect(status?.size).toBeUndefined();
    expect(conditionsOf(await cluster.get(Widget, 'bad'))).toEqual(['Ready=False', 'Stalled=True']);
    expect(status?.conditions?.[0]?.message).toContain('spec.size should be less than or equal to 100');
    expect(toldOf('bad')).toMatchObject([{ level: 'error', message: 'reconciling failed', fields: { object: 'shop/bad' } }]);
    await cluster.patch(Widget, 'bad', mergePatch({ spec: { size: 2 } }));
    await cluster.until(Widget, 'bad', (object) => reasonsOf(object).includes('Reconciled'));
    await running.settled();
    expect(conditionsOf(await cluster.get(Widget, 'bad'))).toEqual(['Ready=True']);
  });

  test('a thousand fields of a wrong type: five are told', async () => {
    const { cluster } = await start({ reconcile: ({ done }) => done() });
    await unguarded(() =>
      cluster.create({ ...widget('bad'), spec: { size: 'x', secret: Array.from({ length: 1_000 }, () => 1) } } as never),
    );
    await cluster.until(Widget, 'bad', (object) => reasonsOf(object).includes('ObjectUnfit'));
    expect((await cluster.get(Widget, 'bad')).status?.conditions?.[0]?.message.length).toBeLessThan(1_000);
  });

  test('nested 900 levels deep: others go on, and it recovers', async () => {
    const { cluster } = await start({ reconcile: ({ object, done }) => done({ status: { size: object.spec.size } }) });
    await unguarded(() => cluster.create({ ...widget('bad'), spec: { size: 1, deep: nested(900) } } as never));
    await cluster.create(widget('good'));
    await cluster.until(Widget, 'good', (object) => reasonsOf(object).includes('Reconciled'));
    await running.settled();
    expect(toldOf('bad').length).toBeLessThanOrEqual(1);
    await unguarded(() => cluster.patch(Widget, 'bad', mergePatch({ spec: { size: 2, deep: null } })));
    await cluster.until(Widget, 'bad', (object) => object.status?.size === 2);
  });
});

test('a status schema that refuses to be told of failures: said once, with what mends it', async () => {
  let isBroken = true;
  const { cluster } = await start({
    reconcile: ({ object, done }) => {
      if (isBroken) throw new Error('the disk is full');
      return done({ status: { size: object.spec.size } });
    },
  });
  const path = '/spec/versions/0/schema/openAPIV3Schema/properties/status/required';
  await cluster.patch(CustomResourceDefinition, CRD, jsonPatch([{ op: 'add', path, value: ['size'] }]));
  await cluster.create(widget('bad'));
  const tries = () => running.log.lines.filter(({ message }) => message === 'reconciling failed again').length;
  await cluster.until(() => expect(tries()).toBeGreaterThan(1));
  expect(toldOf('bad').map((line) => (line as { readonly message: string }).message)).toEqual([
    expect.stringContaining('give defaults to required fields of the status, or make them optional'),
    'reconciling failed',
  ]);
  isBroken = false;
  await cluster.until(Widget, 'bad', (object) => object.status?.size === 1);
});

test('an object of 1.4 MB is worked on as others are; what is said of it is bounded', async () => {
  const lines: string[] = [];
  const log = await createLog({ level: 'debug', format: 'json', write: (line) => void lines.push(line) });
  let isBroken = true;
  const { cluster } = await start(
    {
      reconcile: ({ object, done, log: own }) => {
        own.info('looked at', { object, text: object.spec.secret });
        if (isBroken && object.metadata.name === 'bad') throw new Error(`what is this? ${JSON.stringify(object.spec)}`);
        return done({ status: { size: object.spec.size }, owned: { configs: [ConfigMap({ metadata: { name: object.metadata.name } })] } });
      },
    },
    { log },
  );
  await cluster.create(widget('bad', { secret: 'x'.repeat(1_400_000) }));
  await cluster.create(widget('good'));
  await cluster.until(Widget, 'good', (object) => reasonsOf(object).includes('Reconciled'));
  await cluster.until(Widget, 'bad', (object) => reasonsOf(object).includes('ReconcileFailed'));
  await cluster.until(() => expect(lines.some((line) => line.includes('reconciling failed again'))).toBe(true));
  expect((await cluster.get(Widget, 'bad')).status?.conditions?.[0]?.message.length).toBeLessThanOrEqual(32_768);
  isBroken = false;
  await cluster.until(Widget, 'bad', (object) => reasonsOf(object).includes('Reconciled'));
  const told = lines.filter((line) => /"level":"(warn|error)"/.test(line));
  expect(told).toHaveLength(1);
  expect(JSON.parse(told[0] ?? '')).toMatchObject({ msg: 'reconciling failed', controller: 'widget', object: 'shop/bad' });
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(65_536);
});

describe('objects with thousands of owners', () => {
  const refs = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      apiVersion: 'test.example.com/v1',
      kind: 'Widget',
      name: `owner-${index}`,
      uid: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    }));

  test('their controller alone is asked; a reconciled object with as many is one object', async () => {
    const runs: string[] = [];
    const { cluster } = await start({
      reconcile: ({ object, trigger, configs, done }) => {
        runs.push(`${object.metadata.name} ${trigger.cause} ${configs.list().length}`);
        return done({ status: { size: object.spec.size } });
      },
    });
    const { metadata } = await cluster.create(widget('a'));
    await cluster.create(widget('b'));
    await running.settled();
    runs.length = 0;
    const controller = { apiVersion: 'test.example.com/v1', kind: 'Widget', name: 'a', uid: metadata.uid, controller: true };
    await cluster.create(ConfigMap({ metadata: { name: 'c', ownerReferences: [...refs(3_000), controller] } }));
    await running.settled();
    // The garbage collector takes the absent owners away, which is more changes of the same child.
    expect([...new Set(runs.splice(0))]).toEqual(['a owned 1']);
    await cluster.create(Widget({ metadata: { name: 'owned', ownerReferences: [...refs(3_000), controller] }, spec: {} }));
    await cluster.until(Widget, 'owned', ({ status }) => status?.size === 1);
    await running.settled();
    expect([...new Set(runs)]).toEqual(['owned object 0']);
    expect(running.log.texts.filter((text) => /^(warn|error)/.test(text))).toEqual([]);
  });
});

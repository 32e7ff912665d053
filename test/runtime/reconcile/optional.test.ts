import {
  customResourceDefinitionManifest,
  defineController,
  defineCustomResource,
  defineOperator,
  k,
  own,
  read,
  toReferrers,
  watch,
} from 'keelson';
import { CustomResourceDefinition } from 'keelson/kinds';
import { z } from 'zod';
import { RunningController } from '../harness/running-controller.js';
import { Widget } from './widget.js';

/** Kinds of others: no operator of these tests installs them. */
const Monitor = defineCustomResource({
  group: 'monitoring.example.com',
  kind: 'Monitor',
  versions: { v1: { spec: z.object({ port: k.int32() }) } },
});
const Issuer = defineCustomResource({ group: 'certs.example.com', kind: 'Issuer', versions: { v1: { spec: z.object({}) } } });

const crd = (kind: Parameters<typeof customResourceDefinitionManifest>[0]) => customResourceDefinitionManifest(kind) as never;

interface Seen {
  readonly cause: string;
  readonly monitors: readonly [isServed: boolean, objects: number];
  readonly watched: readonly [isServed: boolean, objects: number];
  readonly issuers: readonly [isServed: boolean, objects: number];
}

const seen: Seen[] = [];
let forces = false;
const controller = defineController({
  name: 'widget',
  for: Widget,
  owns: { monitors: own(Monitor, { optional: true }) },
  watches: {
    watched: watch(Monitor, {
      optional: true,
      verbs: ['create'],
      enqueue: toReferrers(Widget, ({ metadata }) => [{ name: metadata.name }]),
    }),
  },
  reads: { issuers: read(Issuer, { optional: true }) },
  writesStatus: false,
  async reconcile({ object, monitors, watched, issuers, trigger, done }) {
    const { name } = object.metadata;
    seen.push({
      cause: trigger.cause,
      monitors: [monitors.isServed, monitors.list().length],
      watched: [watched.isServed, watched.list().length],
      issuers: [issuers.isServed, (await issuers.list()).length],
    });
    if (forces) await watched.create(Monitor({ metadata: { name: 'forced' }, spec: { port: 1 } }));
    return done({ owned: { monitors: monitors.isServed ? [Monitor({ metadata: { name }, spec: { port: 80 } })] : [] } });
  },
});
const operator = defineOperator({ name: 'widget-operator', controllers: [controller] });

let running: RunningController;
beforeEach(async () => {
  seen.length = 0;
  forces = false;
  running = await RunningController.start(operator);
});
afterEach(() => running.close());

const last = (): Omit<Seen, 'cause'> | undefined => {
  const { cause: _, ...rest } = seen.at(-1) ?? { cause: '' };
  return rest as Omit<Seen, 'cause'>;
};

test('H28: without its CustomResourceDefinition an optional kind holds nothing up; it is watched when it comes, and gone when it goes', async () => {
  const { cluster, runner, log } = running;
  await cluster.create(Widget({ metadata: { name: 'a' }, spec: {} }));
  await cluster.until(() => seen.length > 0);
  const absent = { monitors: [false, 0], watched: [false, 0], issuers: [false, 0] };
  expect(last()).toEqual(absent);
  expect([runner.hasSynced, runner.isReady]).toEqual([true, true]);
  expect(log.texts.filter((text) => /^(warn|error)/.test(text))).toEqual([]);

  await cluster.create(crd(Monitor));
  await cluster.until(Monitor, 'a', { spec: { port: 80 } });
  await cluster.until(() => expect(last()).toEqual({ ...absent, monitors: [true, 1], watched: [true, 1] }));
  expect(seen.map(({ cause }) => cause)).toContain('served');
  await cluster.create(crd(Issuer));
  await cluster.until(() => expect(last()).toMatchObject({ issuers: [true, 0] }));

  await cluster.delete(CustomResourceDefinition, 'monitors.monitoring.example.com');
  await cluster.until(() => expect(last()).toMatchObject({ monitors: [false, 0], watched: [false, 0], issuers: [true, 0] }));

  await cluster.create(crd(Monitor));
  await cluster.until(Monitor, 'a', { spec: { port: 80 } });
  expect(runner.isReady).toBe(true);
  expect(log.texts.filter((text) => /^(warn|error)/.test(text))).toEqual([]);
});

test('a write through an optional handle whose kind is not served fails, and names the CustomResourceDefinition', async () => {
  const { cluster, log } = running;
  forces = true;
  await cluster.create(Widget({ metadata: { name: 'a' }, spec: {} }));
  const said = (): string => JSON.stringify(log.lines.map(({ fields }) => String((fields as { error?: unknown } | undefined)?.error)));
  await cluster.until(() =>
    expect(said()).toContain(
      'watched: the API server does not serve monitors.monitoring.example.com in version v1, so nothing can be written; install the CustomResourceDefinition monitors.monitoring.example.com, or write only while watched.isServed is true',
    ),
  );
  expect(cluster.requests.all.filter(({ verb, resource }) => verb === 'create' && resource === 'monitors')).toEqual([]);
  // The run that failed is tried when the kind comes, whatever its back-off is.
  await cluster.create(crd(Monitor));
  await cluster.until(Monitor, 'forced', 'present');
});

test('H29: a kind that does not come is asked for with growing pauses, and not at full speed', async () => {
  const { cluster } = running;
  await cluster.create(Widget({ metadata: { name: 'a' }, spec: {} }));
  await cluster.until(() => seen.length > 0);
  const { mark } = cluster.requests;
  await running.settled();
  // Settled takes a moment: within it, a loop without pauses would ask hundreds of times.
  const asked = cluster.requests.since(mark).all.filter(({ url }) => /monitors|certs\.example/.test(url));
  expect(asked.length).toBeLessThan(20);
});

import { mergePatch } from '@keelson/testing';
import {
  defineController,
  defineCustomResource,
  defineOperator,
  k,
  type Operator,
  permissionsOf,
  toAll,
  toSelectors,
  watch,
} from 'keelson';
import { ConfigMap, Namespace } from 'keelson/kinds';
import { z } from 'zod';
import { RunningController } from '../harness/running-controller.js';

/** As Prometheus selects ServiceMonitors: by their labels, in namespaces by theirs. */
const Collector = defineCustomResource({
  group: 'metrics.example.com',
  kind: 'Collector',
  versions: { v1: { spec: z.object({ selector: k.labelSelector().optional(), namespaces: k.labelSelector().optional() }) } },
});

/** Names of the objects that were reconciled, with why. */
let runs: string[] = [];
const collectors = defineController({
  name: 'collector',
  for: Collector,
  watches: {
    configs: watch(ConfigMap, { enqueue: toSelectors(Collector, ({ spec }) => ({ labels: spec.selector, namespaces: spec.namespaces })) }),
  },
  reconcile({ object, trigger, done }) {
    runs.push('object' in trigger ? `${object.metadata.name}: ${trigger.handle} ${trigger.object.name}` : object.metadata.name);
    return done();
  },
});

const operatorOf = (controller: typeof collectors): Operator => defineOperator({ name: 'collector-operator', controllers: [controller] });

let running: RunningController;
afterEach(() => running.close());

async function started(controller = collectors): Promise<RunningController['cluster']> {
  runs = [];
  running = await RunningController.start(operatorOf(controller));
  const { cluster } = running;
  await running.settled();
  return cluster;
}

/** What the change has brought to run, in order of names. */
async function runsAfter(change: () => Promise<unknown>): Promise<string[]> {
  await running.settled();
  runs = [];
  await change();
  await running.settled();
  return runs.toSorted();
}

const collector = (name: string, spec: Parameters<typeof Collector>[0]['spec'], namespace = 'shop') =>
  Collector({ metadata: { name, namespace }, spec });
const config = (name: string, labels: Record<string, string> = {}, namespace = 'shop') =>
  ConfigMap({ metadata: { name, namespace, labels } });
const relabel = (labels: object) => mergePatch({ metadata: { labels } });

test('an object reconciles those whose selectors select it, by labels, expressions, and all', async () => {
  const cluster = await started();
  await cluster.create(collector('equal', { selector: { matchLabels: { team: 'a' } } }));
  await cluster.create(collector('one-of', { selector: { matchExpressions: [{ key: 'team', operator: 'In', values: ['a', 'b'] }] } }));
  await cluster.create(collector('has', { selector: { matchExpressions: [{ key: 'team', operator: 'Exists' }] } }));
  await cluster.create(collector('has-not', { selector: { matchExpressions: [{ key: 'team', operator: 'DoesNotExist' }] } }));
  await cluster.create(collector('both', { selector: { matchLabels: { team: 'a', tier: 'web' } } }));
  await cluster.create(collector('all', { selector: {} }));
  await cluster.create(collector('none', {}));
  expect(await runsAfter(() => cluster.create(config('c', { team: 'a' })))).toEqual([
    'all: configs c',
    'equal: configs c',
    'has: configs c',
    'one-of: configs c',
  ]);
  expect(await runsAfter(() => cluster.create(config('d', { team: 'b', tier: 'web' })))).toEqual([
    'all: configs d',
    'has: configs d',
    'one-of: configs d',
  ]);
  expect(await runsAfter(() => cluster.create(config('e')))).toEqual(['all: configs e', 'has-not: configs e']);
});

test('an object that leaves a selection, and one that goes, is noticed', async () => {
  const cluster = await started();
  await cluster.create(collector('a', { selector: { matchLabels: { team: 'a' } } }));
  await cluster.create(collector('b', { selector: { matchLabels: { team: 'b' } } }));
  await cluster.create(config('c', { team: 'a' }));
  expect(await runsAfter(() => cluster.patch(ConfigMap, 'c', relabel({ team: 'b' })))).toEqual(['a: configs c', 'b: configs c']);
  expect(await runsAfter(() => cluster.patch(ConfigMap, 'c', relabel({ team: null })))).toEqual(['b: configs c']);
  await cluster.patch(ConfigMap, 'c', relabel({ team: 'a' }));
  expect(await runsAfter(() => cluster.delete(ConfigMap, 'c'))).toEqual(['a: configs c']);
});

test('a selector that changes is the one that counts', async () => {
  const cluster = await started();
  await cluster.create(collector('a', { selector: { matchLabels: { team: 'a' } } }));
  await running.settled();
  await cluster.patch(Collector, 'a', mergePatch({ spec: { selector: { matchLabels: { team: 'b' } } } }));
  expect(await runsAfter(() => cluster.create(config('c', { team: 'a' })))).toEqual([]);
  expect(await runsAfter(() => cluster.create(config('d', { team: 'b' })))).toEqual(['a: configs d']);
});

test('without a namespace selector the own namespace counts; with an empty one every namespace', async () => {
  const cluster = await started();
  await cluster.create(Namespace({ metadata: { name: 'other' } }));
  await cluster.create(collector('own', { selector: {} }));
  await cluster.create(collector('everywhere', { selector: {}, namespaces: {} }));
  expect(await runsAfter(() => cluster.create(config('c', {}, 'other')))).toEqual(['everywhere: configs c']);
  expect(await runsAfter(() => cluster.create(config('c')))).toEqual(['everywhere: configs c', 'own: configs c']);
});

test('a namespace whose labels change brings the collectors to run that begin or cease to select in it', async () => {
  const cluster = await started();
  await cluster.create(Namespace({ metadata: { name: 'other' } }));
  await cluster.create(config('c', { team: 'a' }, 'other'));
  const namespaces = { matchLabels: { monitored: 'yes' } };
  await cluster.create(collector('a', { selector: { matchLabels: { team: 'a' } }, namespaces }));
  await cluster.create(collector('b', { selector: { matchLabels: { team: 'b' } }, namespaces }));
  await cluster.create(collector('all', { selector: {}, namespaces: {} }));
  expect(await runsAfter(() => cluster.patch(ConfigMap, { name: 'c', namespace: 'other' }, mergePatch({ data: { x: '1' } })))).toEqual([
    'all: configs c',
  ]);
  expect(await runsAfter(() => cluster.patch(Namespace, 'other', relabel({ monitored: 'yes' })))).toEqual(['a: configs c']);
  expect(await runsAfter(() => cluster.patch(ConfigMap, { name: 'c', namespace: 'other' }, mergePatch({ data: { x: '2' } })))).toEqual([
    'a: configs c',
    'all: configs c',
  ]);
  expect(await runsAfter(() => cluster.patch(Namespace, 'other', mergePatch({ metadata: { annotations: { x: 'y' } } })))).toEqual([]);
  expect(await runsAfter(() => cluster.patch(Namespace, 'other', relabel({ monitored: null })))).toEqual(['a: configs c']);
  expect(cluster.requests.denied().all).toEqual([]);
});

test('a selector that the API server would refuse selects nothing, is logged, and the others go on', async () => {
  const cluster = await started();
  await cluster.create(collector('a', { selector: { matchLabels: { 'not a key': 'a' } } }));
  await cluster.create(collector('b', { selector: { matchLabels: { team: 'a' } } }));
  expect(await runsAfter(() => cluster.create(config('c', { team: 'a' })))).toEqual(['b: configs c']);
  expect(running.log.texts.filter((text) => text.startsWith('error'))).toEqual([
    expect.stringMatching(
      /Collector: an object cannot be taken in .* watches\.configs: labels of toSelectors: key: Invalid value: "not a key"/,
    ),
  ]);
});

test('toAll reconciles every object, and a restart nothing twice', async () => {
  const cluster = await started(
    defineController({
      name: 'collector',
      for: Collector,
      watches: { configs: watch(ConfigMap, { select: { fields: { 'metadata.name': 'defaults' } }, enqueue: toAll(Collector) }) },
      reconcile: collectors.reconcile as never,
    }),
  );
  for (const name of ['a', 'b']) await cluster.create(collector(name, {}));
  expect(await runsAfter(() => cluster.create(config('defaults')))).toEqual(['a: configs defaults', 'b: configs defaults']);
  expect(await runsAfter(() => cluster.create(config('others')))).toEqual([]);
  await running.stop();
  expect(await runsAfter(() => running.begin())).toEqual(['a', 'b']);
  expect(cluster.requests.denied().all).toEqual([]);
});

describe('rights', () => {
  beforeEach(async () => void (await started()));
  const grants = (enqueue: ReturnType<typeof toSelectors<never>>) =>
    permissionsOf(
      operatorOf(
        defineController({
          name: 'c',
          for: Collector,
          watches: { configs: watch(ConfigMap, { enqueue: enqueue as never }) },
          reconcile: ({ done }) => done(),
        }),
      ),
    ).grants;

  test('on Namespaces, with the reason, where their labels count', () => {
    const [grant] = grants(toSelectors(Collector, ({ spec }) => ({ labels: spec.selector })) as never).filter(({ rule }) =>
      rule.resources?.includes('namespaces'),
    );
    expect(grant).toEqual({
      rule: { apiGroups: [''], resources: ['namespaces'], verbs: ['list', 'watch'] },
      placement: 'cluster',
      because: 'controller c follows the labels of namespaces: collectors select configmaps by them',
    });
  });

  test('on no Namespaces, where the own namespace alone is selected in', () => {
    const own = toSelectors(Collector, ({ spec }) => ({ labels: spec.selector }), { ownNamespace: true });
    expect(grants(own as never).filter(({ rule }) => rule.resources?.includes('namespaces'))).toEqual([]);
  });
});

import { type InProcessCluster, TestCluster } from '@keelson/testing';
import { defineCustomResource, defineOperator, mutating, validating, watch } from 'keelson';
import { ConfigMap, Namespace } from 'keelson/kinds';
import { z } from 'zod';
import { AdmissionHandles } from '../../../src/runtime/admission/index.js';
import { Cache as ObjectCache } from '../../../src/runtime/cache/index.js';
import { createClient } from '../../../src/runtime/client/index.js';
import { systemClock } from '../../../src/runtime/clock/index.js';
import { eventually } from '../../eventually';
import { MemoryLog } from '../harness/running-controller.js';
import { Cache, cacheObject } from './kinds.js';
import { responseOf, review, Served, stopAll } from './served.js';

afterEach(stopAll);

const created = review({ object: cacheObject('v1', {}) });

/** A server in the process, and a cache of its objects that does not run yet. */
async function withObjects(work: (cluster: InProcessCluster, objects: ObjectCache) => Promise<void>): Promise<void> {
  const cluster = await TestCluster.start({ namespace: 'team' });
  const client = createClient({ connection: cluster.connection, clock: systemClock });
  const objects = new ObjectCache({ client, clock: systemClock, log: new MemoryLog() });
  try {
    await work(cluster, objects);
  } finally {
    await objects.stop();
    client.close();
    await cluster.close();
  }
}

test('a webhook reads what it watches: the namespace of the request by name, others by key, all of them by asking', () =>
  withObjects(async (cluster, objects) => {
    await cluster.create(Namespace({ metadata: { name: 'other' } }));
    for (const namespace of ['team', 'other'])
      await cluster.create(ConfigMap({ metadata: { name: 'known', namespace, labels: { where: namespace } } }));
    const seen: unknown[] = [];
    const byWhere = watch(ConfigMap, { indexes: { where: ({ metadata }) => [metadata.labels?.['where'] ?? ''] } });
    const webhook = validating(
      Cache,
      (_, { configs, namespaces }) => {
        seen.push(
          configs.get('known')?.metadata.namespace,
          configs.get({ namespace: 'other', name: 'known' })?.metadata.namespace,
          configs.list({ labels: { where: 'other' } }).length,
          configs.list({ namespace: '*', index: { where: 'other' } }).length,
          namespaces.get('other')?.metadata.name,
        );
      },
      { watches: { configs: byWhere, namespaces: Namespace } },
    );
    const operator = defineOperator({ name: 'test', webhooks: [webhook] });
    const handles = new AdmissionHandles(operator.webhooks, objects);
    const served = await Served.start(operator.webhooks, { handles });
    const post = () => served.post('/validating/cache.example.com/v1/caches', created);
    const late = post();
    await served.clock.timer((delayMs) => delayMs > 0);
    served.clock.advance(30_000);
    expect(await late).toMatchObject({
      status: 504,
      text: expect.stringMatching(/^there was no answer within \d+ ms: the first list of ConfigMap, Namespace is not complete\n$/),
    });
    // One that comes before the lists waits for them.
    const early = post();
    await served.clock.timer((delayMs) => delayMs > 0);
    expect(handles.isReady).toBe(false);
    objects.start();
    expect(responseOf(await early).allowed).toBe(true);
    expect(handles.isReady).toBe(true);
    expect(seen).toEqual(['team', 'other', 0, 1, 'other']);
  }));

test('a handle has what its declaration selects; a plain name is of the only namespace that it names', () =>
  withObjects(async (cluster, objects) => {
    await cluster.create(Namespace({ metadata: { name: 'other' } }));
    for (const namespace of ['team', 'other'])
      for (const name of ['known', 'hidden']) await cluster.create(ConfigMap({ metadata: { name, namespace, labels: { is: name } } }));
    const seen: unknown[] = [];
    const names = (found: readonly { metadata: { name: string; namespace?: string | undefined } }[]): readonly string[] =>
      found.map(({ metadata: { name, namespace } }) => `${namespace}/${name}`).sort();
    const webhook = validating(
      Cache,
      (_, { labelled, elsewhere }) => {
        seen.push(
          labelled.get('known')?.metadata.namespace,
          labelled.get('hidden'),
          names(labelled.list({ namespace: '*' })),
          elsewhere.get('known')?.metadata.namespace,
          elsewhere.get({ namespace: 'team', name: 'known' }),
          names(elsewhere.list({ labelSelector: { matchExpressions: [{ key: 'is', operator: 'Exists' }] } })),
          names(elsewhere.list({ labelSelector: { matchExpressions: [{ key: 'is', operator: 'In', values: ['hidden'] }] } })),
        );
      },
      {
        watches: {
          labelled: watch(ConfigMap, { select: { labels: { is: 'known' } } }),
          elsewhere: watch(ConfigMap, { select: { namespaces: ['other'] } }),
        },
      },
    );
    const operator = defineOperator({ name: 'test', webhooks: [webhook] });
    const served = await Served.start(operator.webhooks, { handles: new AdmissionHandles(operator.webhooks, objects) });
    objects.start();
    expect(responseOf(await served.post('/validating/cache.example.com/v1/caches', created)).allowed).toBe(true);
    expect(seen).toEqual([
      'team',
      undefined,
      ['other/known', 'team/known'],
      'other',
      undefined,
      ['other/hidden', 'other/known'],
      ['other/hidden'],
    ]);
  }));

test('a request about a cluster-scoped object has no namespace of its own: names alone do not do, lists are of all', () =>
  withObjects(async (cluster, objects) => {
    await cluster.create(ConfigMap({ metadata: { name: 'known', namespace: 'team', labels: { here: 'yes' } } }));
    const seen: unknown[] = [];
    const webhook = validating(
      Namespace,
      (_, { configs }) => {
        seen.push(configs.list({ labels: { here: 'yes' } }).length, configs.get({ namespace: 'team', name: 'known' })?.metadata.name);
        configs.get('known');
      },
      { watches: { configs: ConfigMap } },
    );
    const operator = defineOperator({ name: 'test', webhooks: [webhook] });
    const served = await Served.start(operator.webhooks, { handles: new AdmissionHandles(operator.webhooks, objects) });
    objects.start();
    const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'new' } };
    expect(await served.post('/validating/core/v1/namespaces', review({ object }))).toMatchObject({
      status: 500,
      text: expect.stringContaining(
        'TypeError: ConfigMap known: which namespace? The request is about a cluster-scoped object; give { namespace, name }',
      ),
    });
    expect(seen).toEqual([1, 'known']);
  }));

test('a webhook waits for what it reads itself; all are ready when the last list is there', async () => {
  const held = new Set<string>();
  const waited: string[][] = [];
  const cache = {
    informer: ({ kind }: { kind: { kind: string } }) => ({
      kind,
      isServed: true,
      get hasSynced() {
        return held.has(kind.kind);
      },
    }),
    synced: async (_: AbortSignal, informers: readonly { kind: { kind: string } }[]) =>
      void waited.push(informers.map(({ kind }) => kind.kind)),
  };
  const { webhooks } = defineOperator({
    name: 'test',
    webhooks: [
      validating(Cache, () => [], { name: 'both', watches: { configs: ConfigMap, namespaces: Namespace } }),
      validating(Cache, () => [], { name: 'one', watches: { namespaces: Namespace } }),
      validating(Cache, () => [], { name: 'none' }),
    ],
  });
  const handles = new AdmissionHandles(webhooks, cache as never);
  const { signal } = new AbortController();
  const state = async () => {
    waited.splice(0);
    for (const webhook of webhooks) await handles.synced(webhook, signal);
    return [handles.isReady, webhooks.map((webhook) => handles.missing(webhook)), waited.slice()];
  };
  expect(await state()).toEqual([false, [['ConfigMap', 'Namespace'], ['Namespace'], []], [['ConfigMap', 'Namespace'], ['Namespace']]]);
  held.add('Namespace');
  expect(await state()).toEqual([false, [['ConfigMap'], [], []], [['ConfigMap']]]);
  held.add('ConfigMap');
  expect(await state()).toEqual([true, [[], [], []], []]);
});

test('a kind that is not served fails the webhook that reads it, at once and by name, and keeps no other out of service', () =>
  withObjects(async (_, objects) => {
    const Elsewhere = defineCustomResource({ group: 'elsewhere.example.com', kind: 'Monitor', versions: { v1: { spec: z.object({}) } } });
    const { webhooks } = defineOperator({
      name: 'test',
      webhooks: [
        validating(Cache, () => [], { name: 'reads', watches: { monitors: Elsewhere } }),
        validating(Cache, () => [], { name: 'other', watches: { namespaces: Namespace } }),
      ],
    });
    const handles = new AdmissionHandles(webhooks, objects);
    const served = await Served.start(webhooks, { handles });
    objects.start();
    await eventually(() => handles.isReady);
    expect(await served.post('/validating/cache.example.com/v1/caches/reads', created)).toMatchObject({
      status: 500,
      text: expect.stringContaining(
        'reads monitors, which the API server does not serve; install the CustomResourceDefinition monitors.elsewhere.example.com',
      ),
    });
    expect(responseOf(await served.post('/validating/cache.example.com/v1/caches/other', created)).allowed).toBe(true);
  }));

test('an optional kind that is not served is empty for the webhook, which answers', () =>
  withObjects(async (_, objects) => {
    const Elsewhere = defineCustomResource({ group: 'elsewhere.example.com', kind: 'Monitor', versions: { v1: { spec: z.object({}) } } });
    const seen: unknown[] = [];
    const webhook = validating(Cache, (_object, { monitors }) => void seen.push(monitors.isServed, monitors.list().length), {
      watches: { monitors: watch(Elsewhere, { optional: true }) },
    });
    const { webhooks } = defineOperator({ name: 'test', webhooks: [webhook] });
    const handles = new AdmissionHandles(webhooks, objects);
    const served = await Served.start(webhooks, { handles });
    objects.start();
    // One that comes before it is known waits for it.
    expect(responseOf(await served.post('/validating/cache.example.com/v1/caches', created)).allowed).toBe(true);
    expect([seen, handles.isReady, objects.problems()]).toEqual([[false, 0], true, []]);
  }));

test('a process that ends before its caches are filled says so, and the handler is not blamed', async () => {
  const objects = new ObjectCache({ client: {} as never, clock: systemClock, log: new MemoryLog() });
  const { webhooks } = defineOperator({ name: 'test', webhooks: [validating(Cache, () => [], { watches: { configs: ConfigMap } })] });
  const served = await Served.start(webhooks, { handles: new AdmissionHandles(webhooks, objects) });
  await objects.stop();
  const answer = await served.post('/validating/cache.example.com/v1/caches', created);
  expect(answer).toMatchObject({ status: 500, text: expect.stringContaining('stopped') });
  expect(served.told.filter((what) => what.startsWith('panicked'))).toEqual([]);
  expect(served.log.texts.filter((text) => text.startsWith('error'))).toEqual([]);
});

test('a server without handles refuses to serve a webhook that reads', async () => {
  const webhook = mutating(Cache, { watches: { configs: ConfigMap, namespaces: Namespace }, apply: () => {} });
  await expect(Served.start([validating(Cache, () => []), webhook])).rejects.toThrow(
    'mutating.caches.cache.example.com reads configs, namespaces; give the server the handles of a cache',
  );
});

test('a mutation that cannot be made is refused as a check is', async () => {
  const served = await Served.start([
    mutating(Cache, {
      apply: ({ spec }, { warn }) => {
        warn('looked at');
        return spec.size === 5 ? [{ path: 'spec.size', message: 'is taken' }] : 'not now';
      },
    }),
  ]);
  const path = '/mutating/cache.example.com/v1/caches';
  const field = responseOf(await served.post(path, review({ object: cacheObject('v1', { size: 5 }) })));
  expect(field).toMatchObject({
    allowed: false,
    status: { code: 422, message: 'Cache.cache.example.com "a" is invalid: spec.size: Invalid value: 5: is taken' },
    warnings: ['looked at'],
  });
  const whole = responseOf(await served.post(path, created));
  expect(whole).toMatchObject({ allowed: false, status: { code: 403, message: 'not now' } });
});

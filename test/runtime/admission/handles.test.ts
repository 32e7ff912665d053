import { defineOperator, mutating, validating, watch } from 'keelson';
import { ConfigMap, Namespace } from 'keelson/kinds';
import { TestCluster } from 'keelson/testing';
import { AdmissionHandles } from '../../../src/runtime/admission/index.js';
import { Cache as ObjectCache } from '../../../src/runtime/cache/index.js';
import { createClient } from '../../../src/runtime/client/index.js';
import { systemClock } from '../../../src/runtime/clock/index.js';
import { MemoryLog } from '../harness/running-controller.js';
import { Cache, cacheObject } from './kinds.js';
import { responseOf, review, Served, stopAll } from './served.js';

afterEach(stopAll);

const created = review({ object: cacheObject('v1', {}) });

test('a webhook reads what it watches: the namespace of the request by name, others by key, all of them by asking', async () => {
  const cluster = await TestCluster.start({ namespace: 'team' });
  const client = createClient({ connection: cluster.connection, clock: systemClock });
  const objects = new ObjectCache({ client, clock: systemClock, log: new MemoryLog() });
  try {
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
    expect(handles.hasSynced).toBe(false);
    objects.start();
    expect(responseOf(await early).allowed).toBe(true);
    expect(handles.hasSynced).toBe(true);
    expect(seen).toEqual(['team', 'other', 0, 1, 'other']);
  } finally {
    await objects.stop();
    client.close();
    await cluster.close();
  }
});

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
  const webhook = mutating(Cache, { watches: { configs: ConfigMap }, apply: () => {} });
  await expect(Served.start([webhook])).rejects.toThrow(
    'mutating.caches.cache.example.com reads configs; give the server the handles of a cache',
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

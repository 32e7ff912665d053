import { reconcileOnce } from '@keelson/testing';
import { defineController, defineCustomResource, defineOperator, k, read, watch } from 'keelson';
import { ConfigMap, Namespace, Secret } from 'keelson/kinds';
import { z } from 'zod';
import { RunningController } from '../harness/running-controller.js';

const Tenant = defineCustomResource({
  group: 'named.example.com',
  kind: 'Tenant',
  versions: {
    v1: { spec: z.object({ key: z.string() }), status: z.object({ seen: z.array(z.string()).optional(), conditions: k.conditions() }) },
  },
});

interface Named {
  readonly metadata: { readonly namespace?: string | undefined; readonly name: string };
}

const controller = defineController({
  name: 'tenant',
  for: Tenant,
  watches: {
    shared: watch(ConfigMap, { select: { namespaces: ['shared'] }, verbs: ['apply'] }),
    regions: watch(ConfigMap, { select: { namespaces: ['east', 'west'] } }),
  },
  reads: {
    vault: read(Secret, { namespaces: ['vault'] }),
    keys: read(Secret, { namespaces: ['east', 'west'] }),
  },
  async reconcile({ object, shared, regions, vault, keys, done }) {
    const names = (objects: readonly Named[]): string =>
      objects
        .filter(({ metadata }) => metadata.name !== 'kube-root-ca.crt')
        .map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)
        .sort()
        .join(' ');
    await shared.apply(ConfigMap({ metadata: { name: object.metadata.name } }));
    const refused = async (call: () => Promise<unknown>): Promise<string> => {
      try {
        await call();
        return 'taken';
      } catch (error) {
        return (error as Error).message;
      }
    };
    const seen = [
      `shared: ${names(shared.list())}`,
      `by name: ${shared.get('common')?.metadata.name}`,
      `regions: ${names(regions.list({ namespace: '*' }))}`,
      `vault: ${(await vault.get(object.spec.key))?.metadata.name}`,
      `vault list: ${names(await vault.list())}`,
      `keys: ${names(await keys.list({ namespace: '*' }))}`,
      `elsewhere: ${await refused(() => keys.get('a'))}`,
      `listed elsewhere: ${await refused(() => vault.list({ namespace: 'shop' }))}`,
      `written elsewhere: ${await refused(() => shared.apply(ConfigMap({ metadata: { name: 'a', namespace: 'shop' } })))}`,
    ];
    return done({ status: { seen } });
  },
});
const operator = defineOperator({ name: 'tenants', controllers: [controller] });

let running: RunningController | undefined;
afterEach(() => running?.close());

test('handles of named namespaces list and watch there alone, and ask for nothing elsewhere', async () => {
  running = await RunningController.start(operator);
  const { cluster } = running;
  const config = (namespace: string, name: string) => cluster.create(ConfigMap({ metadata: { namespace, name } }));
  const secret = (namespace: string, name: string) => cluster.create(Secret({ metadata: { namespace, name } }));
  await config('shared', 'common');
  await config('shop', 'unseen');
  await config('west', 'w');
  await config('east', 'e');
  await secret('vault', 'key');
  await secret('west', 'w');
  await cluster.create(Tenant({ metadata: { name: 'a' }, spec: { key: 'key' } }));
  await cluster.until(Tenant, 'a', ({ status }) => status?.seen?.[2] === 'regions: east/e west/w');
  await running.settled();
  const { status } = await cluster.get(Tenant, 'a');
  const only = (places: string, asked: string): string =>
    `Secret: the handle is for the namespace${places}, and not for ${asked}; give { namespace, name } with one of them, or declare more`;
  expect(status?.seen).toEqual([
    expect.stringMatching(/^shared: shared\/.*shared\/common/),
    'by name: common',
    'regions: east/e west/w',
    'vault: key',
    'vault list: vault/key',
    'keys: west/w',
    `elsewhere: ${only('s east, west', 'shop')}`,
    `listed elsewhere: ${only(' vault', 'shop')}`,
    `written elsewhere: ${only(' shared', 'shop').replace('Secret', 'ConfigMap')}`,
  ]);
  cluster.requests.expectNoneDenied();
  const watched = cluster.requests.filter({ verb: 'watch', kind: 'configmaps', user: 'system:serviceaccount:tenants-system:tenants' }).all;
  expect([...new Set(watched.map(({ namespace }) => namespace))].sort()).toEqual(['east', 'shared', 'west']);
});

test('the namespaces of the roles are there in a test, as they must be before an installation', async () => {
  running = await RunningController.start(operator);
  const names = (await running.cluster.list(Namespace)).map(({ metadata }) => metadata.name);
  expect(names).toEqual(expect.arrayContaining(['east', 'shared', 'vault', 'west']));
});

test('reconcileOnce understands plain names as the running operator does', async () => {
  const { status } = await reconcileOnce(controller, {
    object: Tenant({ metadata: { name: 'a', namespace: 'shop' }, spec: { key: 'key' } }),
    shared: [ConfigMap({ metadata: { name: 'common' } })],
    vault: [Secret({ metadata: { name: 'key' } })],
  });
  expect((status as { readonly seen: readonly string[] }).seen.slice(1, 5)).toEqual([
    'by name: common',
    'regions: ',
    'vault: key',
    'vault list: vault/key',
  ]);
});

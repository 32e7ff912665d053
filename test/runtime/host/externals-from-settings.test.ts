import { TestCluster } from '@keelson/testing';
import { defineController, defineCustomResource, defineOperator, external, settings, settingsOf } from 'keelson';
import { z } from 'zod';

interface Billing {
  plan(name: string): string;
}
const Shop = defineCustomResource({
  group: 'billing.example.com',
  kind: 'Shop',
  versions: { v1: { spec: z.object({}), status: z.object({ plan: z.string().optional() }) } },
});
const config = settings(z.object({ url: z.string().default('https://billing.example.com'), retries: z.number().default(2) }), {
  prefix: 'BILLING_',
});
const operator = defineOperator({
  name: 'shop-operator',
  controllers: [
    defineController({
      name: 'shops',
      for: Shop,
      uses: { billing: external<Billing>({ settings: config }) },
      reconcile: ({ object, billing, done }) => done({ status: { plan: billing.plan(object.metadata.name) } }),
    }),
  ],
});
const clientOf = (url: string): Billing => ({ plan: (name) => `${name} at ${url}` });

test('externals are made from settings that the process has read, and the manifests have their variables', async () => {
  expect(settingsOf(operator).map(({ group, variable }) => `${group} ${variable}`)).toEqual([
    'billingSettings BILLING_URL',
    'billingSettings BILLING_RETRIES',
  ]);
  const cluster = await TestCluster.start({ operator, namespace: 'shop' });
  await cluster.startOperator({
    values: [config.values({ url: 'https://other.example.com' })],
    externals: ({ settings: of }) => ({ billing: clientOf(of(config).url) }),
  });
  await cluster.create(Shop({ metadata: { name: 'a' }, spec: {} }));
  await cluster.until(Shop, 'a', { status: { plan: 'a at https://other.example.com' } });
  await cluster.close();
});

test('a test gives its fake as before', async () => {
  const cluster = await TestCluster.start({ operator, namespace: 'shop' });
  await cluster.startOperator({ externals: { billing: { plan: () => 'fake' } } });
  await cluster.create(Shop({ metadata: { name: 'a' }, spec: {} }));
  await cluster.until(Shop, 'a', { status: { plan: 'fake' } });
  await cluster.close();
});

test('settings that no part declares, and a promise, are refused in words', async () => {
  const other = settings(z.object({ region: z.string().default('eu') }));
  const cluster = await TestCluster.start({ operator, namespace: 'shop' });
  await expect(cluster.startOperator({ externals: ({ settings: of }) => ({ billing: clientOf(of(other).region) }) })).rejects.toThrow(
    'externals: no part of the operator declares the settings with REGION; write external<T>({ settings: config }), so that manifests have their variables',
  );
  await expect(cluster.startOperator({ externals: (() => undefined) as never })).rejects.toThrow(
    'externals: the function returned no object',
  );
  await cluster.close();
});

test('what is not settings is refused where the external is declared', () => {
  expect(() => external<Billing>({ settings: { url: 'x' } as never })).toThrow('settings: is not made by settings()');
});

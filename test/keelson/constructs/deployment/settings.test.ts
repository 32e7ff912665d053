import { Chart, Testing } from 'cdk8s';
import { defineController, defineCustomResource, defineOperator, type SettingsValues, settings } from 'keelson';
import { Operator, type OperatorProps } from 'keelson/constructs';
import { z } from 'zod';

const Site = defineCustomResource({ group: 'web.example.com', kind: 'Site', versions: { v1: { spec: z.object({}) } } });
const config = settings(
  z.object({ image: z.string().min(3).default('site:1'), zones: z.array(z.string()).optional(), token: z.string(), url: z.string() }),
  { prefix: 'SITE_', secret: ['token'] },
);
const operator = defineOperator({
  name: 'site-operator',
  controllers: [defineController({ name: 'site', for: Site, uses: { config }, reconcile: ({ done }) => done() })],
});
const token = { valueFrom: { secretKeyRef: { name: 'site', key: 'token' } } };

function variables(values: readonly SettingsValues[], change: Partial<OperatorProps> = {}): readonly { readonly name: string }[] {
  const chart = new Chart(Testing.app(), 'chart', { namespace: 'system' });
  new Operator(chart, 'operator', { operator, image: 'a:1', settings: values, ...change });
  const objects = chart.toJson() as { kind: string; spec: { template: { spec: { containers: { env: { name: string }[] }[] } } } }[];
  const [container] = objects.find(({ kind }) => kind === 'Deployment')?.spec.template.spec.containers ?? [];
  return (container?.env ?? []).filter(({ name }) => name.startsWith('SITE_'));
}

test('settings are variables of the container; secrets come from a Secret', () => {
  expect(variables([config.values({ zones: ['a', 'b'], token, url: 'http://x' })])).toEqual([
    { name: 'SITE_ZONES', value: '["a","b"]' },
    { name: 'SITE_TOKEN', valueFrom: token.valueFrom },
    { name: 'SITE_URL', value: 'http://x' },
  ]);
});

test('settings that only a task, a check or an endpoint uses are variables too', () => {
  const every = settings(z.object({ every: z.string() }), { prefix: 'SITE_' });
  const parts = { tasks: { sweep: { uses: { every }, run: () => undefined } } };
  const swept = defineOperator({ name: 'site-operator', customResources: [Site.customResource], ...parts });
  expect(variables([every.values({ every: '1h' })], { operator: swept })).toEqual([{ name: 'SITE_EVERY', value: '1h' }]);
});

test('one that has no default may come from env or envFrom', () => {
  const env = { SITE_URL: 'http://x', SITE_TOKEN: token };
  expect(variables([], { env })).toHaveLength(2);
  expect(variables([], { envFrom: [{ secretRef: { name: 'site' } }] })).toEqual([]);
});

test.each<[string, () => unknown, string]>([
  [
    'a secret in the manifest',
    () => variables([config.values({ token: 'hush', url: 'x' })]),
    'settings.token is a secret, and a manifest would show it; give { valueFrom: { secretKeyRef: { name, key } } }',
  ],
  ['one that is missing', () => variables([config.values({ token })]), 'settings.url is missing: '],
  ['one that the schema refuses', () => variables([config.values({ image: 'x', token, url: 'x' })]), 'settings.image is not usable: '],
  ['one that there is not', () => variables([config.values({ imag: 'x' } as never)]), 'settings.imag: there is no such setting'],
  [
    'one that is given twice',
    () => variables([config.values({ token, url: 'x' })], { env: { SITE_URL: 'y' } }),
    'env.SITE_URL holds a setting that settings gives too; leave one out',
  ],
  [
    'values that are given twice',
    () => variables([config.values({ token, url: 'x' }), config.values({ token, url: 'y' })]),
    'settings: those of image, zones, token, url are given twice',
  ],
  [
    'settings that nothing uses',
    () => variables([settings(z.object({ a: z.string() })).values({})]),
    'settings: no part of the operator uses those of a; name them under uses',
  ],
])('%s is refused', (_, make, message) => {
  expect(make).toThrow(message);
});

import { defineController, defineCustomResource, defineOperator, settings, validating } from 'keelson';
import { Operator } from 'keelson/constructs';
import { defineOperatorPackage } from 'keelson/packaging';
import { z } from 'zod';
import { fileOf, filesOf } from '../chart-files.js';

const config = settings(
  z.object({
    region: z.string().default('eu').describe('Where sites run.'),
    mode: z.enum(['fast', 'safe']).default('safe'),
    zone: z.enum(['a', 'b']).optional(),
    tries: z.number().default(3),
    workers: z.int().min(1).max(16).default(4),
    share: z.number().gt(0).lt(1).default(0.5),
    loud: z.boolean().default(false),
    token: z.string().optional(),
  }),
  { prefix: 'SITE_', secret: ['token'] },
);
const Site = defineCustomResource({ group: 'sites.example.com', kind: 'Site', versions: { v1: { spec: z.object({ size: z.int() }) } } });
const Other = defineCustomResource({ group: 'sites.example.com', kind: 'Other', versions: { v1: { spec: z.object({}) } } });
const operator = defineOperator({
  name: 'site-operator',
  controllers: [defineController({ name: 'site', for: Site, uses: { config }, reconcile: async ({ done }) => done() })],
  webhooks: [validating(Site, () => [])],
  endpoints: { 'site-snapshots': { port: 7000, handle: () => new Response() } },
});
const base = { operator, image: 'registry.example.com/site-operator:1.0.0', version: '1.0.0' } as const;
const chart = defineOperatorPackage(base);
const deploymentOf = (files: Parameters<typeof fileOf>[0], name = 'deployment'): string => fileOf(files, `templates/${name}.yaml`);

test('settings of every type are values: texts, choices, numbers, booleans, Secrets', () => {
  const values = JSON.parse(fileOf(chart, 'values.schema.json')).properties.settings.properties;
  expect(values.mode).toMatchObject({ enum: ['fast', 'safe'], default: 'safe' });
  expect(values.zone).toMatchObject({ enum: ['', 'a', 'b'], default: '' });
  expect(values.tries).toMatchObject({ type: 'number', default: 3 });
  expect(values.workers).toMatchObject({ type: 'integer', minimum: 1, maximum: 16, default: 4 });
  expect(values.share).toMatchObject({ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 });
  const text = deploymentOf(chart);
  expect(text).toContain('- name: SITE_WORKERS\n              value: {{ int64 .Values.settings.workers | quote }}\n');
  expect(text).toContain('- name: SITE_SHARE\n              value: {{ toJson .Values.settings.share | quote }}\n');
  expect(text).toContain('- name: SITE_MODE\n              value: {{ .Values.settings.mode | toJson }}\n');
  expect(text).toContain('{{- if .Values.settings.token.secretName }}');
  expect(text).toContain('key: {{ .Values.settings.token.secretKey | quote }}');
});

test('a number out of the bounds of its setting is refused', () => {
  expect(() => chart.manifests({ settings: { workers: 17 } })).toThrow(/^values\.settings\.workers: /);
});

test('a setting that must be given needs a default of the package', () => {
  const required = settings(z.object({ account: z.string(), limit: z.number() }));
  const demanding = defineOperator({
    name: 'demanding',
    customResources: [Site],
    checks: { up: { uses: { required }, run: () => undefined } },
  });
  expect(() => defineOperatorPackage({ ...base, operator: demanding })).toThrow(
    'settings.account must be given and has no default, and a chart must render as it is; give one with defaults: { settings: { account: … } }',
  );
  const chart = defineOperatorPackage({ ...base, operator: demanding, defaults: { settings: { account: 'main', limit: 5 } } });
  expect(fileOf(chart, 'values.yaml')).toContain('settings:\n  account: main\n  limit: 5\n');
});

test('two settings of one name are refused: the chart has one place for both', () => {
  const check = (uses: object) => ({ uses, run: () => undefined });
  const one = settings(z.object({ region: z.string().default('') }), { prefix: 'ONE_' });
  const two = settings(z.object({ region: z.string().default('') }), { prefix: 'TWO_' });
  const twofold = defineOperator({ name: 'twofold', customResources: [Site], checks: { a: check({ one }), b: check({ two }) } as never });
  expect(() => defineOperatorPackage({ ...base, operator: twofold })).toThrow(
    'settings.region: ONE_REGION and TWO_REGION would be one value of the chart; rename one of the settings',
  );
});

test('names stay short enough for the longest Service of the operator', () => {
  const longest = 63 - '-site-snapshots'.length;
  expect(fileOf(chart, 'templates/_helpers.tpl')).toContain(`| trunc ${longest} |`);
  expect(JSON.parse(fileOf(chart, 'values.schema.json')).properties.fullnameOverride.maxLength).toBe(longest);
});

test('the heap of another operator follows its own memory, not that of the values', () => {
  const chart = defineOperatorPackage({
    ...base,
    extras: (scope, { release, values }) => {
      new Operator(scope, 'other', {
        operator: defineOperator({ name: 'other', customResources: [Other] }),
        name: `${release.name}-other`,
        namespace: release.namespace,
        image: values.image.repository,
        resources: { limits: { memory: '1Gi' } },
      });
    },
  });
  expect(deploymentOf(chart, 'other/deployment')).toContain('value: --max-old-space-size=');
  expect(deploymentOf(chart)).toContain('include "site-operator.nodeOptions"');
});

test('roles for users and webhooks by URL are props that values decide', () => {
  const chart = defineOperatorPackage({
    ...base,
    values: z.object({
      userRoles: z.boolean().default(false).describe('Roles to be bound by you.'),
      webhookHost: z.string().default('').describe('Host that webhooks are called at, without a Service.'),
    }),
    props: ({ values }) => ({
      userRoles: values.userRoles,
      webhooks: values.webhookHost === '' ? undefined : { url: `https://${values.webhookHost}:9443` },
    }),
  });
  const paths = filesOf(chart).map(({ path }) => path);
  expect(paths).toContain('templates/user-roles/sites.sites.example.com/view.yaml');
  expect(fileOf(chart, 'templates/webhook-service.yaml')).toMatch(/^\{\{- if not \.Values\.webhookHost \}\}/);
  expect(fileOf(chart, 'templates/webhooks/validating.yaml')).toContain('url: {{ printf "https://%s:9443/');
});

import { Chart, Testing } from 'cdk8s';
import type { OperatorModel } from 'keelson';
import {
  environmentOf,
  findResource,
  installationOf,
  Operator,
  OperatorRbac,
  WebhookCertificates,
  WebhookConfigurations,
  WebhookService,
} from 'keelson/constructs';
import { fullOperator, plainOperator } from '../models';
import { type AnyManifest, image } from '../synthesized';

const CA = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
const chartOf = (): Chart => new Chart(Testing.app(), 'chart', { namespace: 'system' });
const installed = (webhooks: object, settings: object = {}) =>
  installationOf(chartOf(), { operator: fullOperator, webhooks: webhooks as never, ...settings });

test('webhooks and conversions are called by the URL, and no Service is made for them', () => {
  const chart = chartOf();
  const operator = new Operator(chart, 'operator', { operator: fullOperator, image, webhooks: { url: 'https://op.example.com:9443/' } });
  const manifests = chart.toJson() as AnyManifest[];
  const urls = ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'].flatMap((kind) =>
    (findResource(manifests, kind).webhooks as { clientConfig: { url?: string; service?: object } }[]).map(
      ({ clientConfig }) => clientConfig,
    ),
  );
  expect(urls.map(({ url }) => url)).toEqual(
    ['mutating', 'validating'].flatMap((type) =>
      fullOperator.webhooks.filter((webhook) => webhook.type === type).map(({ path }) => `https://op.example.com:9443${path}`),
    ),
  );
  expect(urls.filter(({ service }) => service !== undefined)).toEqual([]);
  const { conversion } = findResource(manifests, 'CustomResourceDefinition', 'pools.net.example.com').spec;
  expect(conversion.webhook.clientConfig).toEqual({ url: 'https://op.example.com:9443/convert' });
  expect(operator.webhookService).toBeUndefined();
  expect(manifests.filter(({ kind }) => kind === 'Service').map(({ metadata }) => metadata.name)).toEqual([
    expect.stringContaining('-metrics'),
  ]);
});

test('the own certificate is for the host of the URL, an address too, and the process learns all by its environment', () => {
  const environment = environmentOf(installed({ url: 'https://10.0.0.5:9443' }, { metrics: false, leaderElection: false }));
  expect(environment).toMatchObject({
    POD_NAMESPACE: 'system',
    KEELSON_CERTIFICATES: 'selfManaged',
    KEELSON_CERTIFICATE_DNS_NAMES: '10.0.0.5',
    KEELSON_CONVERSION_CRDS: 'pools.net.example.com',
  });
  expect(installed({ url: 'https://[fd00::1]:9443' }, { metrics: false }).certificates?.dnsNames).toEqual(['fd00::1']);
  expect(installed({ url: 'https://Bücher.example' }, { metrics: false }).webhookUrl).toMatchObject({
    url: 'https://xn--bcher-kva.example',
    host: 'xn--bcher-kva.example',
  });
});

test('cert-manager issues for an address as for a name', () => {
  const chart = chartOf();
  const settings = {
    operator: fullOperator,
    webhooks: { url: 'https://10.0.0.5' },
    metrics: false,
    certificates: { certManager: {} },
  } as const;
  new WebhookCertificates(chart, 'certificates', { installation: installationOf(chart, settings) });
  const { spec } = findResource(chart.toJson(), 'Certificate', 'memcached-operator-certificate');
  expect(spec).toMatchObject({ ipAddresses: ['10.0.0.5'] });
  expect(spec).not.toHaveProperty('dnsNames');
});

test('with the authority of another certificate the process neither writes its own into configurations, nor may it', () => {
  const chart = chartOf();
  const installation = installationOf(chart, { operator: fullOperator, webhooks: { url: 'https://proxy.example.com/op', caBundle: CA } });
  new WebhookConfigurations(chart, 'webhooks', { installation });
  const rbac = new OperatorRbac(chart, 'rbac', { installation });
  const [webhook] = findResource(chart.toJson(), 'MutatingWebhookConfiguration').webhooks;
  expect(webhook.clientConfig).toEqual({
    url: expect.stringMatching(/^https:\/\/proxy\.example\.com\/op\/mutate|^https:\/\/proxy\.example\.com\/op\//),
    caBundle: Buffer.from(CA).toString('base64'),
  });
  expect(environmentOf(installation)).not.toHaveProperty('KEELSON_MUTATING_CONFIGURATION');
  expect(rbac.permissions.cluster.flatMap(({ apiGroups = [] }) => apiGroups)).not.toContain('admissionregistration.k8s.io');
  const withCertManager = installed({ url: 'https://a.example', caBundle: CA }, { certificates: { certManager: {} } });
  expect(withCertManager.certificates?.caInjection).toBeUndefined();
});

test.each<[string, object, string]>([
  ['http', { url: 'http://a.example' }, "webhooks.url 'http://a.example' has the scheme http"],
  ['no scheme', { url: 'a.example:9443' }, 'the API server calls webhooks by https alone'],
  ['no host', { url: 'https://' }, 'is not a URL'],
  ['a text', { url: 'somewhere' }, 'is not a URL; write it as https://operator.example.com:9443'],
  ['a user, whose password is not shown', { url: 'https://me:secret@a.example' }, "webhooks.url 'https://…@a.example' holds a user"],
  ['a fragment', { url: 'https://a.example/#top' }, 'has a fragment'],
  ['an empty fragment', { url: 'https://a.example/#' }, 'has a fragment'],
  ['a query', { url: 'https://a.example/?a=b' }, 'has a query'],
  ['no url', {}, 'webhooks.url is missing'],
  ['a bundle that is none', { url: 'https://a.example', caBundle: 'x' }, 'webhooks.caBundle is neither a PEM certificate'],
])('%s is refused', (_, webhooks, message) => {
  expect(() => installed(webhooks)).toThrow(message);
});

test('a Service that nobody would use is refused, and a URL that nobody is called by', () => {
  const installation = installed({ url: 'https://a.example' });
  expect(() => new WebhookService(chartOf(), 'service', { installation })).toThrow('webhooks are called by the URL https://a.example');
  const operator: OperatorModel = { ...plainOperator, webhooks: [] };
  expect(() => installationOf(chartOf(), { operator, webhooks: { url: 'https://a.example' } })).toThrow(
    'webhooks.url is set, but operator',
  );
});

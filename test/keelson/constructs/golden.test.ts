import { spawnSync } from 'node:child_process';
import { Chart, Testing } from 'cdk8s';
import {
  AggregatedRoles,
  CustomResource,
  CustomResourceDefinition,
  installationOf,
  Operator,
  type OperatorProps,
  WebhookConfigurations,
} from 'keelson/constructs';
import { expectGolden } from './golden';
import { fullOperator, memcached, memcachedKind, plainOperator, pool } from './models';

const IMAGE = 'registry.example.com/memcached-operator:0.1.0';

/** A real certificate, for the API server parses it; its key was thrown away. */
const PEM = `-----BEGIN CERTIFICATE-----
MIIBjDCCATGgAwIBAgIUaBdbdZHmcInb/nTRadFRk8K+mKMwCgYIKoZIzj0EAwIw
GjEYMBYGA1UEAwwPa2VlbHNvbiB0ZXN0IENBMCAXDTI2MTEyMTAzMDg1N1oYDzIx
MjYxMDI4MDMwODU3WjAaMRgwFgYDVQQDDA9rZWVsc29uIHRlc3QgQ0EwWTATBgcq
hkjOPQIBBggqhkjOPQMBBwNCAASHnF/ml3rMpR6fqWpvZBKbfhK5e/1Y1nrt651W
Mn2WUhQQ095i3eurpBQI11C+vKO66s5XVM/JprI8zdabkf6ko1MwUTAdBgNVHQ4E
FgQUE3IjhkWxaH9bKcuIHioiMmo7EKYwHwYDVR0jBBgwFoAUE3IjhkWxaH9bKcuI
HioiMmo7EKYwDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNJADBGAiEAytKV
OHPY6J4xAqfIRSj63iHB3CtIjVUpRRu8V5KoQY4CIQDvYd/qqyEe3wWNHVEMWYUD
DQa40iUpjjKVbJ/g+d1J1Q==
-----END CERTIFICATE-----
`;

/** One whole operator per file. Each differs from the defaults in what its name says. */
const OPERATORS: Readonly<Record<string, OperatorProps>> = {
  'operator-plain': { operator: plainOperator, image: IMAGE },
  'operator-open-metrics': { operator: plainOperator, image: IMAGE, metrics: { secure: false }, serviceMonitor: true },
  'operator-self-managed': { operator: fullOperator, image: IMAGE, createNamespace: true },
  'operator-cert-manager': { operator: fullOperator, image: IMAGE, certificates: { certManager: {} } },
  'operator-given-issuer': {
    operator: fullOperator,
    image: IMAGE,
    certificates: { certManager: { issuer: { name: 'platform-ca', kind: 'ClusterIssuer' }, duration: '720h', renewBefore: '240h' } },
    crds: false,
    aggregateRoles: false,
  },
  'operator-secret': { operator: fullOperator, image: IMAGE, certificates: { secret: { name: 'my-tls', caBundle: PEM } } },
  'operator-namespaced': {
    operator: fullOperator,
    image: IMAGE,
    name: 'team-a',
    scope: { namespaces: ['team-a', 'system'] },
    metrics: false,
  },
  'operator-instance': {
    operator: fullOperator,
    image: IMAGE,
    name: 'cache-internal',
    selector: 'class=internal,!legacy',
    crds: false,
    aggregateRoles: false,
  },
  'operator-everything': {
    operator: fullOperator,
    image: `${IMAGE}@sha256:${'a'.repeat(64)}`,
    imagePullPolicy: 'Always',
    imagePullSecrets: [{ name: 'registry' }],
    createNamespace: { podSecurity: 'baseline', metadata: { annotations: { 'example.com/owner': 'cache' } } },
    crds: { descriptions: 'drop' },
    replicas: 3,
    leaderElection: { leaseName: 'cache-lease' },
    metrics: { readers: [{ name: 'prometheus', namespace: 'monitoring' }] },
    ports: { health: 9081, webhook: 10443 },
    logLevel: 'debug',
    labels: { 'app.kubernetes.io/part-of': 'cache' },
    extraRules: { own: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }] },
    env: { REGION: 'eu', TOKEN: { valueFrom: { secretKeyRef: { name: 'token', key: 'token' } } } },
    envFrom: [{ configMapRef: { name: 'settings' } }],
    resources: { requests: { cpu: '100m', memory: '256Mi' }, limits: { memory: '1Gi' } },
    nodeSelector: { 'kubernetes.io/os': 'linux' },
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: 'gpu', operator: 'DoesNotExist' }] }],
        },
      },
    },
    tolerations: [{ key: 'system', operator: 'Exists', effect: 'NoSchedule' }],
    priorityClassName: 'system-cluster-critical',
    terminationGracePeriodSeconds: 60,
    podMetadata: { annotations: { 'example.com/inject': 'false' } },
    podSecurityContext: { fsGroup: undefined },
    securityContext: { runAsNonRoot: true },
    probes: { liveness: { periodSeconds: 30 } },
    command: ['node'],
    args: ['lib/operator.js'],
    volumes: [{ name: 'data', emptyDir: {} }],
    volumeMounts: [{ name: 'data', mountPath: '/data' }],
    containers: [
      {
        name: 'sidecar',
        image: 'registry.example.com/sidecar:1.0.0',
        securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
      },
    ],
    networkPolicy: { metricsFrom: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }] },
    serviceMonitor: { interval: '30s', metadata: { labels: { release: 'prometheus' } } },
    grafanaDashboard: true,
    alerts: { runbook: 'https://wiki.example.com/troubleshooting', metadata: { labels: { release: 'prometheus' } } },
    exemptNamespaces: ['kube-system'],
  },
};

describe('whole operators', () => {
  for (const [name, props] of Object.entries(OPERATORS)) {
    test(name, () => {
      const chart = new Chart(Testing.app(), 'chart', { namespace: 'system' });
      new Operator(chart, 'operator', props);
      expectGolden(chart, `${name}.yaml`);
    });
  }
});

describe('single parts', () => {
  test('a CRD with defaults of null, scale and selectable fields', () => {
    const chart = Testing.chart();
    new CustomResourceDefinition(chart, 'crd', { definition: memcached });
    expectGolden(chart, 'crd-memcached.yaml');
  });

  test('a CRD with two versions and conversion', () => {
    const chart = Testing.chart();
    new CustomResourceDefinition(chart, 'crd', {
      definition: pool,
      conversionWebhook: { serviceName: 'pool-webhook', serviceNamespace: 'system' },
    });
    expectGolden(chart, 'crd-pool.yaml');
  });

  test('a sample', () => {
    const chart = Testing.chart();
    new CustomResource(chart, 'sample', { definition: memcachedKind, metadata: { name: 'sample' }, ...{ spec: { size: 3 } } });
    expectGolden(chart, 'sample-memcached.yaml');
  });

  test('webhooks on kinds of others that fail closed', () => {
    const chart = new Chart(Testing.app(), 'chart', { namespace: 'system' });
    const webhooks = fullOperator.webhooks.map((webhook) => ({ ...webhook, failurePolicy: 'Fail' as const }));
    new WebhookConfigurations(chart, 'webhooks', { installation: installationOf(chart, { operator: { ...fullOperator, webhooks } }) });
    expectGolden(chart, 'webhooks-fail-closed.yaml');
  });

  test('aggregated roles', () => {
    const chart = Testing.chart();
    new AggregatedRoles(chart, 'roles', { definition: memcached });
    expectGolden(chart, 'aggregated-roles.yaml');
  });
});

test('two processes write the same bytes', () => {
  const script = `
    const { App, Chart } = require('cdk8s');
    const { Operator } = require('keelson/constructs');
    const { fullOperator } = require('./models');
    const app = new App();
    new Operator(new Chart(app, 'chart', { namespace: 'system' }), 'operator', { operator: fullOperator, image: 'a/b:1', replicas: 2, grafanaDashboard: true });
    process.stdout.write(app.synthYaml());
  `;
  const run = (): string => {
    const result = spawnSync(process.execPath, ['--import', 'tsx', '-e', script], {
      cwd: __dirname,
      encoding: 'utf8',
      env: { ...process.env, TZ: 'UTC' },
    });
    if (result.status !== 0) throw new Error(result.stderr);
    return result.stdout;
  };
  const first = run();
  expect(first.length).toBeGreaterThan(10_000);
  expect(run()).toBe(first);
});

import { readFileSync } from 'node:fs';
import type { OperatorProps } from 'keelson/constructs';
import { Metrics } from '../../../../src/runtime/telemetry/index.js';
import { plainOperator } from '../models';
import { type AnyManifest, manifestsOf } from '../synthesized';

const runbook = 'https://wiki.example.com/troubleshooting';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

type PrometheusRule = AnyManifest & { readonly spec: { readonly groups: readonly { readonly rules: readonly Rule[] }[] } };

function rulesOf(props: Partial<OperatorProps> = {}): readonly Rule[] {
  const found = manifestsOf({ alerts: { runbook }, ...props }).find(({ kind }) => kind === 'PrometheusRule') as PrometheusRule | undefined;
  return found?.spec.groups.flatMap(({ rules }) => rules) ?? [];
}

const namesOf = (props?: Partial<OperatorProps>): readonly string[] => rulesOf(props).map(({ alert }) => alert);

test('nothing else of the manifests changes with alerts, and nothing without', () => {
  const without = manifestsOf({});
  const others = manifestsOf({ alerts: { runbook } }).filter(({ kind }) => kind !== 'PrometheusRule');
  expect(others).toEqual(without);
  expect(without.map(({ kind }) => kind)).not.toContain('PrometheusRule');
});

test('no rule reads a metric or a label that the runtime does not export', async () => {
  const { registry } = await Metrics.create({ processMetrics: false });
  const exported = new Set(registry.getMetricsAsArray().map(({ name }) => name));
  const labels = new Set(
    registry.getMetricsAsArray().flatMap((metric) => (metric as unknown as { readonly labelNames: readonly string[] }).labelNames),
  );
  const rules = rulesOf();
  expect(rules.length).toBeGreaterThan(8);
  for (const { expr, annotations } of rules) {
    const read = [...expr.matchAll(/([a-z_]+)\{/g)].map(([, name = '']) => name.replace(/_bucket$/, ''));
    expect(read.length).toBeGreaterThan(0);
    expect(read.filter((name) => !exported.has(name))).toEqual([]);
    const shown = [
      ...Object.values(annotations)
        .join(' ')
        .matchAll(/\$labels\.([a-z]+)/g),
    ].map(([, name = '']) => name);
    expect(shown.filter((name) => !labels.has(name))).toEqual([]);
  }
});

test('each selector of each rule is that of this operator alone', () => {
  for (const { expr } of rulesOf({ name: 'cache' }))
    expect(
      [...expr.matchAll(/\{([^}]*)\}/g)].filter(([, by = '']) => !by.startsWith('namespace="system", service="cache-metrics"')),
    ).toEqual([]);
});

test('each alert has a heading of docs/troubleshooting.md, and each heading an alert', () => {
  const page = readFileSync('docs/troubleshooting.md', 'utf8');
  const [, section = ''] = page.split('\n## From an alert\n');
  const headings = [...(section.split('\n## ')[0] ?? '').matchAll(/^### (.+)$/gm)].map(([, heading = '']) => heading);
  const rules = rulesOf();
  expect(headings.toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted());
  for (const { alert, annotations } of rules) expect(annotations['runbook_url']).toBe(`${runbook}#${alert.toLowerCase()}`);
});

test('each alert says how bad it is, of which operator, and waits before it fires', () => {
  for (const rule of rulesOf()) {
    expect(['critical', 'warning']).toContain(rule.labels['severity']);
    expect(rule.labels).toMatchObject({ operator: 'memcached-operator', namespace: 'system' });
    expect(rule.for).toMatch(/^\d+[mh]$/);
    expect(rule.annotations['summary']).toMatch(/^memcached-operator: /);
  }
});

test('an operator gets no rule about parts that it does not have', () => {
  expect(namesOf()).toEqual(expect.arrayContaining(['OperatorNoLeader', 'OperatorWebhookSlow', 'OperatorCertificateExpiring']));
  expect(namesOf({ leaderElection: false })).not.toContain('OperatorNoLeader');
  expect(rulesOf({ leaderElection: false }).filter(({ expr }) => expr.includes('leader_election'))).toEqual([]);
  const plain = namesOf({ operator: plainOperator, metrics: { secure: false } });
  expect(plain.filter((name) => /Webhook|Certificate/.test(name))).toEqual([]);
  const { controllers: _, ...idle } = plainOperator;
  const names = namesOf({ operator: { ...idle, controllers: [] } });
  expect(names.filter((name) => /Reconcil|Deletion|Queue/.test(name))).toEqual([]);
});

test('a certificate that cert-manager has not had to renew yet is no reason for an alert', () => {
  const seconds = (props: Partial<OperatorProps>): string | undefined =>
    rulesOf(props)
      .find(({ alert }) => alert === 'OperatorCertificateExpiring')
      ?.expr.split(' < ')[1];
  expect(seconds({})).toBe('604800');
  expect(seconds({ certificates: { certManager: {} } })).toBe('604800');
  expect(seconds({ certificates: { certManager: { duration: '72h', renewBefore: '24h' } } })).toBe('43200');
});

test.each<[string, Partial<OperatorProps>, RegExp]>([
  ['without metrics', { metrics: false }, /metrics is false: there is nothing to alert on/],
  [
    'with a runbook that is no URL',
    { alerts: { runbook: 'docs/troubleshooting.md' } },
    /runbook is "docs\/troubleshooting.md"; write an http/,
  ],
  ['with a runbook that has an anchor', { alerts: { runbook: `${runbook}#here` } }, /write an http or https URL without #/],
])('alerts %s are refused', (_name, props, message) => {
  expect(() => manifestsOf({ alerts: { runbook }, ...props })).toThrow(message);
});

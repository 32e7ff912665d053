import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { findTool } from '../../scripts/cluster/go-tool.js';
import { DEADLINE_MS } from '../deadline.cjs';
import { manifestsOf } from '../keelson/constructs/synthesized.js';
import { healthy, type Series, seriesTexts } from './alerts/series.js';

const promtool = findTool('promtool');
// In CI the suite must run: without promtool it fails, and says how to build it.
const suite = promtool.found || process.env['CI'] !== undefined ? describe : describe.skip;

const manifests = manifestsOf({ alerts: { runbook: 'https://wiki.example.com/troubleshooting' } });
const rule = manifests.find(({ kind }) => kind === 'PrometheusRule') as unknown as {
  readonly spec: { readonly groups: readonly { readonly rules: readonly { readonly alert: string }[] }[] };
};
const alerts = rule.spec.groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));

/** By alert: the series that the fault changes, from the beginning of two hours on. A rest such as `x30` repeats the step for each minute. */
const FAULTS: Readonly<Record<string, Series | 'no series at all'>> = {
  OperatorDown: 'no series at all',
  OperatorNoLeader: { 'leader_election_master_status{name="op",instance="a"}': '1x20 0x100' },
  OperatorNotReconciling: {
    'workqueue_depth{name="web",controller="web",priority="0",instance="a"}': '0x20 3x100',
    'controller_runtime_reconcile_total{controller="web",result="success",instance="a"}': '0+5x20 100x100',
    'controller_runtime_reconcile_total{controller="web",result="error",instance="a"}': '0x120',
  },
  OperatorReconcileHangs: {
    'keelson_reconciles_unreturned{controller="web",instance="a"}': '0x20 1x100',
    'keelson_controller_ready{controller="web",instance="a"}': '1x20 0x100',
  },
  OperatorReconcileFailing: { 'controller_runtime_reconcile_errors_total{controller="web",instance="a"}': '0x20 1 1 1 1 2+0.2x100' },
  OperatorDeletionStuck: { 'keelson_deletion_longest_seconds{controller="web",instance="a"}': '0x20 0+60x100' },
  OperatorControllerNotReady: { 'keelson_controller_ready{controller="web",instance="a"}': '1x20 0x100' },
  OperatorObjectNotReady: { 'keelson_not_ready_longest_seconds{controller="web",instance="a"}': '0x20 0+60x100' },
  OperatorQueueGrowing: {
    'workqueue_depth{name="web",controller="web",priority="0",instance="a"}': '0x20 0+4x100',
    'controller_runtime_reconcile_total{controller="web",result="success",instance="a"}': '0+5x120',
  },
  OperatorWebhookFailing: { 'controller_runtime_webhook_requests_total{webhook="/mutate",code="500",instance="b"}': '0x20 0+1x100' },
  OperatorWebhookSlow: {
    'controller_runtime_webhook_latency_seconds_bucket{webhook="/mutate",le="2.5",instance="a"}': '0+10x20 200x100',
    'controller_runtime_webhook_latency_seconds_bucket{webhook="/mutate",le="5",instance="a"}': '0+10x20 200+10x100',
  },
  OperatorCertificateExpiring: { 'keelson_certificate_expiry_timestamp_seconds{use="serving",instance="b"}': '600000x120' },
  OperatorCacheBehind: {
    'keelson_cache_failures_total{kind="websites.web.example.com",reason="Forbidden",instance="a"}': '0x20 0+2x100',
  },
};

/** Troubles that pass, and states of a healthy operator that look like faults. */
const HARMLESS: Readonly<Record<string, Series>> = {
  'a run that fails once': { 'controller_runtime_reconcile_errors_total{controller="web",instance="a"}': '0x20 1x100' },
  'a cold start: a queue that is full and comes down': {
    'workqueue_depth{name="web",controller="web",priority="-100",instance="a"}': '5000-200x25 0x95',
  },
  'work that comes after an idle hour, and takes its time': {
    'workqueue_depth{name="web",controller="web",priority="0",instance="a"}': '0x70 8x12 0x40',
    'controller_runtime_reconcile_total{controller="web",result="success",instance="a"}': '0+5x60 300x22 310x40',
  },
  'another leader': {
    'leader_election_master_status{name="op",instance="a"}': '1x20 0x100',
    'leader_election_master_status{name="op",instance="b"}': '0x21 1x100',
    'workqueue_depth{name="web",controller="web",priority="0",instance="b"}': '0+1x23 8 0x100',
    'workqueue_depth{name="web",controller="web",priority="-100",instance="b"}': '40x23 10 0x100',
    'controller_runtime_reconcile_total{controller="web",result="success",instance="b"}': '0x22 20 40+5x100',
  },
  'a watch that is interrupted for a few minutes': {
    'keelson_cache_failures_total{kind="websites.web.example.com",reason="Unavailable",instance="a"}': '0x20 0+6x5 30x95',
  },
  'one error among many reviews': {
    'controller_runtime_webhook_requests_total{webhook="/mutate",code="500",instance="a"}': '0x20 1x100',
  },
  'a kind that goes for ten minutes and comes back': { 'keelson_controller_ready{controller="web",instance="a"}': '1x20 0x10 1x90' },
  'objects that take their time, one after the other': {
    'keelson_not_ready_longest_seconds{controller="web",instance="a"}': `${'0+60x29 '.repeat(4)}`.trim(),
  },
  'deletions that take their time, one after the other': {
    'keelson_deletion_longest_seconds{controller="web",instance="a"}': `${'0+60x9 '.repeat(12)}`.trim(),
  },
};

suite(`alerts in Prometheus${promtool.found ? '' : ` [skipped: ${promtool.reason}]`}`, () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'keelson-alerts-'));
    writeFileSync(join(folder, 'rules.yaml'), stringify(rule.spec));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  function run(...parameters: readonly string[]): { readonly status: number | null; readonly output: string } {
    if (!promtool.found) throw new Error(promtool.reason);
    const { status, stdout, stderr } = spawnSync(promtool.path, [...parameters], { cwd: folder, encoding: 'utf8', timeout: DEADLINE_MS });
    return { status, output: stdout + stderr };
  }

  /** Expects that exactly these alerts have fired by the end of the two hours. */
  function expectFired(series: Series, fired: readonly string[]): void {
    const test = {
      interval: '1m',
      input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
      promql_expr_test: [
        {
          expr: 'count by (alertname) (max_over_time(ALERTS{alertstate="firing"}[2h]))',
          eval_time: '2h',
          exp_samples: fired.map((alert) => ({ labels: `{alertname="${alert}"}`, value: 1 })),
        },
      ],
    };
    writeFileSync(join(folder, 'test.yaml'), stringify({ rule_files: ['rules.yaml'], evaluation_interval: '1m', tests: [test] }));
    const { status, output } = run('test', 'rules', 'test.yaml');
    expect({ status, output }).toEqual({ status: 0, output: expect.stringContaining('SUCCESS') });
  }

  test('promtool has nothing to say of the rules', () => {
    expect(run('check', 'rules', '--lint=all', '--lint-fatal', 'rules.yaml')).toEqual({
      status: 0,
      output: expect.stringContaining(`SUCCESS: ${alerts.length} rules found`),
    });
  });

  test('each alert has a fault', () => {
    expect(Object.keys(FAULTS).toSorted()).toEqual(alerts.toSorted());
  });

  test('none fires in two hours of an operator that is well', () => {
    expectFired(seriesTexts(healthy), []);
  });

  test.each(Object.entries(FAULTS))('%s fires with its fault, and no other alert does', (alert, fault) => {
    expectFired(fault === 'no series at all' ? {} : seriesTexts({ ...healthy, ...fault }), [alert]);
  });

  test.each(Object.entries(HARMLESS))('none fires because of %s', (_, trouble) => {
    expectFired(seriesTexts({ ...healthy, ...trouble }), []);
  });
});

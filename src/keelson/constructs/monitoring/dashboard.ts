import { type MetricModel, metricModelsOf } from '../../definition/index.js';
import type { Installation } from '../installation/index.js';
import { promQl } from './series.js';

/** Size of a panel on Grafana's grid of 24 columns. */
const PANEL = { width: 12, height: 8 } as const;

interface Panel {
  readonly title: string;
  /** Grafana's name of the unit: `ops`, `s`, `short`, `bytes`. */
  readonly unit: string;
  /** Legend to PromQL; see `promQl` for `$by` and `$waiting`. */
  readonly queries: Readonly<Record<string, string>>;
}

/** Metric names and labels are those of controller-runtime: dashboards and alerts made for Go operators carry over. */
const CONTROLLER_PANELS: readonly Panel[] = [
  {
    title: 'Reconciles by result',
    unit: 'ops',
    queries: { '{{controller}} {{result}}': 'sum by (controller, result) (rate(controller_runtime_reconcile_total{$by}[5m]))' },
  },
  {
    title: 'Reconcile errors',
    unit: 'ops',
    queries: {
      '{{controller}}': 'sum by (controller) (rate(controller_runtime_reconcile_errors_total{$by}[5m]))',
      '{{controller}} terminal': 'sum by (controller) (rate(controller_runtime_terminal_reconcile_errors_total{$by}[5m]))',
    },
  },
  {
    title: 'Reconcile time',
    unit: 's',
    queries: {
      '{{controller}} p50':
        'histogram_quantile(0.5, sum by (controller, le) (rate(controller_runtime_reconcile_time_seconds_bucket{$by}[5m])))',
      '{{controller}} p99':
        'histogram_quantile(0.99, sum by (controller, le) (rate(controller_runtime_reconcile_time_seconds_bucket{$by}[5m])))',
    },
  },
  {
    title: 'Workers busy',
    unit: 'short',
    queries: {
      '{{controller}} active': 'sum by (controller) (controller_runtime_active_workers{$by})',
      '{{controller}} limit': 'max by (controller) (controller_runtime_max_concurrent_reconciles{$by})',
    },
  },
  {
    title: 'Time until new objects are ready',
    unit: 's',
    queries: {
      '{{controller}} p50': 'histogram_quantile(0.5, sum by (controller, le) (rate(keelson_object_ready_seconds_bucket{$by}[1h])))',
      '{{controller}} p99': 'histogram_quantile(0.99, sum by (controller, le) (rate(keelson_object_ready_seconds_bucket{$by}[1h])))',
    },
  },
  {
    title: 'Objects that are not ready',
    unit: 'short',
    queries: {
      '{{controller}}': 'max by (controller) (keelson_objects_not_ready{$by})',
      '{{controller}} paused': 'max by (controller) (keelson_paused_objects{$by})',
    },
  },
  { title: 'Queue depth', unit: 'short', queries: { '{{controller}}': '$waiting' } },
  {
    title: 'Time in queue, p99',
    unit: 's',
    queries: {
      '{{controller}}': 'histogram_quantile(0.99, sum by (controller, le) (rate(workqueue_queue_duration_seconds_bucket{$by}[5m])))',
    },
  },
  {
    title: 'Retries',
    unit: 'ops',
    queries: { '{{controller}}': 'sum by (controller) (rate(workqueue_retries_total{$by}[5m]))' },
  },
  {
    title: 'Requests to the API server',
    unit: 'ops',
    queries: { '{{method}} {{code}}': 'sum by (method, code) (rate(rest_client_requests_total{$by}[5m]))' },
  },
  { title: 'Leader', unit: 'short', queries: { '{{pod}}': 'max by (pod) (leader_election_master_status{$by})' } },
  { title: 'Memory', unit: 'bytes', queries: { '{{pod}}': 'process_resident_memory_bytes{$by}' } },
  { title: 'CPU', unit: 'short', queries: { '{{pod}}': 'rate(process_cpu_seconds_total{$by}[5m])' } },
];

const WEBHOOK_PANELS: readonly Panel[] = [
  {
    title: 'Webhook requests',
    unit: 'ops',
    queries: { '{{webhook}} {{code}}': 'sum by (webhook, code) (rate(controller_runtime_webhook_requests_total{$by}[5m]))' },
  },
  {
    title: 'Webhook latency, p99',
    unit: 's',
    queries: {
      '{{webhook}}': 'histogram_quantile(0.99, sum by (webhook, le) (rate(controller_runtime_webhook_latency_seconds_bucket{$by}[5m])))',
    },
  },
];

/** The dashboard's JSON model. The uid is stable, so that a new version replaces the old one and links stay good. */
export function dashboard(installation: Installation): object {
  const panels = [
    ...CONTROLLER_PANELS,
    ...(installation.hasWebhookServer ? WEBHOOK_PANELS : []),
    ...metricModelsOf(installation.model).map(ownPanel),
  ];
  return {
    uid: `${installation.namespace}-${installation.name}`.slice(0, 40), // Grafana takes 40 characters
    title: `${installation.name} (${installation.namespace})`,
    tags: ['operator'],
    schemaVersion: 39,
    time: { from: 'now-1h', to: 'now' },
    refresh: '30s',
    templating: { list: [{ name: 'datasource', type: 'datasource', query: 'prometheus' }] },
    panels: panels.map((panel, index) => panelModel(panel, index, installation)),
  };
}

/** A metric that the operator declares. Each replica counts what it did itself, so counters are added up; of gauges the replicas have the same value, or one has it. */
function ownPanel({ name, help, type, labels }: MetricModel): Panel {
  const by = labels.length === 0 ? '' : ` by (${labels.join(', ')}) `;
  const legend = labels.map((label) => `{{${label}}}`).join(' ') || name;
  switch (type) {
    case 'counter':
      return { title: help, unit: 'ops', queries: { [legend]: `sum${by}(rate(${name}{$by}[5m]))` } };
    case 'gauge':
      return { title: help, unit: unitOf(name), queries: { [legend]: `max${by}(${name}{$by})` } };
    case 'histogram': {
      const buckets = `sum by (${['le', ...labels].join(', ')}) (rate(${name}_bucket{$by}[5m]))`;
      return {
        title: help,
        unit: unitOf(name),
        queries: { [`${legend} p50`]: `histogram_quantile(0.5, ${buckets})`, [`${legend} p99`]: `histogram_quantile(0.99, ${buckets})` },
      };
    }
  }
}

/** As Prometheus' conventions have it, the name of a metric ends with its unit. */
function unitOf(name: string): string {
  if (/_seconds(_total)?$/.test(name)) return 's';
  return /_bytes(_total)?$/.test(name) ? 'bytes' : 'short';
}

function panelModel({ title, unit, queries }: Panel, index: number, installation: Installation): object {
  const perRow = 24 / PANEL.width;
  const datasource = { type: 'prometheus', uid: `\${datasource}` };
  return {
    id: index + 1,
    type: 'timeseries',
    title,
    datasource,
    fieldConfig: { defaults: { unit }, overrides: [] },
    gridPos: { x: (index % perRow) * PANEL.width, y: Math.floor(index / perRow) * PANEL.height, w: PANEL.width, h: PANEL.height },
    targets: Object.entries(queries).map(([legendFormat, query], target) => ({
      refId: String.fromCharCode('A'.charCodeAt(0) + target),
      datasource,
      expr: promQl(query, installation),
      legendFormat,
    })),
  };
}

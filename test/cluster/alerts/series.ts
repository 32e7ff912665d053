/** Values by series, in promtool's notation, a value for each minute. `a`, `b`: instances of the two replicas. */
export type Series = Readonly<Record<string, string>>;

const SELECTED = 'namespace="system",service="memcached-operator-metrics"';

/** Two replicas of an operator: `a` leads and works, the queue of `b` is full of objects that it does not work on. */
export const healthy: Series = {
  'keelson_events_total{result="created",instance="a"}': '0+1x120',
  'keelson_events_total{result="created",instance="b"}': '0x120',
  'leader_election_master_status{name="op",instance="a"}': '1x120',
  'leader_election_master_status{name="op",instance="b"}': '0x120',
  'workqueue_depth{name="web",controller="web",priority="0",instance="a"}': '0 2 0 1 0x116',
  'workqueue_depth{name="web",controller="web",priority="-100",instance="a"}': '0x120',
  'workqueue_depth{name="web",controller="web",priority="0",instance="b"}': '0+1x120',
  'workqueue_depth{name="web",controller="web",priority="-100",instance="b"}': '40x120',
  'controller_runtime_reconcile_total{controller="web",result="success",instance="a"}': '0+5x60 300x60',
  'controller_runtime_reconcile_total{controller="web",result="error",instance="a"}': '0x120',
  'controller_runtime_reconcile_total{controller="web",result="success",instance="b"}': '0x120',
  'controller_runtime_reconcile_errors_total{controller="web",instance="a"}': '0x120',
  'keelson_reconciles_unreturned{controller="web",instance="a"}': '0x120',
  'keelson_deletion_longest_seconds{controller="web",instance="a"}': '0x120',
  'keelson_not_ready_longest_seconds{controller="web",instance="a"}': '0x120',
  'keelson_controller_ready{controller="web",instance="a"}': '1x120',
  'keelson_controller_ready{controller="web",instance="b"}': '1x120',
  'controller_runtime_webhook_requests_total{webhook="/mutate",code="200",instance="a"}': '0+10x120',
  'controller_runtime_webhook_requests_total{webhook="/mutate",code="500",instance="a"}': '0x120',
  'controller_runtime_webhook_requests_total{webhook="/mutate",code="500",instance="b"}': '0x120',
  'controller_runtime_webhook_latency_seconds_bucket{webhook="/mutate",le="2.5",instance="a"}': '0+10x120',
  'controller_runtime_webhook_latency_seconds_bucket{webhook="/mutate",le="5",instance="a"}': '0+10x120',
  'controller_runtime_webhook_latency_seconds_bucket{webhook="/mutate",le="+Inf",instance="a"}': '0+10x120',
  'keelson_certificate_expiry_timestamp_seconds{use="serving",instance="a"}': '5000000x120',
  'keelson_certificate_expiry_timestamp_seconds{use="serving",instance="b"}': '5000000x120',
  'keelson_cache_failures_total{kind="websites.web.example.com",reason="Unavailable",instance="a"}': '0x120',
};

/** The series as Prometheus has them, next to those of another operator, whose state is bad in every way. */
export function seriesTexts(series: Series): Series {
  const ours = Object.entries(series).map(([name, values]) => [name.replace(/\}$/, `,${SELECTED}}`), values]);
  return Object.fromEntries([...ours, ...OTHERS.map(([name, values]) => [name, values])]);
}

const OTHERS: readonly (readonly [string, string])[] = [
  ['leader_election_master_status{name="x",namespace="other",service="x-metrics"}', '0x120'],
  ['controller_runtime_reconcile_errors_total{controller="x",namespace="other",service="x-metrics"}', '0+5x120'],
  ['keelson_deletion_longest_seconds{controller="x",namespace="system",service="x-metrics"}', '9000x120'],
  ['keelson_not_ready_longest_seconds{controller="x",namespace="system",service="x-metrics"}', '9000x120'],
  ['keelson_controller_ready{controller="x",namespace="system",service="x-metrics"}', '0x120'],
];

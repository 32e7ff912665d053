import { type Installation, renewBeforeSeconds } from '../installation/index.js';

export interface AlertRule {
  /** The heading of its part in `docs/troubleshooting.md`. */
  readonly name: string;
  readonly severity: 'critical' | 'warning';
  /** How long the expression must hold before the alert fires, as Prometheus writes durations. */
  readonly lasts: string;
  /** PromQL; see `promQl` for `$by` and `$waiting`. */
  readonly expr: string;
  /** Follows the name of the operator; a template of Prometheus, as the next one is. */
  readonly summary: string;
  readonly description: string;
}

const WEEK_SECONDS = 7 * 86_400;
/** The last bucket of the latency is 10 s: a quantile is never higher, and a threshold near it would not fire. */
const SLOWEST_SECONDS = 5;

const ALWAYS: readonly AlertRule[] = [
  {
    name: 'OperatorDown',
    severity: 'critical',
    lasts: '5m',
    // Each process has this metric from its start, whatever its definition.
    expr: 'absent(keelson_events_total{$by})',
    summary: 'Prometheus reads metrics of no replica',
    description:
      'Either no replica runs, or Prometheus cannot read their metrics. Without a replica nothing is reconciled, and webhooks do not answer.',
  },
  {
    name: 'OperatorCacheBehind',
    severity: 'warning',
    lasts: '15m',
    expr: 'sum by (kind, reason) (increase(keelson_cache_failures_total{$by}[5m])) > 0',
    summary: '{{ $labels.kind }} cannot be read ({{ $labels.reason }})',
    description: 'Lists or watches of {{ $labels.kind }} fail again and again. The operator works with old objects, or waits for them.',
  },
];

const LEADER: AlertRule = {
  name: 'OperatorNoLeader',
  severity: 'critical',
  lasts: '5m',
  expr: 'sum(leader_election_master_status{$by}) != 1',
  summary: '{{ $value }} replicas lead, and one should',
  description: 'Without a leader nothing is reconciled.',
};

const CONTROLLERS: readonly AlertRule[] = [
  {
    name: 'OperatorControllerNotReady',
    severity: 'warning',
    lasts: '15m',
    expr: 'min by (controller) (keelson_controller_ready{$by}) == 0 unless on (controller) sum by (controller) (keelson_reconciles_unreturned{$by}) > 0',
    summary: 'the controller {{ $labels.controller }} cannot work',
    description: 'It waits for a kind that the API server does not serve, or for a right. Its objects are not reconciled; webhooks answer.',
  },
  {
    name: 'OperatorNotReconciling',
    severity: 'critical',
    lasts: '15m',
    expr: '$waiting > 0 and on (controller) sum by (controller) (increase(controller_runtime_reconcile_total{$by}[5m])) == 0',
    summary: 'the controller {{ $labels.controller }} does not reconcile',
    description: '{{ $value }} objects wait, and no run has ended for 15 minutes.',
  },
  {
    name: 'OperatorReconcileHangs',
    severity: 'warning',
    lasts: '5m',
    expr: 'sum by (controller) (keelson_reconciles_unreturned{$by}) > 0',
    summary: 'runs of the controller {{ $labels.controller }} do not return',
    description: '{{ $value }} runs are over their time limit and have not returned. Their objects are not reconciled until they do.',
  },
  {
    name: 'OperatorReconcileFailing',
    severity: 'warning',
    lasts: '15m',
    expr: 'sum by (controller) (increase(controller_runtime_reconcile_errors_total{$by}[10m])) > 0',
    summary: 'runs of the controller {{ $labels.controller }} fail',
    description: 'Runs have failed for 15 minutes. The conditions of the objects and the log say why.',
  },
  {
    name: 'OperatorDeletionStuck',
    severity: 'warning',
    lasts: '5m',
    expr: 'max by (controller) (keelson_deletion_longest_seconds{$by}) > 900',
    summary: 'an object of the controller {{ $labels.controller }} is not deleted',
    description: 'The deletion of an object has waited {{ $value | humanizeDuration }} for the finalizer of the controller.',
  },
  {
    name: 'OperatorObjectNotReady',
    severity: 'warning',
    lasts: '5m',
    expr: 'max by (controller) (keelson_not_ready_longest_seconds{$by}) > 1800',
    summary: 'an object of the controller {{ $labels.controller }} is not ready',
    description:
      'An object has not been ready for {{ $value | humanizeDuration }}. Objects that are paused, or whose users must change them (Stalled), do not count.',
  },
  {
    name: 'OperatorQueueGrowing',
    severity: 'warning',
    lasts: '15m',
    expr: '$waiting > 10 and on (controller) deriv(($waiting)[10m:1m]) > 0',
    summary: 'the queue of the controller {{ $labels.controller }} grows',
    description: '{{ $value }} objects wait, and their number has grown for 15 minutes: changes come faster than they are reconciled.',
  },
];

function webhookRules(timeouts: readonly number[]): readonly AlertRule[] {
  const slow = Math.min(SLOWEST_SECONDS, ...timeouts.map((seconds) => seconds / 2));
  const failed = 'sum by (webhook) (increase(controller_runtime_webhook_requests_total{$by, code=~"5.."}[10m]))';
  return [
    {
      name: 'OperatorWebhookFailing',
      severity: 'critical',
      lasts: '5m',
      expr: `${failed} / sum by (webhook) (increase(controller_runtime_webhook_requests_total{$by}[10m])) > 0.05`,
      summary: 'the webhook {{ $labels.webhook }} fails',
      description:
        '{{ $value | humanizePercentage }} of its requests end with an error of the operator. With failurePolicy Fail, and for conversions, the API server refuses them.',
    },
    {
      name: 'OperatorWebhookSlow',
      severity: 'warning',
      lasts: '10m',
      expr: `histogram_quantile(0.99, sum by (webhook, le) (rate(controller_runtime_webhook_latency_seconds_bucket{$by}[10m]))) > ${slow}`,
      summary: 'the webhook {{ $labels.webhook }} is slow',
      description:
        'One of a hundred requests takes {{ $value | humanizeDuration }} or longer. Each of them delays a request to the API server, which gives up at the timeout.',
    },
  ];
}

/** A week before the end, or later where cert-manager has not had to renew by then. */
function certificateRule(certificates: NonNullable<Installation['certificates']>): AlertRule {
  const seconds = Math.min(WEEK_SECONDS, (renewBeforeSeconds(certificates) ?? Number.POSITIVE_INFINITY) / 2);
  return {
    name: 'OperatorCertificateExpiring',
    severity: 'warning',
    lasts: '1h',
    expr: `min by (use) (keelson_certificate_expiry_timestamp_seconds{$by}) - time() < ${seconds}`,
    summary: 'the {{ $labels.use }} certificate ends soon',
    description:
      'The certificate ends in {{ $value | humanizeDuration }}, and has not been renewed. After that no webhook answers, and metrics cannot be read.',
  };
}

/** The rules that fit the installation: an operator without webhooks gets none about them. */
export function alertRules({ certificates, hasWebhookServer, leaseName, model }: Installation): readonly AlertRule[] {
  return [
    ...ALWAYS,
    ...(leaseName === undefined ? [] : [LEADER]),
    ...(model.controllers.length === 0 ? [] : CONTROLLERS),
    ...(hasWebhookServer ? webhookRules(model.webhooks.map(({ timeoutSeconds }) => timeoutSeconds)) : []),
    ...(certificates === undefined ? [] : [certificateRule(certificates)]),
  ];
}

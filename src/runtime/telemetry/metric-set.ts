import type { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { LATENCY_BUCKETS, QUEUE_BUCKETS, RECONCILE_BUCKETS, REQUEST_BUCKETS } from './buckets.js';
import type { QueueGauges } from './observers.js';

export type PromClient = Pick<typeof import('prom-client'), 'Counter' | 'Gauge' | 'Histogram' | 'Registry' | 'collectDefaultMetrics'>;

/** The lanes of a queue as controller-runtime's priorities: what the initial list and resyncs bring has -100 there. */
const PRIORITIES = { fresh: '0', slow: '-100' } as const;

export interface MetricSources {
  /** Queues by controller, asked when metrics are read. */
  readonly queues: ReadonlyMap<string, QueueGauges>;
}

/**
 * All metrics with controller-runtime's names, labels and buckets, so that dashboards and alerts made for Go operators carry over; our own begin with `keelson_`.
 *
 * No label holds what objects are called (H66).
 */
export class MetricSet {
  readonly #prom: PromClient;
  readonly #registers: Registry[];
  readonly reconciles: Counter<'controller' | 'result'>;
  readonly reconcileErrors: Counter<'controller'>;
  readonly terminalErrors: Counter<'controller'>;
  readonly reconcilePanics: Counter<'controller'>;
  readonly reconcileTimeouts: Counter<'controller'>;
  readonly reconcileSeconds: Histogram<'controller'>;
  readonly maxConcurrent: Gauge<'controller'>;
  readonly activeWorkers: Gauge<'controller'>;
  readonly queueAdds: Counter<'name' | 'controller'>;
  readonly queueRetries: Counter<'name' | 'controller'>;
  readonly queueSeconds: Histogram<'name' | 'controller'>;
  readonly workSeconds: Histogram<'name' | 'controller'>;
  readonly requests: Counter<'code' | 'method' | 'host'>;
  readonly requestSeconds: Histogram<'verb' | 'host'> | undefined;
  readonly webhookSeconds: Histogram<'webhook'>;
  readonly webhookRequests: Counter<'webhook' | 'code'>;
  readonly webhooksInFlight: Gauge<'webhook'>;
  readonly webhookPanics: Counter;
  readonly conversionPanics: Counter;
  readonly leading: Gauge<'name'>;
  readonly leaderSlowPaths: Counter<'name'>;
  readonly certificateReads: Counter;
  readonly certificateReadErrors: Counter;
  readonly certificateExpiry: Gauge<'use'>;
  readonly cachedObjects: Gauge<'kind'>;
  readonly cacheLists: Counter<'kind'>;
  readonly cacheWatches: Counter<'kind'>;
  readonly cacheFailures: Counter<'kind' | 'reason'>;
  readonly cacheChanges: Counter<'kind' | 'type'>;
  readonly invalidObjects: Counter<'kind'>;
  readonly events: Counter<'result'>;

  constructor(prom: PromClient, registry: Registry, options: MetricSources & { readonly requestDurations: boolean }) {
    this.#prom = prom;
    this.#registers = [registry];
    const byController = ['controller'] as const;
    this.reconciles = this.#counter('controller_runtime_reconcile_total', 'Reconciles by controller and result', ['controller', 'result']);
    this.reconcileErrors = this.#counter('controller_runtime_reconcile_errors_total', 'Reconciles that failed', byController);
    this.terminalErrors = this.#counter(
      'controller_runtime_terminal_reconcile_errors_total',
      'Reconciles that failed for good: not retried before the object changes',
      byController,
    );
    this.reconcilePanics = this.#counter('controller_runtime_reconcile_panics_total', 'Reconciles that broke off', byController);
    this.reconcileTimeouts = this.#counter('controller_runtime_reconcile_timeouts_total', 'Reconciles over their time limit', byController);
    this.reconcileSeconds = this.#histogram('controller_runtime_reconcile_time_seconds', 'Duration of reconciles', {
      labels: byController,
      buckets: RECONCILE_BUCKETS,
    });
    this.maxConcurrent = this.#gauge('controller_runtime_max_concurrent_reconciles', 'Reconciles that may run at once', byController);
    this.activeWorkers = this.#gauge('controller_runtime_active_workers', 'Reconciles that run now', byController);

    const byQueue = ['name', 'controller'] as const;
    this.queueAdds = this.#counter('workqueue_adds_total', 'Additions to the queue', byQueue);
    this.queueRetries = this.#counter('workqueue_retries_total', 'Keys that were queued for another try', byQueue);
    this.queueSeconds = this.#histogram('workqueue_queue_duration_seconds', 'Time that a key waits for a worker', {
      labels: byQueue,
      buckets: QUEUE_BUCKETS,
    });
    this.workSeconds = this.#histogram('workqueue_work_duration_seconds', 'Time that the work on a key takes', {
      labels: byQueue,
      buckets: QUEUE_BUCKETS,
    });
    this.#queueGauges(options.queues);

    this.requests = this.#counter('rest_client_requests_total', 'Requests to the API server by status, method and host', [
      'code',
      'method',
      'host',
    ]);
    this.requestSeconds = options.requestDurations
      ? this.#histogram('rest_client_request_duration_seconds', 'Time from a request to the headers of its answer', {
          labels: ['verb', 'host'],
          buckets: REQUEST_BUCKETS,
        })
      : undefined;

    this.webhookSeconds = this.#histogram('controller_runtime_webhook_latency_seconds', 'Duration of admission and conversion requests', {
      labels: ['webhook'],
      buckets: LATENCY_BUCKETS,
    });
    this.webhookRequests = this.#counter('controller_runtime_webhook_requests_total', 'Admission and conversion requests by status', [
      'webhook',
      'code',
    ]);
    this.webhooksInFlight = this.#gauge('controller_runtime_webhook_requests_in_flight', 'Requests being served', ['webhook']);
    this.webhookPanics = this.#counter('controller_runtime_webhook_panics_total', 'Admission handlers that broke off', []);
    this.conversionPanics = this.#counter('controller_runtime_conversion_webhook_panics_total', 'Conversions that broke off', []);

    this.leading = this.#gauge('leader_election_master_status', '1 for who holds the Lease, 0 for who waits for it', ['name']);
    this.leaderSlowPaths = this.#counter('leader_election_slowpath_total', 'Renewals that had to read the Lease first', ['name']);
    this.certificateReads = this.#counter('certwatcher_read_certificate_total', 'Readings of the serving certificate', []);
    this.certificateReadErrors = this.#counter('certwatcher_read_certificate_errors_total', 'Readings that failed', []);
    this.certificateExpiry = this.#gauge('keelson_certificate_expiry_timestamp_seconds', 'When the certificate in use ends', ['use']);

    const byKind = ['kind'] as const;
    this.cachedObjects = this.#gauge('keelson_cache_objects', 'Objects that informers of the kind hold', byKind);
    this.cacheLists = this.#counter('keelson_cache_lists_total', 'Complete lists; more than one per informer are relists', byKind);
    this.cacheWatches = this.#counter('keelson_cache_watches_total', 'Watches that were opened', byKind);
    this.cacheFailures = this.#counter('keelson_cache_failures_total', 'Lists and watches that failed', ['kind', 'reason']);
    this.cacheChanges = this.#counter('keelson_cache_changes_total', 'Changes that listeners were told', ['kind', 'type']);
    this.invalidObjects = this.#counter('keelson_cache_invalid_objects_total', 'Objects that could not be taken in', byKind);
    this.events = this.#counter('keelson_events_total', 'Events by what became of them', ['result']);
  }

  #queueGauges(queues: MetricSources['queues']): void {
    this.#gauge('workqueue_depth', 'Keys that wait for a worker', ['name', 'controller', 'priority'], (gauge) => {
      for (const [controller, queue] of queues)
        for (const [lane, priority] of Object.entries(PRIORITIES))
          gauge.set({ name: controller, controller, priority }, queue.depthOf(lane as keyof typeof PRIORITIES));
    });
    const running = (name: string, help: string, of: (ms: readonly number[]) => number): void => {
      this.#gauge(name, help, ['name', 'controller'], (gauge) => {
        for (const [controller, queue] of queues) gauge.set({ name: controller, controller }, of(queue.runningMs()) / 1_000);
      });
    };
    running('workqueue_unfinished_work_seconds', 'Time spent on keys that are still worked on, summed up', (ms) =>
      ms.reduce((sum, one) => sum + one, 0),
    );
    running('workqueue_longest_running_processor_seconds', 'Time spent on the key that is worked on for longest', (ms) =>
      ms.reduce((longest, one) => Math.max(longest, one), 0),
    );
  }

  #counter<T extends string>(name: string, help: string, labelNames: readonly T[]): Counter<T> {
    return new this.#prom.Counter<T>({ name, help, labelNames: [...labelNames], registers: this.#registers });
  }

  #gauge<T extends string>(name: string, help: string, labelNames: readonly T[], read?: (gauge: Gauge<T>) => void): Gauge<T> {
    const gauge: Gauge<T> = new this.#prom.Gauge<T>({
      name,
      help,
      labelNames: [...labelNames],
      registers: this.#registers,
      ...(read === undefined
        ? {}
        : {
            collect: () => {
              gauge.reset(); // a queue that is gone has no depth
              read(gauge);
            },
          }),
    });
    return gauge;
  }

  #histogram<T extends string>(
    name: string,
    help: string,
    { labels, buckets }: { readonly labels: readonly T[]; readonly buckets: readonly number[] },
  ): Histogram<T> {
    return new this.#prom.Histogram<T>({ name, help, labelNames: [...labels], buckets: [...buckets], registers: this.#registers });
  }
}

import type { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { LATENCY_BUCKETS, QUEUE_BUCKETS, READY_BUCKETS, RECONCILE_BUCKETS, REQUEST_BUCKETS } from './buckets.js';
import { MetricMaker, type PromClient } from './metric-maker.js';
import type { DeletionGauge, NamesGauges, NotReadyGauge, QueueGauges } from './observers.js';

/** The lanes of a queue as controller-runtime's priorities: what the initial list and resyncs bring has -100 there. */
const PRIORITIES = { fresh: '0', slow: '-100' } as const;

const BY_CONTROLLER = ['controller'] as const;
const BY_QUEUE = ['name', 'controller'] as const;
const BY_KIND = ['kind'] as const;

export interface MetricSources {
  /** Queues by controller, asked when metrics are read. */
  readonly queues: ReadonlyMap<string, QueueGauges>;
  /** Deletions by controller, asked when metrics are read. */
  readonly deletions: ReadonlyMap<string, DeletionGauge>;
  /** Objects that are not ready by controller, asked when metrics are read. */
  readonly notReady: ReadonlyMap<string, NotReadyGauge>;
  readonly names: readonly NamesGauges[];
  /** Whether controllers can work, by name, asked when metrics are read. */
  readonly controllers: ReadonlyMap<string, () => boolean>;
}

/**
 * All metrics with controller-runtime's names, labels and buckets, so that dashboards and alerts made for Go operators carry over; our own begin with `keelson_`.
 *
 * No label holds what objects are called (H66).
 */
export class MetricSet extends MetricMaker {
  readonly reconciles: Counter<'controller' | 'result'> = this.counter(
    'controller_runtime_reconcile_total',
    'Reconciles by controller and result',
    ['controller', 'result'],
  );
  readonly reconcileErrors: Counter<'controller'> = this.counter(
    'controller_runtime_reconcile_errors_total',
    'Reconciles that failed',
    BY_CONTROLLER,
  );
  readonly terminalErrors: Counter<'controller'> = this.counter(
    'controller_runtime_terminal_reconcile_errors_total',
    'Reconciles that failed for good: not retried before the object changes',
    BY_CONTROLLER,
  );
  readonly reconcilePanics: Counter<'controller'> = this.counter(
    'controller_runtime_reconcile_panics_total',
    'Reconciles that broke off',
    BY_CONTROLLER,
  );
  readonly reconcileTimeouts: Counter<'controller'> = this.counter(
    'controller_runtime_reconcile_timeouts_total',
    'Reconciles over their time limit',
    BY_CONTROLLER,
  );
  readonly unreturnedReconciles: Gauge<'controller'> = this.gauge(
    'keelson_reconciles_unreturned',
    'Reconciles that were given up, and whose functions have not returned',
    BY_CONTROLLER,
  );
  readonly readySeconds: Histogram<'controller'> = this.histogram(
    'keelson_object_ready_seconds',
    'Time from the creation of an object until it is ready for the first time',
    { labels: BY_CONTROLLER, buckets: READY_BUCKETS },
  );
  readonly pausedObjects: Gauge<'controller'> = this.gauge('keelson_paused_objects', 'Objects that are paused', BY_CONTROLLER);
  readonly reconcileSeconds: Histogram<'controller'> = this.histogram(
    'controller_runtime_reconcile_time_seconds',
    'Duration of reconciles',
    {
      labels: BY_CONTROLLER,
      buckets: RECONCILE_BUCKETS,
    },
  );
  readonly maxConcurrent: Gauge<'controller'> = this.gauge(
    'controller_runtime_max_concurrent_reconciles',
    'Reconciles that may run at once',
    BY_CONTROLLER,
  );
  readonly activeWorkers: Gauge<'controller'> = this.gauge('controller_runtime_active_workers', 'Reconciles that run now', BY_CONTROLLER);
  readonly queueAdds: Counter<'name' | 'controller'> = this.counter('workqueue_adds_total', 'Additions to the queue', BY_QUEUE);
  readonly queueRetries: Counter<'name' | 'controller'> = this.counter(
    'workqueue_retries_total',
    'Keys that were queued for another try',
    BY_QUEUE,
  );
  readonly queueSeconds: Histogram<'name' | 'controller'> = this.histogram(
    'workqueue_queue_duration_seconds',
    'Time that a key waits for a worker',
    {
      labels: BY_QUEUE,
      buckets: QUEUE_BUCKETS,
    },
  );
  readonly workSeconds: Histogram<'name' | 'controller'> = this.histogram(
    'workqueue_work_duration_seconds',
    'Time that the work on a key takes',
    {
      labels: BY_QUEUE,
      buckets: QUEUE_BUCKETS,
    },
  );
  readonly requests: Counter<'code' | 'method' | 'host'> = this.counter(
    'rest_client_requests_total',
    'Requests to the API server by status, method and host',
    ['code', 'method', 'host'],
  );
  readonly droppedSeries: Counter<'metric'> = this.counter(
    'keelson_metric_series_dropped_total',
    "Label sets of the operator's own metrics that were not recorded, because the metric has as many as it may",
    ['metric'],
  );
  readonly requestSeconds: Histogram<'verb' | 'host'> | undefined;
  readonly webhookSeconds: Histogram<'webhook'> = this.histogram(
    'controller_runtime_webhook_latency_seconds',
    'Duration of admission and conversion requests',
    {
      labels: ['webhook'],
      buckets: LATENCY_BUCKETS,
    },
  );
  readonly webhookRequests: Counter<'webhook' | 'code'> = this.counter(
    'controller_runtime_webhook_requests_total',
    'Admission and conversion requests by status',
    ['webhook', 'code'],
  );
  readonly webhooksInFlight: Gauge<'webhook'> = this.gauge('controller_runtime_webhook_requests_in_flight', 'Requests being served', [
    'webhook',
  ]);
  readonly webhookPanics: Counter = this.counter('controller_runtime_webhook_panics_total', 'Admission handlers that broke off', []);
  readonly conversionPanics: Counter = this.counter('controller_runtime_conversion_webhook_panics_total', 'Conversions that broke off', []);
  readonly leading: Gauge<'name'> = this.gauge(
    'leader_election_master_status',
    '1 for the replica that holds the Lease, 0 for one that waits for it',
    ['name'],
  );
  readonly leaderSlowPaths: Counter<'name'> = this.counter('leader_election_slowpath_total', 'Renewals that had to read the Lease first', [
    'name',
  ]);
  readonly certificateReads: Counter = this.counter('certwatcher_read_certificate_total', 'Readings of the serving certificate', []);
  readonly certificateReadErrors: Counter = this.counter('certwatcher_read_certificate_errors_total', 'Readings that failed', []);
  readonly certificateExpiry: Gauge<'use'> = this.gauge(
    'keelson_certificate_expiry_timestamp_seconds',
    'When the certificate in use ends',
    ['use'],
  );
  readonly cachedObjects: Gauge<'kind'> = this.gauge('keelson_cache_objects', 'Objects that informers of the kind hold', BY_KIND);
  readonly cacheLists: Counter<'kind'> = this.counter(
    'keelson_cache_lists_total',
    'Complete lists; more than one per informer are relists',
    BY_KIND,
  );
  readonly cacheWatches: Counter<'kind'> = this.counter('keelson_cache_watches_total', 'Watches that were opened', BY_KIND);
  readonly cacheFailures: Counter<'kind' | 'reason'> = this.counter('keelson_cache_failures_total', 'Lists and watches that failed', [
    'kind',
    'reason',
  ]);
  readonly cacheChanges: Counter<'kind' | 'type'> = this.counter('keelson_cache_changes_total', 'Changes that listeners received', [
    'kind',
    'type',
  ]);
  readonly invalidObjects: Counter<'kind'> = this.counter(
    'keelson_cache_invalid_objects_total',
    'Objects that could not be taken in',
    BY_KIND,
  );
  readonly externalCalls: Counter<'external' | 'method' | 'result'> = this.counter(
    'keelson_external_calls_total',
    'Calls of externals by result; aborted is what the own signal of a call has ended',
    ['external', 'method', 'result'],
  );
  readonly externalSeconds: Histogram<'external' | 'method' | 'result'> = this.histogram(
    'keelson_external_call_duration_seconds',
    'Duration of calls of externals',
    { labels: ['external', 'method', 'result'], buckets: LATENCY_BUCKETS },
  );
  readonly pollReads: Counter<'controller' | 'source' | 'result'> = this.counter(
    'keelson_poll_reads_total',
    'Reads of polled values by result',
    ['controller', 'source', 'result'],
  );
  readonly subscriptionFailures: Counter<'controller' | 'source'> = this.counter(
    'keelson_subscription_failures_total',
    'Ends of subscriptions that were not asked for',
    ['controller', 'source'],
  );
  readonly backgroundActive: Gauge<'controller' | 'name'> = this.gauge(
    'keelson_background_active',
    'Background work that has not returned',
    ['controller', 'name'],
  );
  readonly backgroundEnds: Counter<'controller' | 'name' | 'phase'> = this.counter(
    'keelson_background_ended_total',
    'Background work that has ended, by how it ended',
    ['controller', 'name', 'phase'],
  );
  readonly taskRuns: Counter<'task' | 'result'> = this.counter('keelson_task_runs_total', 'Runs of tasks by result', ['task', 'result']);
  readonly taskSeconds: Histogram<'task'> = this.histogram('keelson_task_duration_seconds', 'Duration of runs of tasks', {
    labels: ['task'],
    buckets: RECONCILE_BUCKETS,
  });
  readonly rewrittenObjects: Counter<'crd' | 'result'> = this.counter(
    'keelson_stored_objects_rewritten_total',
    'Stored objects that were written for the storage version of their CRD',
    ['crd', 'result'],
  );
  readonly missingFields: Gauge<'crd'> = this.gauge(
    'keelson_crd_missing_fields',
    'Fields of the definitions that the CustomResourceDefinition on the cluster lacks; the leader looks',
    ['crd'],
  );
  readonly takeovers: Counter<'controller' | 'what'> = this.counter(
    'keelson_takeovers_total',
    'Things that stood on objects under a former name and became the own ones of a controller',
    ['controller', 'what'],
  );
  readonly events: Counter<'result'> = this.counter('keelson_events_total', 'Events by what became of them', ['result']);

  constructor(prom: PromClient, registry: Registry, options: MetricSources & { readonly requestDurations: boolean }) {
    super(prom, registry);
    this.requestSeconds = options.requestDurations
      ? this.histogram('rest_client_request_duration_seconds', 'Time from a request to the headers of its answer', {
          labels: ['verb', 'host'],
          buckets: REQUEST_BUCKETS,
        })
      : undefined;
    this.#queueGauges(options.queues);
    this.gauge(
      'keelson_controller_ready',
      '1 for a controller that can work, 0 for one that waits for a kind, a right, or a run that does not return',
      BY_CONTROLLER,
      (gauge) => {
        for (const [controller, isReady] of options.controllers) gauge.set({ controller }, isReady() ? 1 : 0);
      },
    );
    this.#deletionGauge(options.deletions);
    this.#notReadyGauges(options.notReady);
    this.#namesGauges(options.names);
  }

  #namesGauges(names: MetricSources['names']): void {
    const left = 'Objects that may still carry a former name of the controller, on the replica that leads';
    this.gauge('keelson_former_names_left', left, BY_CONTROLLER, (gauge) => {
      for (const one of names)
        for (const [controller, count] of one.formerLeft()) if (count !== undefined) gauge.set({ controller }, count);
    });
    const strays = (name: string, help: string, what: 'finalizer' | 'child'): void => {
      this.gauge(name, help, BY_KIND, (gauge) => {
        for (const one of names) for (const [kind, count] of one.strays(what)) gauge.set({ kind }, count);
      });
    };
    strays('keelson_stray_finalizers', "Objects with a finalizer of the operator's own group that no controller has", 'finalizer');
    strays('keelson_stray_children', 'Children that were applied by a controller which the operator does not have', 'child');
  }

  #deletionGauge(deletions: MetricSources['deletions']): void {
    const help = "Age of the deletion that waits longest for the controller's finalizer; 0 if none waits";
    this.gauge('keelson_deletion_longest_seconds', help, BY_CONTROLLER, (gauge) => {
      for (const [controller, deletion] of deletions) gauge.set({ controller }, deletion.longestMs() / 1_000);
    });
  }

  #notReadyGauges(notReady: MetricSources['notReady']): void {
    this.gauge(
      'keelson_objects_not_ready',
      'Objects that are not ready; those that are paused or stalled do not count',
      BY_CONTROLLER,
      (gauge) => {
        for (const [controller, objects] of notReady) gauge.set({ controller }, objects.read().count);
      },
    );
    const help = 'Time for which the object that has not been ready for longest has not been ready; 0 if all are';
    this.gauge('keelson_not_ready_longest_seconds', help, BY_CONTROLLER, (gauge) => {
      for (const [controller, objects] of notReady) gauge.set({ controller }, objects.read().longestMs / 1_000);
    });
  }

  #queueGauges(queues: MetricSources['queues']): void {
    this.gauge('workqueue_depth', 'Keys that wait for a worker', ['name', 'controller', 'priority'], (gauge) => {
      for (const [controller, queue] of queues)
        for (const [lane, priority] of Object.entries(PRIORITIES))
          gauge.set({ name: controller, controller, priority }, queue.depthOf(lane as keyof typeof PRIORITIES));
    });
    const running = (name: string, help: string, of: (ms: readonly number[]) => number): void => {
      this.gauge(name, help, BY_QUEUE, (gauge) => {
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
}

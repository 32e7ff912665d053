import { type KindInfo, nameInGroup } from '@keelson/kubernetes/apimachinery';
import { type Logger, type MetricModel, RUNTIME_CONTRACT } from 'keelson/internal/definition';
import type { Registry } from 'prom-client';
import type { CacheObserver } from '../cache/index.js';
import type { EventObserver } from '../events/index.js';
import type { AttemptReport } from '../http/index.js';
import type { LeaderObserver } from '../leader/index.js';
import type { MigrationObserver } from '../migration/index.js';
import type { OutsideObserver } from '../outside/index.js';
import type { QueueObserver } from '../queue/index.js';
import type { SchemaReviewObserver } from '../served-schemas/index.js';
import type { PromClient } from './metric-maker.js';
import { MetricSet } from './metric-set.js';
import type {
  CertificateObserver,
  DeletionGauge,
  NamesGauges,
  NotReadyGauge,
  QueueGauges,
  ReconcileEnd,
  ReconcileObserver,
  TaskObserver,
  WebhookObserver,
} from './observers.js';
import { ownMetric } from './own-metric.js';

export interface MetricsOptions {
  /**
   * Whether `process_*` and `nodejs_*` are measured too.
   * @defaultValue true — false for operators beside others in one process: prom-client's observers of the garbage collector cannot be stopped
   */
  readonly processMetrics?: boolean | undefined;
  /** Whether `rest_client_request_duration_seconds` is measured. @defaultValue false, as controller-runtime: many series for a rare question */
  readonly requestDurations?: boolean | undefined;
}

const RECONCILE_RESULTS = ['success', 'error', 'requeue', 'requeue_after'] as const;
const CHANGE_TYPES = ['added', 'modified', 'deleted'] as const;
const EVENT_RESULTS = ['created', 'series', 'dropped', 'failed'] as const;

/** Stands for a path that no webhook has: a caller that reaches the port must not be able to make series (H66). */
const OTHER_PATH = 'other';

/**
 * Counts the reports of the stations, in a registry of its own.
 *
 * Flow: {@link create}; one observer per station; {@link text} for readers.
 * Guarantees: every series that is known beforehand exists with 0 from the beginning, so that a first error is an increase; the number of series depends on
 * controllers, kinds and webhooks, never on objects (H66); observers never throw.
 * Own metrics of an operator are registered with {@link registry}: `new Counter({ ..., registers: [metrics.registry] })`.
 */
export class Metrics {
  readonly registry: Registry;
  readonly #set: MetricSet;
  readonly #prom: PromClient;
  readonly #queues = new Map<string, QueueGauges>();
  readonly #deletions = new Map<string, DeletionGauge>();
  readonly #notReady = new Map<string, NotReadyGauge>();
  readonly #names: NamesGauges[] = [];
  readonly #controllers = new Map<string, () => boolean>();

  private constructor(prom: PromClient, { processMetrics = true, requestDurations = false }: MetricsOptions) {
    this.#prom = prom;
    this.registry = new prom.Registry();
    this.#set = new MetricSet(prom, this.registry, {
      queues: this.#queues,
      deletions: this.#deletions,
      notReady: this.#notReady,
      names: this.#names,
      controllers: this.#controllers,
      requestDurations,
    });
    for (const result of EVENT_RESULTS) this.#set.events.inc({ result }, 0);
    if (processMetrics) prom.collectDefaultMetrics({ register: this.registry });
  }

  /** Loads prom-client, which takes longer than all the rest of the runtime: programs that only import the runtime do not pay for it. */
  static async create(options: MetricsOptions = {}): Promise<Metrics> {
    return new Metrics(await import('prom-client'), options);
  }

  /** All metrics in Prometheus' text format. @throws what the `collect` of an own metric throws */
  async text(): Promise<{ readonly contentType: string; readonly body: string }> {
    return { contentType: this.registry.contentType, body: await this.registry.metrics() };
  }

  /** A metric that the operator declares, as its functions have it. */
  own(model: MetricModel, log: Logger): object {
    const { droppedSeries } = this.#set;
    droppedSeries.inc({ metric: model.name }, 0);
    return ownMetric({ model, prom: this.#prom, registry: this.registry, log, dropped: () => droppedSeries.inc({ metric: model.name }) });
  }

  /** @param concurrency reconciles that may run at once */
  reconcileObserver(controller: string, concurrency: number): ReconcileObserver {
    const { reconciles, reconcileErrors, terminalErrors, reconcilePanics, reconcileTimeouts, ...set } = this.#set;
    const labels = { controller };
    for (const result of RECONCILE_RESULTS) reconciles.inc({ controller, result }, 0);
    for (const counter of [reconcileErrors, terminalErrors, reconcilePanics, reconcileTimeouts]) counter.inc(labels, 0);
    set.reconcileSeconds.zero(labels);
    set.maxConcurrent.set(labels, concurrency);
    set.activeWorkers.set(labels, 0);
    set.unreturnedReconciles.set(labels, 0);
    set.pausedObjects.set(labels, 0);
    set.readySeconds.zero(labels);
    return {
      started: () => set.activeWorkers.inc(labels),
      finished: (_, end, seconds) => {
        set.activeWorkers.dec(labels);
        set.reconcileSeconds.observe(labels, secondsOf(seconds));
        reconciles.inc({ controller, result: resultOf(end) });
        if (end === 'error' || end === 'terminal') reconcileErrors.inc(labels);
        if (end === 'terminal') terminalErrors.inc(labels);
      },
      panicked: () => reconcilePanics.inc(labels),
      timedOut: () => reconcileTimeouts.inc(labels),
      left: () => set.unreturnedReconciles.inc(labels),
      returned: () => set.unreturnedReconciles.dec(labels),
      paused: (_, objects) => set.pausedObjects.set(labels, objects),
      becameReady: (_, seconds) => set.readySeconds.observe(labels, seconds),
      tookOver: (_, what) => set.takeovers.inc({ controller, what }),
    };
  }

  queueObserver(controller: string): QueueObserver {
    const { queueAdds, queueRetries, queueSeconds, workSeconds } = this.#set;
    const labels = { name: controller, controller };
    for (const counter of [queueAdds, queueRetries]) counter.inc(labels, 0);
    for (const histogram of [queueSeconds, workSeconds]) histogram.zero(labels);
    return {
      added: () => queueAdds.inc(labels),
      taken: (_, waitedMs) => queueSeconds.observe(labels, secondsOf(waitedMs / 1_000)),
      finished: (workedMs) => workSeconds.observe(labels, secondsOf(workedMs / 1_000)),
      retried: () => queueRetries.inc(labels),
    };
  }

  /** Shows depth and running work of a queue until the returned function is called. */
  watchQueue(controller: string, queue: QueueGauges): () => void {
    return watched(this.#queues, controller, queue);
  }

  /** Shows how long deletions wait for a controller until the returned function is called. */
  watchDeletions(controller: string, deletion: DeletionGauge): () => void {
    return watched(this.#deletions, controller, deletion);
  }

  /** Shows the objects of a controller that are not ready, until the returned function is called. */
  watchNotReady(controller: string, objects: NotReadyGauge): () => void {
    return watched(this.#notReady, controller, objects);
  }

  /** Shows former names, and names without a controller. */
  watchNames(names: NamesGauges): void {
    this.#names.push(names);
  }

  /** @param isReady asked when metrics are read */
  watchController(controller: string, isReady: () => boolean): void {
    this.#controllers.set(controller, isReady);
  }

  /** @param name of the Lease */
  leaderObserver(name: string): LeaderObserver {
    const { leading, leaderSlowPaths } = this.#set;
    leading.set({ name }, 0);
    leaderSlowPaths.inc({ name }, 0);
    return { leading: (isLeading) => leading.set({ name }, isLeading ? 1 : 0), slowPath: () => leaderSlowPaths.inc({ name }) };
  }

  /** For the transport's `onAttempt`. A property, so that it may be handed over. */
  readonly onAttempt = ({ method, host, outcome, durationMs }: AttemptReport): void => {
    // client-go's word where no status came; codes of errors are for the log.
    this.#set.requests.inc({ code: typeof outcome === 'number' ? String(outcome) : '<error>', method, host });
    this.#set.requestSeconds?.observe({ verb: method, host }, secondsOf(durationMs / 1_000));
  };

  /** @param kinds those that will be watched: their series begin with 0 */
  cacheObserver(kinds: readonly KindInfo[] = []): CacheObserver {
    const { cachedObjects, cacheLists, cacheWatches, cacheFailures, cacheChanges, invalidObjects } = this.#set;
    for (const kind of kinds.map(kindLabel)) {
      cachedObjects.set({ kind }, 0);
      for (const counter of [cacheLists, cacheWatches, invalidObjects]) counter.inc({ kind }, 0);
      for (const type of CHANGE_TYPES) cacheChanges.inc({ kind, type }, 0);
    }
    return {
      listed: (kind) => cacheLists.inc({ kind: kindLabel(kind) }),
      watching: (kind) => cacheWatches.inc({ kind: kindLabel(kind) }),
      failed: (kind, reason) => cacheFailures.inc({ kind: kindLabel(kind), reason }),
      changed: (info, type, count) => {
        const kind = kindLabel(info);
        cacheChanges.inc({ kind, type }, count);
        if (type === 'added') cachedObjects.inc({ kind }, count);
        if (type === 'deleted') cachedObjects.dec({ kind }, count);
      },
      invalid: (kind) => invalidObjects.inc({ kind: kindLabel(kind) }),
    };
  }

  /** @param paths of all webhooks; others are counted together */
  webhookObserver(paths: readonly string[]): WebhookObserver {
    const { webhookSeconds, webhookRequests, webhooksInFlight, webhookPanics, conversionPanics } = this.#set;
    const known = new Set(paths);
    for (const webhook of known) {
      for (const code of ['200', '500']) webhookRequests.inc({ webhook, code }, 0);
      webhookSeconds.zero({ webhook });
      webhooksInFlight.set({ webhook }, 0);
    }
    const labelOf = (path: string): string => (known.has(path) ? path : OTHER_PATH);
    return {
      started: (path) => webhooksInFlight.inc({ webhook: labelOf(path) }),
      finished: (path, code, seconds) => {
        const webhook = labelOf(path);
        webhooksInFlight.dec({ webhook });
        webhookRequests.inc({ webhook, code: String(code) });
        webhookSeconds.observe({ webhook }, secondsOf(seconds));
      },
      panicked: (path) => (path === RUNTIME_CONTRACT.paths.conversion ? conversionPanics : webhookPanics).inc(),
    };
  }

  /** @param use which certificate it is: `serving`, `authority` */
  certificateObserver(use = 'serving'): CertificateObserver {
    const { certificateReads, certificateReadErrors, certificateExpiry } = this.#set;
    return {
      read: () => certificateReads.inc(),
      readFailed: () => certificateReadErrors.inc(),
      expires: (at) => certificateExpiry.set({ use }, secondsOf(at.getTime() / 1_000)),
    };
  }

  /** @param crds whose stored objects are brought to the storage version */
  migrationObserver(crds: readonly string[]): MigrationObserver {
    const { rewrittenObjects } = this.#set;
    for (const crd of crds) for (const result of ['ok', 'error']) rewrittenObjects.inc({ crd, result }, 0);
    return { rewrote: (crd, result) => rewrittenObjects.inc({ crd, result }) };
  }

  /** @param crds whose served schemas are compared with their definitions */
  schemaObserver(crds: readonly string[]): SchemaReviewObserver {
    const { missingFields } = this.#set;
    for (const crd of crds) missingFields.set({ crd }, 0);
    return { missing: (crd, count) => missingFields.set({ crd }, count) };
  }

  /** @param controller whose sources and background work are counted; calls of externals are those of the whole process */
  outsideObserver(controller: string): OutsideObserver {
    const { externalCalls, externalSeconds, pollReads, subscriptionFailures, backgroundActive, backgroundEnds } = this.#set;
    return {
      called: (external, method, result, seconds) => {
        externalCalls.inc({ external, method, result });
        externalSeconds.observe({ external, method, result }, secondsOf(seconds));
      },
      polled: (source, result) => pollReads.inc({ controller, source, result }),
      subscriptionFailed: (source) => subscriptionFailures.inc({ controller, source }),
      backgroundStarted: (name) => backgroundActive.inc({ controller, name }),
      backgroundEnded: (name, phase) => {
        backgroundActive.dec({ controller, name });
        backgroundEnds.inc({ controller, name, phase });
      },
    };
  }

  /** @param tasks names of all */
  taskObserver(tasks: readonly string[]): TaskObserver {
    const { taskRuns, taskSeconds } = this.#set;
    for (const task of tasks) {
      for (const result of ['ok', 'error']) taskRuns.inc({ task, result }, 0);
      taskSeconds.zero({ task });
    }
    return {
      ran: (task, result, seconds) => {
        taskRuns.inc({ task, result });
        taskSeconds.observe({ task }, secondsOf(seconds));
      },
    };
  }

  eventObserver(): EventObserver {
    const { events } = this.#set;
    return {
      created: () => events.inc({ result: 'created' }),
      continued: () => events.inc({ result: 'series' }),
      dropped: () => events.inc({ result: 'dropped' }),
      failed: () => events.inc({ result: 'failed' }),
    };
  }
}

function watched<T>(sources: Map<string, T>, controller: string, source: T): () => void {
  sources.set(controller, source);
  return () => {
    if (sources.get(controller) === source) sources.delete(controller);
  };
}

/** controller-runtime counts a terminal error as an error, and once more apart. */
function resultOf(end: ReconcileEnd): (typeof RECONCILE_RESULTS)[number] {
  return end === 'terminal' ? 'error' : end;
}

/** prom-client throws for what is not a number; what is measured must go on. */
function secondsOf(value: number): number {
  return Number.isFinite(value) ? Math.max(value, 0) : 0;
}

function kindLabel({ group, plural }: KindInfo): string {
  return nameInGroup(plural, group);
}

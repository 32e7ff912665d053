import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { hostname } from 'node:os';
import type { KindInfo, ObjectKey } from '@keelson/kubernetes/apimachinery';
import { isSelective, type Logger, type OperatorModel, RUNTIME_CONTRACT, type RuntimeSettings } from 'keelson/internal/definition';
import { Cache } from '../cache/index.js';
import { CertificateManager } from '../certificate-manager/index.js';
import { type ApiClient, createClient } from '../client/index.js';
import { Breather, type Clock, systemClock } from '../clock/index.js';
import { EventRecorder } from '../events/index.js';
import { type AttemptReport, type Connection, isInCluster } from '../http/index.js';
import { Journal, type JournalFilter, type JournalRun } from '../journal/index.js';
import { LeaderElector } from '../leader/index.js';
import { type BackgroundActivity, type Given, objectKeyOf } from '../outside/index.js';
import { type ControllerGround, Controllers, strayCounts } from '../reconcile/index.js';
import { SchemaReview } from '../served-schemas/index.js';
import type { Metrics, Tracing } from '../telemetry/index.js';
import { StartOptionsError } from './errors.js';
import { givenTo } from './given.js';
import { doWork, type LeaderWork, lead } from './leader-work.js';
import { migrationsOf } from './migrations.js';
import { type RunnableParts, runnableParts } from './operator-parts.js';
import type { StartOptions } from './options.js';
import { ProcessServers, type ServerPorts } from './process-servers.js';
import { Readiness, type ReadinessProblem } from './readiness.js';
import { reviewRights } from './rights.js';
import { tuningOf } from './tuning.js';
import { servesWebhooks, WebhookServing } from './webhook-serving.js';

export interface OperatorParts {
  readonly operator: OperatorModel;
  readonly options: StartOptions;
  readonly settings: RuntimeSettings;
  readonly connection: Connection;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
}

const MARGIN_MS = RUNTIME_CONTRACT.shutdown.marginSeconds * 1000;

/**
 * An operator at work.
 *
 * Flow: caches fill and queues with them, on every replica → the leader's workers begin → {@link stop}: nothing is begun any more, what is under way may end
 * within the drain time, the Lease is let go of, events are written, connections end.
 * Guarantees: nothing of it is left when {@link ended} has resolved: no request, no timer, no listener. It never ends the process (H54).
 *
 * @example
 * ```ts
 * const running = await start(operator);
 * await running.client.create(ConfigMap, { metadata: { namespace: 'shop', name: 'settings' } });
 * running.enqueue(Memcached, 'shop/sessions');
 * await running.stop();
 * ```
 */
export class RunningOperator {
  /** The client of the operator, under its field manager; it is closed when the operator has ended. */
  readonly client: ApiClient;
  readonly #parts: OperatorParts;
  readonly #clock: Clock;
  /** Shared by all work without waiting in this process. */
  readonly #breather: Breather;
  readonly #cache: Cache;
  readonly #events: EventRecorder;
  readonly #given: Given;
  readonly #journal: Journal | undefined;
  readonly #controllers: Controllers;
  readonly #leaderWork: readonly LeaderWork[];
  readonly #own: RunnableParts;
  readonly #elector: LeaderElector | undefined;
  readonly #readiness: Readiness;
  readonly #servers: ProcessServers;
  readonly #certificates: CertificateManager | undefined;
  readonly #webhooks: WebhookServing | undefined;
  readonly #stop = new AbortController();
  readonly #abort = new AbortController();
  readonly #closing = new AbortController();
  #ports: ServerPorts | undefined;
  #stoppedAtMs = Number.POSITIVE_INFINITY;
  #failure: { readonly error: unknown } | undefined;
  #ended: Promise<void> = Promise.resolve();
  #rights: Promise<void> = Promise.resolve();
  #replicaWork: Promise<void> = Promise.resolve();

  private constructor(parts: OperatorParts) {
    const { operator, options, settings, log, metrics, tracing } = parts;
    this.#parts = parts;
    this.#clock = options.clock ?? systemClock;
    for (const { signal } of [this.#stop, this.#abort]) setMaxListeners(0, signal);
    this.client = this.#clientOf();
    const instance = options.environment?.['POD_NAME'] ?? hostname();
    this.#events = new EventRecorder({
      client: this.client,
      clock: this.#clock,
      log,
      instance,
      observer: metrics.eventObserver(),
      random: options.random,
    });
    this.#breather = new Breather(this.#clock);
    this.#cache = new Cache({
      client: this.client,
      clock: this.#clock,
      breather: this.#breather,
      log,
      namespaces: settings.watchNamespaces,
      random: options.random,
      observer: metrics.cacheObserver(),
    });
    this.#given = givenTo({ operator, options, metrics, tracing, clock: this.#clock, log });
    this.#journal = journalOf(options.journal ?? settings.journal);
    this.#controllers = new Controllers(operator, (controller) => this.#groundOf(controller));
    this.#watchControllers(metrics);
    this.#own = runnableParts({
      listenAddress: settings.listenAddress,
      operator,
      options,
      given: this.#given,
      log,
      metrics,
      tracing,
      clock: this.#clock,
    });
    this.#leaderWork = this.#leaderWorkOf();
    this.#elector = this.#electorOf(instance);
    this.#certificates = this.#certificatesOf();
    this.#webhooks = this.#webhooksOf();
    this.#readiness = this.#readinessOf();
    this.#servers = new ProcessServers({
      settings,
      log,
      metrics,
      client: this.client,
      certificates: this.#certificates,
      readiness: [...this.#readiness.checks, ...this.#own.readiness],
      liveness: this.#own.liveness,
      endpoints: this.#own.endpoints,
      profiles: options.profiles ?? settings.profiles,
      journal: this.#journal,
    });
  }

  #watchControllers(metrics: Metrics): void {
    for (const controller of this.#controllers.all) {
      metrics.watchQueue(controller.name, controller.queue);
      metrics.watchDeletions(controller.name, { longestMs: () => controller.longestDeletionMs });
      metrics.watchNotReady(controller.name, { read: () => controller.notReady });
      metrics.watchController(controller.name, () => controller.isReady);
    }
    metrics.watchNames({
      formerLeft: () => new Map(this.#controllers.all.map(({ name, formerLeft }) => [name, formerLeft])),
      strays: (what) => strayCounts(this.#controllers.strays, what),
    });
  }

  #clientOf(): ApiClient {
    const { operator, connection, metrics, settings, tracing } = this.#parts;
    const name = isSelective(settings) ? (settings.instance ?? operator.name) : operator.name;
    // Connections have their own, real time: a test that moves a clock must not break off requests.
    return createClient({
      connection,
      onAttempt: (report: AttemptReport) => {
        metrics.onAttempt(report);
        tracing.onAttempt(report);
      },
      headers: tracing.headers,
      beforeSend: () => this.#elector?.endTermIfOver(),
      userAgent: `${name}/keelson`,
      fieldManager: name,
    });
  }

  /** Starts an operator; {@link start} makes the parts. @throws TelemetryServerError when a port cannot be had */
  static async start(parts: OperatorParts): Promise<RunningOperator> {
    const running = new RunningOperator(parts);
    try {
      running.#ports = await running.#servers.start();
    } catch (error) {
      await running.#close();
      throw error;
    }
    running.#cache.start();
    running.#rights = running.#reviewRights();
    running.#certificates?.start();
    const webhooks = running.#webhooks?.start();
    running.#ended = running.#work(webhooks);
    // Callers that want to know wait for `ended`; no other code must be disturbed.
    running.#ended.catch(() => undefined);
    return running;
  }

  /** Where it listens. */
  get ports(): ServerPorts {
    if (this.#ports === undefined) throw new TypeError('the operator has not been started');
    return this.#ports;
  }

  /** Resolves when it has been stopped; rejects when it cannot go on. */
  get ended(): Promise<void> {
    return this.#ended;
  }

  /** `true` from the call of {@link stop} on. */
  get isStopping(): boolean {
    return this.#stop.signal.aborted;
  }

  /** Whether this process may write now. */
  get isLeader(): boolean {
    return this.#elector?.isLeader ?? !this.#stop.signal.aborted;
  }

  /** Resolves with the port when webhooks and conversions are answered; `undefined` when the operator has none, or no certificate is configured. */
  get servingWebhooks(): Promise<number> | undefined {
    return this.#webhooks?.start();
  }

  /**
   * Reasons why `/readyz` fails, leader or not, so that a rolling update goes on (H56): webhooks are not answered yet. An operator without webhooks and endpoints
   * has {@link controllerProblems} here.
   */
  get readinessProblems(): readonly ReadinessProblem[] {
    return this.#readiness.problems;
  }

  /** Why controllers cannot work: a kind that is not served or may not be read, a run that does not return. Empty when all of them can. */
  get controllerProblems(): readonly ReadinessProblem[] {
    return this.#readiness.controllerProblems;
  }

  /** Everything that is there has been looked at, and nothing is under way or waits for another try. */
  get isSettled(): boolean {
    return this.#controllers.isSettled;
  }

  /** As {@link isSettled}, but what has failed and waits for its next try does not count. */
  get isIdle(): boolean {
    return this.#controllers.isIdle;
  }

  /** The background work of all controllers; neither {@link isIdle} nor {@link isSettled} waits for it, as it may go on until it is cancelled. */
  get background(): BackgroundActivity {
    return this.#controllers.background;
  }

  /**
   * Reconciles an object of a kind, because of something that happened beside the reconcilers; on a standby when it leads.
   *
   * @param key `namespace/name`, the name alone for a cluster-scoped kind, or a key
   * @throws StartOptionsError for a kind that no controller is for, and for what names no object
   */
  enqueue(kind: KindInfo, key: string | ObjectKey): void {
    const runners = this.#controllers.for(kind);
    const [runner] = runners;
    if (runner === undefined) throw new StartOptionsError(`enqueue: no controller of ${this.#parts.operator.name} is for ${kind.kind}`);
    const parsed = objectKeyOf(key, runner.kind.scope);
    if (parsed === undefined)
      throw new StartOptionsError(
        `enqueue: ${JSON.stringify(key)} names no ${kind.kind}; give ${runner.kind.scope === 'Cluster' ? 'its name' : "'namespace/name'"}, or a key`,
      );
    for (const one of runners) one.enqueue(parsed);
  }

  /**
   * The last runs of each object, in the order in which they began.
   *
   * @throws StartOptionsError when no journal is kept
   */
  journal(filter: JournalFilter = {}): readonly JournalRun[] {
    if (this.#journal === undefined)
      throw new StartOptionsError('no journal is kept; start with { journal: true }, or with KEELSON_JOURNAL=true in the environment');
    return this.#journal.runs(filter);
  }

  /** Begins nothing any more, and resolves when all has ended. A second call waits for the first. */
  stop(): Promise<void> {
    if (!this.#stop.signal.aborted) {
      this.#parts.log.info('stopping');
      this.#stop.abort();
      this.#stoppedAtMs = this.#clock.monotonicMs();
      const drainMs = this.#parts.settings.drainSeconds * 1000;
      const cancel = this.#clock.schedule(drainMs, () => {
        this.#parts.log.warn('what is under way is given up: the time to drain is over', { drainSeconds: drainMs / 1000 });
        this.#abort.abort(new Error('the process ends'));
      });
      // Before callers that wait for the end go on: a test may move the clock then.
      void this.#ended.then(cancel, cancel);
    }
    return this.#ended;
  }

  async #work(webhooks: Promise<number> | undefined): Promise<void> {
    // Webhooks that cannot be served end the operator, unless it is the end that keeps them from it.
    webhooks?.catch((error: unknown) => {
      if (this.#stop.signal.aborted) return;
      this.#failure = { error };
      void this.stop().catch(() => undefined);
    });
    try {
      this.#replicaWork = doWork(this.#own.replicaTasks, { stop: this.#stop.signal, abort: this.#closing.signal });
      if (this.#elector === undefined) await this.#lead(this.#abort.signal);
      else await this.#elector.run(this.#stop.signal, (term) => this.#lead(term));
    } finally {
      await this.#close();
    }
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  #lead(term: AbortSignal): Promise<void> {
    return lead(term, {
      controllers: this.#controllers,
      works: this.#leaderWork,
      stop: this.#stop.signal,
      abort: this.#abort.signal,
      isElected: this.#elector !== undefined,
    });
  }

  #reviewRights(): Promise<void> {
    const { operator, settings, log } = this.#parts;
    return reviewRights({ operator, settings, namespace: this.#namespace, client: this.client, log, signal: this.#closing.signal });
  }

  async #close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([this.#rights, this.#replicaWork]);
    this.#controllers.close();
    // As long as controllers write, their own webhooks and conversions are called.
    await Promise.all([this.#events.close({ deadlineMs: this.#eventsDeadlineMs }), this.#webhooks?.stop()]);
    await this.#cache.stop();
    await this.#servers.stop();
    await this.#certificates?.stop();
    this.client.close();
  }

  /** Events may take the rest of the drain time and half of the margin before the kubelet kills the process; the other half is for the rest. */
  get #eventsDeadlineMs(): number {
    const leftMs = this.#stoppedAtMs + this.#parts.settings.drainSeconds * 1000 - this.#clock.monotonicMs();
    return Math.max(500, Math.min(5_000, leftMs + MARGIN_MS / 2));
  }

  #groundOf(controller: OperatorModel['controllers'][number]): ControllerGround {
    const { operator, options, settings, log, metrics, tracing } = this.#parts;
    const tuning = tuningOf(controller, options);
    return {
      ...tuning,
      cache: this.#cache,
      client: this.client,
      clock: this.#clock,
      breather: this.#breather,
      log,
      events: this.#events.forController(`${operator.name}/${controller.name}`),
      random: options.random,
      requeueJitter: options.requeueJitter,
      observer: metrics.reconcileObserver(controller.name, tuning.concurrency),
      queueObserver: metrics.queueObserver(controller.name),
      tracing,
      given: this.#given,
      outsideObserver: metrics.outsideObserver(controller.name),
      journal: this.#journal,
      isPaused: settings.paused,
      instance: instanceOf(settings),
    };
  }

  #readinessOf(): Readiness {
    return new Readiness({
      controllers: this.#controllers,
      cache: this.#cache,
      webhooks: this.#webhooks,
      hasEndpoints: this.#own.endpoints.length > 0,
      isStopping: () => this.isStopping,
    });
  }

  #leaderWorkOf(): readonly LeaderWork[] {
    const { operator, options, settings, log, metrics } = this.#parts;
    const { random } = options;
    const observer = metrics.migrationObserver(settings.storedVersions ?? []);
    const migrations = migrationsOf(operator, settings, { client: this.client, clock: this.#clock, log, random, observer });
    return [...migrations, this.#schemaReview(), ...this.#own.leaderTasks];
  }

  #schemaReview(): LeaderWork {
    const { operator, log, metrics } = this.#parts;
    const { customResources } = operator;
    const observer = metrics.schemaObserver(customResources.map(({ plural, group }) => `${plural}.${group}`));
    return new SchemaReview({ client: this.client, clock: this.#clock, log, resources: customResources, observer });
  }

  #webhooksOf(): WebhookServing | undefined {
    const { operator, options, settings, log, metrics } = this.#parts;
    if (!servesWebhooks(operator)) return undefined;
    if (this.#certificates === undefined) {
      log.warn('webhooks and conversions are not served: no certificate is configured; the manifests do so by KEELSON_CERTIFICATES');
      return undefined;
    }
    const parts = { operator, settings, given: this.#given, certificates: this.#certificates, cache: this.#cache, log, metrics };
    // Only Pods stand behind a Service whose end other servers learn late.
    const lingerMs = options.webhookLingerMs ?? (isInCluster(options.environment ?? {}) ? undefined : 0);
    return new WebhookServing({ ...parts, lingerMs });
  }

  /** The certificate of webhooks and of secured metrics, on every replica. @throws CertificateManagerError for settings that cannot work */
  #certificatesOf(): CertificateManager | undefined {
    const { operator, options, settings, log, metrics } = this.#parts;
    const isShown = servesWebhooks(operator) || settings.metrics?.secure === true;
    if (settings.certificates === undefined || !isShown) return undefined;
    return new CertificateManager({
      settings: settings.certificates,
      client: this.client,
      namespace: this.#namespace,
      // A client judges the certificate by its own time; therefore requests use real time, whatever a test does to the operator's.
      clock: systemClock,
      log,
      observer: metrics.certificateObserver(),
      random: options.random,
    });
  }

  /** The namespace of the operator's own objects: its Lease, its certificate. */
  get #namespace(): string {
    return this.#parts.options.environment?.['POD_NAMESPACE'] ?? this.#parts.connection.namespace;
  }

  #electorOf(instance: string): LeaderElector | undefined {
    const { settings, options, log, metrics } = this.#parts;
    if (settings.leaseName === undefined) return undefined;
    return new LeaderElector({
      client: this.client,
      clock: this.#clock,
      log,
      namespace: this.#namespace,
      name: settings.leaseName,
      identity: `${instance}_${randomUUID()}`,
      random: options.random,
      observer: metrics.leaderObserver(settings.leaseName),
    });
  }
}

function instanceOf({ instance: name, selector, fieldSelector }: RuntimeSettings): NonNullable<ControllerGround['instance']> {
  return { name, selector, fieldSelector };
}

function journalOf(chosen: StartOptions['journal']): Journal | undefined {
  if (chosen === undefined || chosen === false) return undefined;
  return new Journal(chosen === true ? {} : chosen);
}

import type { PodControls, PodKey, PodLogOptions } from '@keelson/api-server';
import { ApiServer, type Clock, type FakeClock, Faults, systemClock } from '@keelson/api-server';
import { Pod, Service } from '@keelson/kubernetes/kinds';
import { connectionOf } from '@keelson/runtime/internal/http';
import type { Nothing } from 'keelson/internal/definition';
import { type RequestLog, RequestRecorder } from '../request-log/index.js';
import { TestClusterError, WaitError } from './errors.js';
import { filled } from './fill.js';
import { type Identity, TEST_USER, userInfoOf } from './identity.js';
import { installedOperator } from './installed-operator.js';
import type { KeyOrText } from './object-key.js';
import { type OperatorSurroundings, runtimeClockOf } from './operator-runs.js';
import type { InProcessOptions } from './options.js';
import { RunningCluster } from './running-cluster.js';
import { type SettledOptions, settledWait, waitUntilSettled } from './settled.js';
import type { Baseline } from './snapshot/index.js';
import { stealLease } from './steal-lease.js';
import { spanOf } from './time-span.js';

const TIMEOUT = '10s';
const QUIET_MS = 50;

/**
 * A cluster whose API server is in this process. It alone has a clock that a test may move, and faults.
 *
 * @example
 * ```ts
 * const cluster = await TestCluster.start({ operator, clock: new FakeClock() });
 * cluster.faults.drop({ verb: 'create', when: 'after' });
 * cluster.clock.advance('1h');
 * await cluster.settled();
 * await cluster.close();
 * ```
 */
export class InProcessCluster<TClock extends Clock = Clock, in TExternals = Nothing> extends RunningCluster<TExternals> {
  readonly server: ApiServer;
  /** The time of the server; the FakeClock that the cluster was started with. */
  readonly clock: TClock;
  /** Faults between the API server and its clients. Requests of the test itself are spared. */
  readonly faults: Faults;
  readonly #recorder: RequestRecorder;
  readonly #timeoutMs: number;
  readonly #lasting: { signs?: number } = {};

  private constructor(made: Made<TClock>, options: InProcessOptions<TClock>) {
    const { server, clock, faults, recorder } = made;
    const { certificateAuthority: ca } = server;
    const token = server.tokenFor(TEST_USER);
    const connection = connectionOf({ server: server.url, ca, token, origin: 'the in-process API server' });
    const { namespace = 'default', timeout = TIMEOUT } = options;
    super({ connection, namespace, defaultTimeout: timeout, installed: installedOperator(options) });
    this.server = server;
    this.clock = clock;
    this.faults = faults;
    this.#recorder = recorder;
    this.#timeoutMs = spanOf(timeout);
  }

  static async start<TClock extends Clock>(options: InProcessOptions<TClock>): Promise<InProcessCluster<TClock>> {
    // Without the option the clock is of no narrower type than the default's.
    const clock = options.clock ?? (systemClock as TClock);
    const recorder = new RequestRecorder(options.maxRequests === undefined ? {} : { maxRequests: options.maxRequests });
    const running: { server?: ApiServer; cluster?: InProcessCluster<TClock> } = {};
    const faults = new Faults({
      clock,
      exempt: [TEST_USER.username],
      revision: () => running.server?.core.store.revision ?? 0,
      stealLease: async (lease) => {
        if (running.cluster !== undefined) await stealLease(running.cluster.client, lease, clock.now());
      },
    });
    const server = await ApiServer.start({ ...serverOptions(options), clock, observer: recorder, intercept: faults.intercept });
    running.server = server;
    const cluster = new InProcessCluster<TClock>({ server, clock, faults, recorder }, options);
    running.cluster = cluster;
    await filled(cluster, options, { reachesServices: true });
    cluster.baseline = cluster.#uids();
    return cluster;
  }

  /** The requests that the server has got so far, but for those of the test itself ({@link ownRequests}). */
  get requests(): RequestLog {
    return this.#recorder.log.except({ user: TEST_USER.username });
  }

  /** The requests of the test itself; those {@link as} another user are among {@link requests}. */
  get ownRequests(): RequestLog {
    return this.#recorder.log.byUser(TEST_USER.username);
  }

  /** A kubeconfig with a client certificate; without TLS with a token. Default: of an administrator named `admin`, who is not spared by faults. */
  async kubeconfig(identity?: Identity): Promise<string> {
    return this.server.kubeconfig(identity === undefined ? undefined : userInfoOf(identity));
  }

  /** Controls of Pods: hold them back, let them fail or succeed. @throws WorkloadsError if the cluster was started without `workloads` */
  get pods(): PodControls {
    return this.server.pods.in(this.namespace);
  }

  /**
   * The address at which a Pod or a Service is reached. With `workloads.containers` it is one of this machine. Waits until there is one; with `workloads.containers` for
   * a Service moreover until a ready Pod is behind it, since connections are refused before.
   *
   * @throws WaitError after the timeout of the cluster
   * @throws TestClusterError for a headless Service, which has no address of its own
   * @example const health = await fetch(`http://${await cluster.addressOf(Pod, 'main-0')}:2379/health`);
   */
  async addressOf(kind: typeof Pod | typeof Service, key: KeyOrText<typeof Pod>): Promise<string> {
    if (kind.kind === 'Pod') {
      const { status } = await this.until(Pod, key, (pod) => (pod.status?.podIP ?? '') !== '');
      return status?.podIP ?? '';
    }
    const { metadata, spec } = await this.until(
      Service,
      key as KeyOrText<typeof Service>,
      (service) => (service.spec?.clusterIP ?? '') !== '',
    );
    const service = `${metadata.namespace}/${metadata.name}`;
    if (spec?.clusterIP === undefined || spec.clusterIP === 'None')
      throw new TestClusterError(`Service ${service} is headless: it has no address; ask for those of its Pods`);
    await this.until(() => {
      if (this.server.servesService(service) === false)
        throw new WaitError(
          `connections to Service ${service} are refused: none of its endpoints is ready, or no port can be listened at (see its Events)`,
        );
    });
    return spec.clusterIP;
  }

  /**
   * The output of a container so far, for Pods that run as processes: `cluster.pods.logsOf`.
   *
   * @throws PodControlError where the Pod is simulated, or has had no such run
   */
  logsOf(key: PodKey, options: PodLogOptions = {}): Promise<string> {
    return this.pods.logsOf(key, options);
  }

  /**
   * Waits until nothing goes on: the server's controllers are idle, operators that run here have looked at everything, no request is under way, all watches have
   * sent what there is, and nothing has happened for a moment. Work that waits for the clock, or holds a timer of its own, is not seen.
   *
   * @throws WaitError with what does not come to rest
   */
  async settled(options: SettledOptions = {}): Promise<void> {
    const wait = {
      quietMs: QUIET_MS,
      timeoutMs: this.#timeoutMs,
      busyWith: () => this.#busyWith(),
      activity: () => this.#recorder.activity + this.server.core.store.revision,
      background: () => this.runs.background(),
      lasting: this.#lasting,
    };
    await waitUntilSettled(settledWait(options, wait));
  }

  /** Sets the local port at which the webhooks of a Service (`namespace/name`) listen; `undefined` if none does. */
  serveWebhooksAt(service: string, port: number | undefined): void {
    this.server.serveWebhooksAt(service, port);
  }

  protected override async operatorSurroundings(identity: Identity): Promise<OperatorSurroundings> {
    const { certificateAuthority: ca } = this.server;
    const token = this.server.tokenFor(userInfoOf(identity));
    return {
      connection: connectionOf({ server: this.server.url, ca, token, origin: 'the in-process API server' }),
      clock: runtimeClockOf(this.clock),
      serveWebhooks: (service, port) => this.serveWebhooksAt(service, port),
    };
  }

  protected override get moveTime(): ((ms: number) => void) | undefined {
    const clock: Clock & Partial<FakeClock> = this.clock;
    return clock.advance === undefined ? undefined : (ms) => clock.advance?.(ms);
  }

  override async close(): Promise<void> {
    // A request that a fault holds back would keep the server from ending.
    this.faults.clear();
    try {
      await super.close();
    } finally {
      await this.server.close();
    }
  }

  #uids(): Baseline {
    const { catalog, cluster } = this.server.core;
    const uids = catalog.resources.flatMap((resource) =>
      cluster.list(resource).map(({ metadata }) => (metadata as { readonly uid: string }).uid),
    );
    return new Set(uids);
  }

  #busyWith(): string | undefined {
    if (!this.server.isIdle) return "the server's controllers are at work";
    // At a time that stands still, what failed is tried again when the test moves it.
    const operator = this.runs.busyWith(this.clock === systemClock ? 'settled' : 'idle');
    if (operator !== undefined) return operator;
    if (this.server.isQuiet) return undefined;
    const underWay = this.#recorder.log.filter({ answered: false });
    return underWay.length === 0 ? 'watches have not sent all that there is' : `requests are under way:\n${underWay.toString()}`;
  }
}

interface Made<TClock extends Clock> {
  readonly server: ApiServer;
  readonly clock: TClock;
  readonly faults: Faults;
  readonly recorder: RequestRecorder;
}

function serverOptions(options: InProcessOptions): Parameters<typeof ApiServer.start>[0] {
  const {
    server: _server,
    clock: _clock,
    maxRequests: _maxRequests,
    resources: _resources,
    operator: _operator,
    operatorNamespace: _operatorNamespace,
    webhooks: _webhooks,
    manifests: _manifests,
    onRefused: _onRefused,
    namespace: _namespace,
    namespaces: _namespaces,
    timeout: _timeout,
    ...rest
  } = options;
  return rest;
}

import type { KindInfo, ObjectKey } from '@keelson/kubernetes/apimachinery';
import { type ApiClient, createClient, type StoredOf } from '@keelson/runtime/internal/client';
import type { RunningOperator } from '@keelson/runtime/internal/host';
import type { Connection } from '@keelson/runtime/internal/http';
import type { JournalRun } from '@keelson/runtime/internal/journal';
import type { Needs, Nothing } from 'keelson/internal/definition';
import { ClusterClient, type WriteListener } from './cluster-client.js';
import { TestClusterError } from './errors.js';
import { type Identity, impersonated, TEST_USER } from './identity.js';
import type { InstalledOperator } from './installed-operator.js';
import { KindCache } from './kind-cache.js';
import { type KeyOrText, keyIn, keyText } from './object-key.js';
import { OperatorRuns, type OperatorSurroundings, type StartOperatorOptions } from './operator-runs.js';
import { waitUntilReconciled } from './reconciled.js';
import { type Baseline, type SnapshotOptions, snapshotText } from './snapshot/index.js';
import { spanOf, type TimeSpan } from './time-span.js';
import { type Condition, judge, type Outcome, waitForObject, waitUntil } from './wait/index.js';

export interface WaitOptions {
  /** In real time, whatever clock the server has. Default: that of the cluster, 10 seconds in the process and 30 else. */
  readonly timeout?: TimeSpan;
}

/** How long a run is waited for, and whose. */
export interface ReconciledOptions extends WaitOptions {
  /** Name of the controller whose run counts. @defaultValue that of any controller of the kind */
  readonly controller?: string | undefined;
}

export interface RunningClusterParts extends WriteListener {
  /** In the name of {@link TEST_USER}, or of whom nothing is refused to. */
  readonly connection: Connection;
  readonly namespace: string;
  readonly defaultTimeout: TimeSpan;
  readonly installed: InstalledOperator | undefined;
}

/** A client that hides nothing of the server: a temporary refusal is not retried, as a controller's client would. */
function testClient(connection: Connection): ApiClient {
  return createClient({
    connection,
    userAgent: TEST_USER.username,
    fieldManager: TEST_USER.username,
    retry: { maxAttempts: 1 },
  });
}

/**
 * An API server that a test works with: what is the same in the process, on real binaries and on an existing cluster.
 *
 * The test's own requests are those of an administrator; {@link as} gives the verbs to another user.
 *
 * @example
 * ```ts
 * async function scenario(cluster: RunningCluster): Promise<void> {
 *   await cluster.create(ConfigMap, { metadata: { name: 'settings' } });
 *   await cluster.until(ConfigMap, 'settings', 'present');
 * }
 * ```
 */
export abstract class RunningCluster<in TExternals = Nothing> extends ClusterClient implements AsyncDisposable {
  /** Type only: what the installed operator needs from outside. */
  declare readonly '~externals'?: ((externals: TExternals) => void) | undefined;
  /** Where the API server is, in the name of the test. */
  readonly connection: Connection;
  protected readonly kinds: KindCache;
  /** Objects that a snapshot leaves out. */
  protected baseline: Baseline = new Set();
  readonly #parts: RunningClusterParts;
  readonly #clients: ApiClient[] = [];
  /** The operators that run here. */
  protected readonly runs: OperatorRuns;

  protected constructor(parts: RunningClusterParts) {
    const client = testClient(parts.connection);
    const kinds = new KindCache(client);
    super({ ...parts, client, kinds });
    this.connection = parts.connection;
    this.kinds = kinds;
    this.#parts = parts;
    this.#clients.push(client);
    this.runs = new OperatorRuns(spanOf(parts.defaultTimeout));
  }

  /**
   * In whose name the installed operator asks: its ServiceAccount, for {@link as} and {@link kubeconfig}.
   *
   * @throws TestClusterError when the cluster was started without the option `operator`
   */
  get operator(): Identity {
    return this.installed.identity;
  }

  /** @throws TestClusterError when the cluster was started without the option `operator` */
  protected get installed(): InstalledOperator {
    const { installed } = this.#parts;
    if (installed === undefined) throw new TestClusterError('no operator is installed: give it to TestCluster.start({ operator })');
    return installed;
  }

  /**
   * Runs the installed operator in this process, as its image would: in the name of its ServiceAccount, with the rights that its manifests grant and no other.
   * Objects that its reconcilers get are frozen. It may be started again after its {@link RunningOperator.stop}, and several times at once, as replicas are.
   * {@link close} stops what still runs.
   *
   * @throws TestClusterError when the cluster was started without the option `operator`; what `start` of `@keelson/runtime` throws
   */
  startOperator(this: RunningCluster): Promise<RunningOperator>;
  startOperator(options: StartOperatorOptions & Needs<TExternals>): Promise<RunningOperator>;
  async startOperator(options: StartOperatorOptions = {}): Promise<RunningOperator> {
    const { installed } = this;
    return this.runs.start({ installed, options, surroundings: await this.operatorSurroundings(installed.identity) });
  }

  /** Moves the time of operators that run here, where it stands still. */
  protected get moveTime(): ((ms: number) => void) | undefined {
    return undefined;
  }

  /** How an operator that runs here reaches the server, and is reached. */
  protected async operatorSurroundings(identity: Identity): Promise<OperatorSurroundings> {
    return { connection: impersonated(this.connection, identity) };
  }

  /** The verbs in the name of another user, whose rights count. The test's own user impersonates it: a user or ServiceAccount of that name need not exist. */
  as(identity: Identity): ClusterClient {
    const client = testClient(impersonated(this.connection, identity));
    this.#clients.push(client);
    return new ClusterClient({ ...this.#parts, client, looking: this.client, kinds: this.kinds });
  }

  /** A kubeconfig, for programs. Default: of an administrator. */
  abstract kubeconfig(identity?: Identity): Promise<string>;

  /**
   * Waits until an object meets the condition; each state that the server reports is judged. It is looked at once, however short the timeout: a server that has not
   * answered by then has two more seconds.
   *
   * @param condition a function (met when it returns true or nothing; false or a failed assertion is "not yet"), the awaited part of the object (elements of its
   * lists are found by `type` or `name`), `present` or `absent`
   * @returns the object in the state that met the condition
   * @throws WaitError after the timeout: with what was seen last, where it differs, the events about the object, and the last runs of the operators here that
   * concern it
   */
  until<const TKind extends KindInfo>(kind: TKind, key: KeyOrText<TKind>, condition: 'absent', options?: WaitOptions): Promise<undefined>;
  until<const TKind extends KindInfo>(
    kind: TKind,
    key: KeyOrText<TKind>,
    condition: Condition<StoredOf<TKind>>,
    options?: WaitOptions,
  ): Promise<StoredOf<TKind>>;
  /** Waits until a function returns true or nothing; false or a failed assertion is "not yet". Looked at again and again. */
  until(condition: () => Outcome, options?: WaitOptions): Promise<void>;
  async until(...given: readonly unknown[]): Promise<unknown> {
    if (given.length < 3) {
      const [condition, options] = given as [() => boolean, WaitOptions | undefined];
      return waitUntil({ condition, timeoutMs: this.#timeoutOf(options) });
    }
    const [kind, key, condition, options] = given as [
      KindInfo,
      KeyOrText<KindInfo>,
      Condition<StoredOf<KindInfo>>,
      WaitOptions | undefined,
    ];
    const where = { kind, key: keyIn(kind, key, this.namespace) };
    const runs = (waited: KindInfo, at: ObjectKey): readonly JournalRun[] => this.runs.concerning(waited, at);
    const wait = { client: this.client, ...where, timeoutMs: this.#timeoutOf(options), runs };
    return waitForObject({ ...wait, judge: (object) => judge(condition, object) });
  }

  /**
   * The objects made since the cluster was filled, as YAML, for golden tests: sorted, without managed fields, and with uids, times, generated names and what else a
   * server draws masked. Left out: Events, and what a control plane puts into every namespace.
   */
  snapshot(options: SnapshotOptions = {}): Promise<string> {
    return snapshotText(this.client, this.baseline, options);
  }

  /**
   * The last runs of the operators that run here for one object, in the order in which they began: what brought each, what it read, what it wrote as differences, how it
   * ended. `journalText(...)` prints them.
   *
   * @throws StartOptionsError for an operator that was started with `journal: false`
   */
  journal<const TKind extends KindInfo>(kind: TKind, key: KeyOrText<TKind>): readonly JournalRun[] {
    const { namespace, name } = keyIn(kind, key, this.namespace);
    return this.runs.journal({ kind: kind.kind, object: namespace === undefined ? name : `${namespace}/${name}` });
  }

  /**
   * Waits until operators that run here have looked at an object once more: a run that begins after this call has ended, well or not. It makes no run begin.
   *
   * Call it before the change that brings the run: one that has begun already does not count, since it may have read what was before.
   *
   * @returns that run: what brought it, what it read and wrote, how it ended
   * @throws WaitError after the timeout, with the run that is under way, or the last one; StartOptionsError for an operator that was started with `journal: false`
   * @example
   * ```ts
   * const next = cluster.reconciled(Memcached, 'cache');
   * await cluster.patch(Memcached, 'cache', mergePatch({ spec: { size: 3 } }));
   * const { writes } = await next;
   * ```
   */
  async reconciled<const TKind extends KindInfo>(
    kind: TKind,
    key: KeyOrText<TKind>,
    { controller, ...options }: ReconciledOptions = {},
  ): Promise<JournalRun> {
    const object = keyText(keyIn(kind, key, this.namespace));
    return waitUntilReconciled({
      what: `${kind.kind} ${object}`,
      runs: () => this.runs.journal({ kind: kind.kind, object, controller }),
      hasOperators: () => this.runs.hasAny,
      timeoutMs: this.#timeoutOf(options),
    });
  }

  /** Ends the operators that run here, what the cluster has started, and its clients. May be called again. */
  async close(): Promise<void> {
    try {
      await this.runs.stop(this.moveTime);
    } finally {
      for (const client of this.#clients) client.close();
    }
  }

  /** `await using cluster = await TestCluster.start()` closes it at the end of the block. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #timeoutOf({ timeout = this.#parts.defaultTimeout }: WaitOptions = {}): number {
    return spanOf(timeout);
  }
}

import { randomUUID } from 'node:crypto';
import type { KindInfo, KubernetesObject } from '@keelson/kubernetes/apimachinery';
import { ApiClient, isNotFound } from '@keelson/runtime/internal/client';
import { connectionOf } from '@keelson/runtime/internal/http';
import type { Operator, OperatorModel, SettingsValues } from 'keelson/internal/definition';
import { type InProcessCluster, type InProcessOptions, KindCache, TEST_USER, TestCluster } from '../cluster/index.js';
import { CarriedTransport } from './carried-transport.js';
import { ExplorationSetupError } from './errors.js';
import { rightsOf } from './releases.js';
import { Still } from './still.js';
import { USER } from './user-name.js';
import { VirtualClock } from './virtual-clock.js';

export type VirtualCluster = InProcessCluster<VirtualClock>;

export interface WorldOptions {
  /** As of `TestCluster.start`: Pods run, Deployments make them. */
  readonly workloads: NonNullable<InProcessOptions['workloads']>;
  /** Values of the operator's settings. @defaultValue their defaults */
  readonly values?: readonly SettingsValues[] | undefined;
}

interface StoreRecord {
  readonly key: { readonly resource: string; readonly namespace: string; readonly name: string };
  readonly object: unknown;
}

const NAMESPACE: KindInfo = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  scope: 'Cluster',
  subresources: ['status'],
};
/** Its contents are those of every new namespace. */
const PATTERN = 'pattern';
const LEASES: KindInfo = {
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  plural: 'leases',
  scope: 'Namespaced',
  subresources: [],
};

/** A server and its time; runs follow each other in namespaces of their own. */
export class World {
  /** The newest release. */
  readonly operator: OperatorModel;
  readonly #releases: readonly OperatorModel[];
  readonly cluster: VirtualCluster;
  readonly clock: VirtualClock;
  /** Asks in the name of the user; no fault strikes it. */
  readonly client: ApiClient;
  readonly kinds: KindCache;
  /** Where the manifests of the operator have it: its rights are for no other. */
  readonly lease: { readonly namespace: string; readonly name: string };
  readonly isClusterWide: boolean;
  readonly runsPods: boolean;
  readonly values: readonly SettingsValues[];
  #baseline: ReadonlySet<string>;
  #pattern: readonly StoreRecord[] = [];

  private constructor(
    { operator, releases }: { readonly operator: OperatorModel; readonly releases: readonly OperatorModel[] },
    cluster: VirtualCluster,
    { workloads, values = [] }: WorldOptions,
  ) {
    this.values = values;
    this.runsPods = workloads !== false;
    this.operator = operator;
    this.#releases = releases;
    this.cluster = cluster;
    this.clock = cluster.clock;
    this.lease = { namespace: `${operator.name}-system`, name: operator.name };
    this.isClusterWide = releases.some(
      ({ webhooks, controllers }) => webhooks.length > 0 || controllers.some((controller) => controller.for.scope === 'Cluster'),
    );
    const { server } = cluster;
    const token = server.tokenFor({ ...TEST_USER, username: USER });
    const connection = connectionOf({ server: server.url, token });
    const transport = new CarriedTransport({ connection, clock: this.clock, retry: { maxAttempts: 1 } }, server);
    this.client = new ApiClient({ transport, fieldManager: USER });
    this.kinds = new KindCache(this.client);
    this.#baseline = new Set(this.#records.map(idOf));
  }

  /** @param releases the newest is the last: its definitions are installed, as no tool takes definitions back */
  static async open(releases: readonly OperatorModel[], { workloads, values }: WorldOptions): Promise<World> {
    const operator = releases.at(-1);
    if (operator === undefined) throw new ExplorationSetupError('releases: the list is empty; give [before, after]');
    const cluster = await TestCluster.start({
      operator: operator as Operator,
      clock: new VirtualClock(),
      protocol: 'http',
      serviceRange: '10.96.0.0/16',
      workloads,
      ...(operator.webhooks.length > 0 ? {} : { webhooks: false as const }),
    });
    const world = new World({ operator, releases }, cluster, { workloads, values });
    for (const [number, release] of releases.slice(0, -1).entries())
      for (const right of rightsOf(release, number)) await world.client.create(await world.kinds.of(right as never), right as never);
    await world.#makePattern();
    return world;
  }

  /** Makes a namespace as a user does, and remembers what is in it. @throws ExplorationSetupError */
  async #makePattern(): Promise<void> {
    const { server } = this.cluster;
    await this.client.create(NAMESPACE, { metadata: { name: PATTERN } });
    const isStill = await new Still(server).come();
    this.#pattern = this.#records.filter((record) => isIn(record, [PATTERN]));
    if (!isStill || this.#pattern.length < 2)
      throw new ExplorationSetupError('the API server does not come to rest after a namespace was made');
  }

  async close(): Promise<void> {
    this.client.close();
    await this.cluster.close();
  }

  get #records(): readonly StoreRecord[] {
    return this.cluster.server.core.store.records();
  }

  get releases(): number {
    return this.#releases.length;
  }

  releaseOf(number: number): OperatorModel {
    return this.#releases[number] ?? this.operator;
  }

  /** Makes the namespaces of a run: as by the API and its controllers, whose work would be the same each time. */
  begin(namespaces: readonly string[]): void {
    for (const namespace of namespaces) this.#beginIn(namespace);
    this.#baseline = new Set(this.#records.filter((record) => !isIn(record, namespaces)).map(idOf));
  }

  #beginIn(namespace: string): void {
    const { store } = this.cluster.server.core;
    for (const { key, object } of this.#pattern) {
      const before = object as { readonly metadata: { readonly labels?: object } };
      const isNamespace = key.resource === 'namespaces';
      const metadata = {
        ...before.metadata,
        uid: randomUUID(),
        creationTimestamp: `${this.clock.now().toISOString().slice(0, 19)}Z`,
        ...(isNamespace
          ? { name: namespace, labels: { ...before.metadata.labels, 'kubernetes.io/metadata.name': namespace } }
          : { namespace }),
      };
      const made = store.create(isNamespace ? { ...key, name: namespace } : { ...key, namespace }, { ...before, metadata } as never);
      if (!made.ok) throw new ExplorationSetupError(`the namespace ${namespace} exists already: name another one in namespaces`);
    }
  }

  /** Lists objects of the namespaces, and cluster-scoped objects that were made since the run began. */
  objectsOf(namespaces: readonly string[]): readonly KubernetesObject[] {
    return this.#records
      .filter((record) => namespaces.includes(record.key.namespace) || (record.key.namespace === '' && !this.#baseline.has(idOf(record))))
      .map(({ object }) => object as KubernetesObject);
  }

  /** Writes an object past all validation, as an older definition has let it in. */
  store(object: KubernetesObject, change: (object: KubernetesObject) => KubernetesObject): void {
    const { store } = this.cluster.server.core;
    const record = store.records().find((found) => (found.object as KubernetesObject | undefined)?.metadata.uid === object.metadata.uid);
    if (record?.object === undefined) return;
    const now = record.object as unknown as KubernetesObject;
    const changed = change(now);
    store.update(record.key, { ...changed, metadata: { ...changed.metadata, generation: (now.metadata.generation ?? 0) + 1 } } as never);
  }

  async stealLease(): Promise<void> {
    const lease = await this.client.get(LEASES, this.lease as never).catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });
    if (lease !== undefined) await this.cluster.faults.stealLease(this.lease.name, { namespace: this.lease.namespace });
  }

  /** Nothing is left of a run: the operator is away, so that finalizers are taken away too. */
  clear(namespaces: readonly string[]): void {
    const { store } = this.cluster.server.core;
    const isOfRun = (record: StoreRecord): boolean =>
      isIn(record, namespaces) ||
      record.key.resource.startsWith('leases') ||
      (record.key.namespace === '' && !this.#baseline.has(idOf(record)));
    // The namespace goes first: its controllers would make anew what is missing in it.
    const records = this.#records.filter(isOfRun).sort((a, b) => rankOf(a) - rankOf(b));
    for (const { key } of records) store.delete(key);
  }
}

function rankOf({ key }: StoreRecord): number {
  return key.resource === 'namespaces' ? 0 : 1;
}

/** Whether it is one of the namespaces or in it. */
function isIn({ key }: StoreRecord, namespaces: readonly string[]): boolean {
  return namespaces.includes(key.resource === 'namespaces' ? key.name : key.namespace);
}

function idOf({ key, object }: StoreRecord): string {
  return `${key.resource} ${key.namespace} ${key.name} ${(object as KubernetesObject | undefined)?.metadata.uid ?? ''}`;
}

import type { Operator, OperatorModel, SettingsValues } from '../../definition/index.js';
import type { KindInfo, KubernetesObject } from '../../kubernetes/index.js';
import { ApiClient, isNotFound } from '../../runtime/client/index.js';
import { connectionOf } from '../../runtime/http/index.js';
import { type InProcessCluster, type InProcessOptions, KindCache, TEST_USER, TestCluster } from '../cluster/index.js';
import { CarriedTransport } from './carried-transport.js';
import { USER } from './user-name.js';
import { VirtualClock } from './virtual-clock.js';

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
  readonly operator: OperatorModel;
  readonly cluster: InProcessCluster<VirtualClock>;
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

  private constructor(operator: OperatorModel, cluster: InProcessCluster<VirtualClock>, { workloads, values = [] }: WorldOptions) {
    this.values = values;
    this.runsPods = workloads !== false;
    this.operator = operator;
    this.cluster = cluster;
    this.clock = cluster.clock;
    this.lease = { namespace: `${operator.name}-system`, name: operator.name };
    this.isClusterWide = operator.webhooks.length > 0 || operator.controllers.some((controller) => controller.for.scope === 'Cluster');
    const { server } = cluster;
    const token = server.tokenFor({ ...TEST_USER, username: USER });
    const connection = connectionOf({ server: server.url, token });
    const transport = new CarriedTransport({ connection, clock: this.clock, retry: { maxAttempts: 1 } }, server);
    this.client = new ApiClient({ transport, fieldManager: USER });
    this.kinds = new KindCache(this.client);
    this.#baseline = new Set(this.#records.map(idOf));
  }

  static async open(operator: OperatorModel, { workloads, values }: WorldOptions): Promise<World> {
    const cluster = await TestCluster.start({
      operator: operator as Operator,
      clock: new VirtualClock(),
      protocol: 'http',
      serviceRange: '10.96.0.0/16',
      workloads,
      ...(operator.webhooks.length > 0 ? {} : { webhooks: false as const }),
    });
    return new World(operator, cluster, { workloads, values });
  }

  async close(): Promise<void> {
    this.client.close();
    await this.cluster.close();
  }

  get #records(): readonly StoreRecord[] {
    return this.cluster.server.core.store.records();
  }

  async begin(namespace: string): Promise<void> {
    await this.client.create(NAMESPACE, { metadata: { name: namespace } });
    this.#baseline = new Set(this.#records.filter(({ key }) => key.namespace !== namespace).map(idOf));
  }

  /** Lists objects of the namespace, and cluster-scoped objects that were made since the run began. */
  objectsOf(namespace: string): readonly KubernetesObject[] {
    return this.#records
      .filter((record) => record.key.namespace === namespace || (record.key.namespace === '' && !this.#baseline.has(idOf(record))))
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
  async clear(namespace: string): Promise<void> {
    const { store } = this.cluster.server.core;
    const isOfRun = (record: StoreRecord): boolean =>
      record.key.namespace === namespace ||
      record.key.resource.startsWith('leases') ||
      (record.key.namespace === '' && !this.#baseline.has(idOf(record)));
    for (const record of this.#records.filter(isOfRun)) if (record.key.resource !== 'namespaces') store.delete(record.key);
    await this.client.delete(NAMESPACE, { name: namespace } as never);
  }
}

function idOf({ key, object }: StoreRecord): string {
  return `${key.resource} ${key.namespace} ${key.name} ${(object as KubernetesObject | undefined)?.metadata.uid ?? ''}`;
}

import type { ApiServerOptions } from '@keelson/api-server';
import type { KindInfo, KubernetesObject } from '@keelson/kubernetes/apimachinery';
import { isNotFound } from '@keelson/runtime';
import { type InProcessCluster, TestCluster } from '@keelson/testing';
import type { Manifest, OperatorInstallation } from '@keelson/testing/internal/cluster';
import { type DevCluster, type Disturbances, type Installed, type RefusedManifest, takeManifests } from './dev-cluster.js';
import { MovingClock } from './moving-clock.js';

export type OwnClusterOptions = Pick<ApiServerOptions, 'certificateFolder' | 'dataFolder' | 'port' | 'workloads'>;

const FIELD_MANAGER = 'keelson-dev';
/** They stay when the operator does not name them any more: with a definition go all objects of its kind. */
const KEPT: ReadonlySet<string> = new Set(['CustomResourceDefinition', 'Namespace']);

/** Shares of the operator's requests that go wrong while it is disturbed. */
const DISTURBANCE = {
  conflict: 0.1,
  serverError: 0.05,
  unavailable: 0.05,
  dropBefore: 0.05,
  dropAfter: 0.05,
  delay: 0.1,
  expireWatch: 0.1,
  closeAtEvent: 0.05,
};

/** Longer than any session and any leap of its time: events are let go when the fault is removed. */
const STALE_MS = 10 * 366 * 24 * 60 * 60 * 1000;

type Fault = ReturnType<InProcessCluster['faults']['seeded']>;

/** An API server in this process. */
export class OwnCluster implements DevCluster, Disturbances {
  readonly #cluster: InProcessCluster;
  /** By key: what the operator's process of before has asked for. */
  #installed = new Map<string, KubernetesObject>();
  #disturbance: Fault | undefined;
  #staleness: Fault | undefined;
  /** The user name of the operator: its watches grow stale. */
  #operator: string | undefined;
  #webhookService: string | undefined;

  readonly time: MovingClock;

  private constructor(cluster: InProcessCluster, time: MovingClock) {
    this.#cluster = cluster;
    this.time = time;
  }

  /** @throws ApiServerError for a port that is taken, and for a folder that cannot be used */
  static async start(options: OwnClusterOptions): Promise<OwnCluster> {
    const time = new MovingClock(0, { keepsAlive: false });
    return new OwnCluster(await TestCluster.start({ ...options, clock: time }), time);
  }

  get url(): string {
    return this.#cluster.server.url;
  }

  /** Changes with each write. */
  get revision(): number {
    return this.#cluster.server.core.store.revision;
  }

  get disturbances(): Disturbances {
    return this;
  }

  /** An administrator's, or that of a ServiceAccount as `namespace/name`. */
  kubeconfig(serviceAccount?: string): Promise<string> {
    return this.#cluster.kubeconfig(serviceAccount === undefined ? undefined : { serviceAccount });
  }

  get isDisturbed(): boolean {
    return this.#disturbance !== undefined;
  }

  get isStale(): boolean {
    return this.#staleness !== undefined;
  }

  disturb(): boolean {
    this.#disturbance?.remove();
    this.#disturbance = this.isDisturbed
      ? undefined
      : this.#cluster.faults.seeded(Math.floor(Math.random() * 2 ** 31), { rates: DISTURBANCE });
    return this.isDisturbed;
  }

  makeStale(): boolean {
    this.#staleness?.remove();
    const user = this.#operator === undefined ? {} : { user: this.#operator };
    this.#staleness = this.isStale ? undefined : this.#cluster.faults.delay({ watch: '*', ms: STALE_MS, ...user });
    return this.isStale;
  }

  /** Applies parts where they differ and removes those that the operator names no more, but for definitions. */
  async install(installation: OperatorInstallation, webhookPort: number): Promise<Installed> {
    await this.#bring(installation);
    const { webhookService, certificates } = installation;
    if (this.#webhookService !== undefined) this.#cluster.serveWebhooksAt(this.#webhookService, undefined);
    if (webhookService !== undefined) this.#cluster.serveWebhooksAt(webhookService, webhookPort);
    this.#webhookService = webhookService;
    return { servesWebhooks: webhookService !== undefined, certificates, leaseName: undefined, notes: [] };
  }

  async #bring({ namespace, serviceAccount, definitions, parts }: OperatorInstallation): Promise<void> {
    this.#operator = `system:serviceaccount:${namespace}:${serviceAccount}`;
    // Roles stand in the namespaces that declarations name, too.
    const names = new Set([namespace, ...parts.flatMap(({ metadata }) => metadata.namespace ?? [])]);
    const places = [...names].map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }));
    const wanted = new Map([...places, ...definitions, ...parts].map((object) => [keyOf(object), object] as const));
    for (const [key, object] of this.#installed) if (!wanted.has(key) && !KEPT.has(object.kind)) await this.#remove(object);
    this.#installed = wanted;
    for (const object of [...places, ...definitions]) await this.#apply(object);
    for (const { metadata } of definitions) await this.#established(metadata.name ?? '');
    for (const object of parts) await this.#apply(object);
  }

  applyManifests(manifests: readonly Manifest[]): Promise<readonly RefusedManifest[]> {
    return takeManifests(manifests, { apply: (object) => this.#apply(object), established: (name) => this.#established(name) });
  }

  async objectsOf(kinds: readonly KindInfo[]): Promise<readonly KubernetesObject[]> {
    const lists = await Promise.all(
      kinds.map((kind) =>
        this.#cluster.list(kind).catch((error: unknown) => {
          if (isNotFound(error)) return [];
          throw error;
        }),
      ),
    );
    return lists.flat() as unknown as readonly KubernetesObject[];
  }

  close(): Promise<void> {
    return this.#cluster.close();
  }

  async #apply(object: KubernetesObject): Promise<void> {
    await this.#cluster.apply(object as never, { fieldManager: FIELD_MANAGER, force: true });
  }

  async #remove({ apiVersion, kind, metadata: { name = '', namespace } }: KubernetesObject): Promise<void> {
    const info = await this.#cluster.client.discover({ apiVersion, kind });
    try {
      await this.#cluster.delete(info, namespace === undefined ? { name } : ({ name, namespace } as never));
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  async #established(name: string): Promise<void> {
    const definition = await this.#cluster.client.discover({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' });
    await this.#cluster.until(
      definition,
      { name } as never,
      { status: { conditions: [{ type: 'Established', status: 'True' }] } } as never,
    );
  }
}

const keyOf = ({ apiVersion, kind, metadata: { name = '', namespace = '' } }: KubernetesObject): string =>
  [apiVersion, kind, namespace, name].join(' ');

import { hostname } from 'node:os';
import type { KindInfo, KubernetesObject } from '@keelson/kubernetes/apimachinery';
import { type ApiClient, createClient, isNotFound, mergePatch } from '@keelson/runtime/internal/client';
import { loadConnection } from '@keelson/runtime/internal/http';
import { existingKubeconfig, KindCache, type Manifest, type OperatorInstallation } from '@keelson/testing/internal/cluster';
import { DevError } from '../../errors.js';
import { type DevCluster, type Installed, type RefusedManifest, takeManifests } from '../dev-cluster.js';
import { leaderElsewhere } from './leader-elsewhere.js';
import { MarkedParts } from './marked-parts.js';
import { inStorageVersion, isConverted, reachableParts } from './reachable.js';
import type { WebhookAddress } from './webhook-address.js';
import { WebhookGate } from './webhook-gate.js';

const FIELD_MANAGER = 'keelson-dev';
/** Between two looks at objects: a list of each kind is a request to a server that others use too. */
const LOOK_MS = 2_000;
const ESTABLISHED_MS = 30_000;
const ESTABLISHED_LOOK_MS = 100;

export interface ContextClusterOptions {
  readonly context: string;
  /** Path of the kubeconfig. @defaultValue the variable KUBECONFIG, else ~/.kube/config */
  readonly kubeconfig: string | undefined;
  /** Where the API server reaches this machine; `undefined`: it does not. */
  readonly webhooks: WebhookAddress | undefined;
  /** Changes parts that others made, and fields of manifests that others own. */
  readonly forcesConflicts: boolean;
}

/** The cluster of a context: the operator's parts are made there, and deleted at the end; objects, definitions and namespaces stay. */
export class ContextCluster implements DevCluster {
  readonly url: string;
  /** Where the settings come from: `kubeconfig /home/a/.kube/config, context kind`. */
  readonly origin: string;
  readonly disturbances = undefined;
  readonly time = undefined;
  readonly #client: ApiClient;
  readonly #kinds: KindCache;
  readonly #parts: MarkedParts;
  readonly #options: ContextClusterOptions;
  #gate: WebhookGate | undefined;
  #definitions: readonly KubernetesObject[] = [];
  #notes = '';

  private constructor(client: ApiClient, options: ContextClusterOptions) {
    this.url = client.connection.server;
    this.origin = client.connection.origin;
    this.#client = client;
    this.#kinds = new KindCache(client);
    this.#options = options;
    const { forcesConflicts } = options;
    this.#parts = new MarkedParts({ client, kinds: this.#kinds, maker: hostname(), forcesConflicts });
  }

  /** Asks the server nothing yet. @throws ConnectionSettingsError for a context that there is not, and for one that cannot be used */
  static async of(options: ContextClusterOptions): Promise<ContextCluster> {
    const { kubeconfig, context } = options;
    return new ContextCluster(
      createClient({ connection: await loadConnection({ kubeconfig, context }), fieldManager: FIELD_MANAGER }),
      options,
    );
  }

  get revision(): number {
    return Math.floor(performance.now() / LOOK_MS);
  }

  kubeconfig(serviceAccount: string): Promise<string> {
    return existingKubeconfig(this.#client, { serviceAccount });
  }

  async install(installation: OperatorInstallation, webhookPort: number): Promise<Installed> {
    const { namespace, name } = installation;
    const { definitions, parts, certificates, servesWebhooks, notes } = reachableParts(installation, this.#options.webhooks);
    const places = [...new Set([namespace, ...parts.flatMap(({ metadata }) => metadata.namespace ?? [])])].map(
      (place) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: place } }) as KubernetesObject,
    );
    const first = await this.#parts.plan([...places, ...definitions]);
    const second = await this.#parts.plan(parts);
    this.#refuseOldStoredObjects(definitions, first);
    await this.#parts.removeAllBut([...places, ...definitions, ...parts]);
    this.#definitions = definitions;
    await this.#dropConversions(first);
    await this.#parts.apply(first);
    for (const { metadata } of definitions) await this.#established(metadata.name ?? '');
    // Before configurations name it: the API server would find no process there.
    if (servesWebhooks && this.#options.webhooks !== undefined) this.#gate ??= await WebhookGate.open(this.#options.webhooks, webhookPort);
    await this.#parts.apply(second);
    const leader = await leaderElsewhere(this.#client, { namespace, name, own: `${name}-dev` });
    return { servesWebhooks, certificates, leaseName: name, notes: this.#news([...notes, ...leader]) };
  }

  applyManifests(manifests: readonly Manifest[]): Promise<readonly RefusedManifest[]> {
    return takeManifests(manifests, { apply: (object) => this.#apply(object), established: (name) => this.#established(name) });
  }

  async objectsOf(kinds: readonly KindInfo[]): Promise<readonly KubernetesObject[]> {
    const lists = await Promise.all(
      kinds.map((kind) =>
        this.#client.listAll(kind).then(
          ({ items }) => items,
          (error: unknown) => {
            if (isNotFound(error)) return [];
            throw error;
          },
        ),
      ),
    );
    return lists.flat() as unknown as readonly KubernetesObject[];
  }

  /** Deletes what was made. @throws DevError naming what is left */
  async close(): Promise<void> {
    try {
      // Nothing answers their conversion any more.
      const orphaned = this.#definitions.filter((definition) => isConverted(definition) && this.#parts.hasMade(definition));
      await this.#parts.removeMade();
      const reduced = await this.#parts.plan(orphaned.map(inStorageVersion));
      await this.#dropConversions(reduced);
      await this.#parts.apply(reduced);
    } finally {
      await this.#gate?.close();
      this.#client.close();
    }
  }

  /**
   * Takes the webhook out of definitions of ours that have one and need none any more. An apply alone cannot: the operator has written its authority into the webhook, and
   * the server refuses one beside the strategy None.
   */
  async #dropConversions(planned: Awaited<ReturnType<MarkedParts['plan']>>): Promise<void> {
    for (const { object, kind, present, isOurs } of planned) {
      if (!isOurs || present === undefined || !isConverted(present) || isConverted(object)) continue;
      const { versions } = object['spec' as never] as { readonly versions: object };
      const patch = mergePatch({ spec: { versions, conversion: { strategy: 'None', webhook: null } } });
      await this.#client.patch(kind, { name: object.metadata.name } as never, patch);
    }
  }

  /** Said once, and again when it is another text: a restart happens at each change of a file. */
  #news(notes: readonly string[]): readonly string[] {
    const text = notes.join('\n');
    if (text === this.#notes) return [];
    this.#notes = text;
    return notes;
  }

  /** @throws DevError where objects are stored in a version that nothing converts */
  #refuseOldStoredObjects(definitions: readonly KubernetesObject[], planned: Awaited<ReturnType<MarkedParts['plan']>>): void {
    if (this.#options.webhooks !== undefined) return;
    for (const definition of definitions) {
      const { name } = definition.metadata;
      const { versions } = definition['spec' as never] as {
        readonly versions: readonly { readonly name: string; readonly storage: boolean }[];
      };
      const present = planned.find(({ object }) => object === definition)?.present as
        | { readonly status?: { readonly storedVersions?: readonly string[] } }
        | undefined;
      const old = (present?.status?.storedVersions ?? []).filter(
        (version) => !versions.some((each) => each.name === version && each.storage),
      );
      if (old.length > 0 && versions.length > 1)
        throw new DevError(
          `${name}: objects may be stored as ${old.join(', ')}, and nothing converts them; say where the API server reaches this machine: --webhook-url https://HOST:PORT`,
        );
    }
  }

  /** In the namespace of the context, unless it names its own. */
  async #apply(object: KubernetesObject): Promise<void> {
    const kind = await this.#kinds.of(object);
    const { namespace } = this.#client.connection;
    const metadata = kind.scope === 'Namespaced' ? { namespace, ...object.metadata } : object.metadata;
    await this.#client.apply(kind, { ...object, metadata } as never, { force: this.#options.forcesConflicts });
  }

  /** @throws DevError when the server does not serve the definition within 30 seconds */
  async #established(name: string): Promise<void> {
    const kind = await this.#kinds.of({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' });
    const deadline = performance.now() + ESTABLISHED_MS;
    for (;;) {
      const { status } = (await this.#client.get(kind, { name } as never)) as {
        readonly status?: {
          readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message?: string }[];
        };
      };
      const conditions = status?.conditions ?? [];
      if (conditions.some(({ type, status: value }) => type === 'Established' && value === 'True')) return;
      if (performance.now() > deadline)
        throw new DevError(
          `${name} is not established after 30 s: ${conditions.map(({ message }) => message).join('; ') || 'no condition yet'}`,
        );
      await new Promise((resolve) => setTimeout(resolve, ESTABLISHED_LOOK_MS));
    }
  }
}

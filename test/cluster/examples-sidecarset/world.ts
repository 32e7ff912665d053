import { isApiError, type KubeApiServerCluster, mergePatch } from '@keelson/testing';
import { ClusterRoleBinding, Pod, ServiceAccount } from 'keelson/kinds';
import { injectedLabel, SYSTEM_NAMESPACE } from '../../../examples/sidecarset/names.js';
import { SidecarSet } from '../../../examples/sidecarset/sidecar-set.js';
import { eventually } from '../../eventually.js';
import { DeployedExample, type OperatorPods, scrape } from '../examples-harness/index.js';
import type { NodePlayer, StoredPod } from '../node-player.js';

export const OPERATOR = 'sidecarset-operator';
export const ACCOUNT = `system:serviceaccount:${SYSTEM_NAMESPACE}:${OPERATOR}`;
const SCRAPER = `${SYSTEM_NAMESPACE}/scraper`;

export type SetSpec = Parameters<typeof SidecarSet>[0]['spec'];

export interface PodChange {
  readonly namespace?: string;
  readonly spec?: Pod['spec'];
}

/** The operator, two replicas of it, with the SidecarSets and Pods that its suites make. */
export class World {
  readonly #deployed: DeployedExample;

  private constructor(deployed: DeployedExample) {
    this.#deployed = deployed;
  }

  static async start(): Promise<World> {
    const deployed = await DeployedExample.start({
      example: 'sidecarset',
      name: OPERATOR,
      namespace: SYSTEM_NAMESPACE,
      namespaces: ['shop', 'other'],
    });
    const world = new World(deployed);
    await world.inhabitable('kube-system');
    await world.untilReplicas(2);
    return world;
  }

  get cluster(): KubeApiServerCluster {
    return this.#deployed.cluster;
  }

  get player(): NodePlayer {
    return this.#deployed.player;
  }

  get operators(): OperatorPods {
    return this.#deployed.operators;
  }

  /** The file that was applied. */
  get manifests(): string {
    return this.#deployed.manifests;
  }

  close(): Promise<void> {
    return this.#deployed.close();
  }

  inhabitable(name: string, labels?: Record<string, string>): Promise<void> {
    return this.#deployed.inhabitable(name, labels);
  }

  async scaleOperator(replicas: number): Promise<void> {
    await this.#deployed.scale(replicas);
    await this.untilReplicas(replicas);
  }

  /** What each replica answers to somebody who asks for its metrics. */
  async metrics(): Promise<{ readonly status: number; readonly text: string }[]> {
    if ((await this.cluster.find(ServiceAccount, SCRAPER)) === undefined)
      await this.cluster.create(ServiceAccount({ metadata: { name: 'scraper', namespace: SYSTEM_NAMESPACE } }));
    const { cluster } = this;
    return Promise.all([...this.operators.pods.values()].map(({ ports }) => scrape({ cluster, port: ports.metrics, account: SCRAPER })));
  }

  /** Gives him the role that the manifests have for it. */
  async allowMetrics(): Promise<void> {
    await this.cluster.create(
      ClusterRoleBinding({
        metadata: { name: 'scraper' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: `${OPERATOR}-metrics-reader` },
        subjects: [{ kind: 'ServiceAccount', name: 'scraper', namespace: SYSTEM_NAMESPACE }],
      }),
    );
    await this.eventually(async () => (await this.metrics()).every(({ status }) => status === 200));
  }

  /** How often the operator has been asked about a Pod. */
  async reviewsOfPods(): Promise<number> {
    const answers = await this.metrics();
    const counts = answers.map(
      ({ text }) => /^controller_runtime_webhook_requests_total\{(?=[^}]*code="200")(?=[^}]*pods)[^}]*\} (\d+)$/m.exec(text)?.[1],
    );
    return counts.reduce((sum, count = '0') => sum + Number(count), 0);
  }

  /** So many replicas are ready and no other Pod is left; with one, the API server has learnt to trust its webhooks. */
  async untilReplicas(count: number): Promise<void> {
    await this.#deployed.untilReplicas(count);
    if (count === 0) return;
    await this.eventually(async () => {
      await this.cluster.create(podOf('probe', 'probed-by-nobody'), { dryRun: true });
      await this.cluster.create(this.#setOf('probe', {}), { dryRun: true });
      await this.cluster.list(SidecarSet.versions.v1alpha1);
      return true;
    });
  }

  /**
   * Asks again while the answer is no, the webhooks cannot be called yet, or the server makes the storage of the definition anew, which has just been given the
   * certificate of its conversions.
   */
  async eventually(ask: () => Promise<boolean>): Promise<void> {
    await eventually(ask, ask.toString(), (error) => isApiError(error) && [500, 503].includes(error.status.code ?? 0));
  }

  /** A SidecarSet for Pods labelled `app: <name>`, whose sidecar has its name. Resolves when new Pods get it. */
  async createSet(name: string, spec: Partial<SetSpec> = {}): Promise<SidecarSet> {
    const set = this.#setOf(name, spec);
    await this.cluster.create(set);
    const labels = set.spec.selector.matchLabels ?? {};
    const wanted = (set.spec.containers as readonly { readonly name: string }[]).map((container) => container.name);
    await this.eventually(async () => {
      const shown = await this.cluster.create(
        Pod({ metadata: { name: 'probe', labels }, spec: { containers: [{ name: 'app', image: 'app:1' }] } }),
        { dryRun: true },
      );
      return wanted.every((container) => shown.spec?.containers.some((candidate) => candidate.name === container) === true);
    });
    return (await this.untilObserved(name)) as SidecarSet;
  }

  #setOf(name: string, spec: Partial<SetSpec>): ReturnType<typeof SidecarSet> {
    const containers = [{ name: `${name}-proxy`, image: 'proxy:1' }];
    return SidecarSet({ metadata: { name }, spec: { selector: { matchLabels: { app: name } }, containers, ...spec } });
  }

  /** The controller has seen the spec that is stored. */
  untilObserved(name: string) {
    return this.cluster.until(
      SidecarSet,
      name,
      ({ metadata, status }) => status?.observedGeneration === metadata.generation && metadata.generation !== undefined,
    );
  }

  /** Changes the spec. Resolves when the controller has seen it. */
  async change(name: string, spec: object): Promise<void> {
    await this.cluster.patch(SidecarSet, name, mergePatch({ spec } as never));
    await this.untilObserved(name);
  }

  useImage(set: string, image: string): Promise<void> {
    return this.change(set, { containers: [{ name: `${set}-proxy`, image }] });
  }

  /** Resolves when the SidecarSet tells these: matched, updated, ready. */
  async untilCounts(name: string, ...[matchedPods, updatedPods, readyPods]: readonly [number, number, number]): Promise<void> {
    await this.cluster.until(SidecarSet, name, { status: { matchedPods, updatedPods, readyPods } });
  }

  async countsOf(name: string): Promise<(number | undefined)[]> {
    const { status } = await this.cluster.get(SidecarSet, name);
    return [status?.matchedPods, status?.updatedPods, status?.readyPods];
  }

  /** Pods of an app that run, with their sidecars. */
  async createPods(app: string, count: number): Promise<string[]> {
    const names = Array.from({ length: count }, (_, index) => `${app}-${index}`);
    for (const name of names) await this.cluster.create(podOf(name, app));
    for (const name of names) await this.untilReady(name);
    return names;
  }

  async untilReady(key: string): Promise<void> {
    await this.cluster.until(Pod, key, { status: { conditions: [{ type: 'Ready', status: 'True' }] } });
  }

  async containersOf(key: string): Promise<string[]> {
    return (await this.cluster.get(Pod, key)).spec?.containers.map(({ name }) => name) ?? [];
  }

  /** Of the first sidecar, as the spec has it. */
  imagesOf(names: readonly string[]): Promise<(string | undefined)[]> {
    return Promise.all(names.map(async (name) => (await this.cluster.get(Pod, name)).spec?.containers[1]?.image));
  }

  /** Everything that becomes of the Pods of an app from here on. */
  async follow(app: string): Promise<{ readonly end: () => Promise<readonly StoredPod[]> }> {
    const seen: StoredPod[] = [];
    const stop = new AbortController();
    const stream = await this.cluster.watch(Pod, { labels: { app, ...injectedLabel }, signal: stop.signal });
    const following = (async () => {
      for await (const event of stream) if (event.type !== 'BOOKMARK') seen.push(event.object);
    })().catch((error: unknown) => {
      if (!stop.signal.aborted) throw error;
    });
    return {
      end: async () => {
        stop.abort();
        await following;
        return seen;
      },
    };
  }
}

export function podOf(name: string, app: string, { namespace = 'shop', spec }: PodChange = {}): ReturnType<typeof Pod> {
  return Pod({ metadata: { name, namespace, labels: { app } }, spec: spec ?? { containers: [{ name: 'app', image: 'app:1' }] } });
}

import { type KubeApiServerCluster, mergePatch } from '@keelson/testing';
import { Deployment, Namespace, ServiceAccount } from 'keelson/kinds';
import { DEADLINE_MS } from '../../deadline.cjs';
import { eventually } from '../../eventually.js';
import { ServiceNetwork, SharedCluster } from '../harness/index.js';
import { startOnPool } from '../harness/pool-test-cluster.js';
import { synthesizeExample } from '../manifests/index.js';
import { NodePlayer } from '../node-player.js';
import { OperatorPods } from './operator-pods.js';

export interface DeploymentOptions {
  /** Folder under `examples/`. */
  readonly example: string;
  /** The entry point of its image. Default: `operator.ts` in the folder of the example. */
  readonly entry?: string;
  /** Variables of its processes beside those of their Pods. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Of the operator: it names its Deployment, and with `-webhook` the Service of its webhooks. */
  readonly name: string;
  /** @defaultValue true */
  readonly hasWebhooks?: boolean;
  /** Where the operator runs. */
  readonly namespace: string;
  /** Where the tests work; the first is that of keys without a namespace. */
  readonly namespaces: readonly [string, ...string[]];
}

/** A real control plane on which the operator of an example runs as its manifests say, under its own rights, and a node that is played. */
export class DeployedExample {
  readonly cluster: KubeApiServerCluster;
  readonly player: NodePlayer;
  readonly operators: OperatorPods;
  /** The file that was applied. */
  readonly manifests: string;
  readonly #network: ServiceNetwork;
  readonly #deployment: string;
  readonly #remove: () => void;

  private constructor(
    parts: Pick<DeployedExample, 'cluster' | 'manifests' | 'operators' | 'player'>,
    rest: { readonly network: ServiceNetwork; readonly deployment: string; readonly remove: () => void },
  ) {
    this.cluster = parts.cluster;
    this.player = parts.player;
    this.operators = parts.operators;
    this.manifests = parts.manifests;
    this.#network = rest.network;
    this.#deployment = rest.deployment;
    this.#remove = rest.remove;
  }

  static async start({ name, namespace, namespaces, hasWebhooks = true, ...options }: DeploymentOptions): Promise<DeployedExample> {
    const network = await ServiceNetwork.open(SharedCluster.take('managed'));
    const synthesized = await synthesizeExample(options.example);
    const [manifests = ''] = synthesized.files;
    const [first, ...others] = namespaces;
    const cluster = await startOnPool({
      mode: 'cluster',
      manifests: [manifests],
      namespace: first,
      namespaces: others,
      timeout: DEADLINE_MS,
    });
    const operators = new OperatorPods({ ...options, cluster, network, namespace, service: hasWebhooks ? `${name}-webhook` : undefined });
    const player = new NodePlayer(cluster.client, operators);
    const rest = { network, deployment: `${namespace}/${name}`, remove: synthesized.remove };
    const deployed = new DeployedExample({ cluster, player, operators, manifests }, rest);
    await player.start();
    for (const inhabited of namespaces) await deployed.inhabitable(inhabited);
    return deployed;
  }

  async close(): Promise<void> {
    try {
      await this.player.stop();
    } finally {
      await this.operators.close();
      await this.cluster.close();
      await this.#network.close();
      this.#remove();
    }
  }

  /** A namespace whose Pods have an account. */
  async inhabitable(name: string, labels?: Record<string, string>): Promise<void> {
    if ((await this.cluster.find(Namespace, name)) === undefined)
      await this.cluster.create(Namespace({ metadata: { name, ...(labels === undefined ? {} : { labels }) } }));
    await this.cluster.until(ServiceAccount, `${name}/default`, 'present');
  }

  /** Without waiting for it. */
  async scale(replicas: number): Promise<void> {
    await this.cluster.patch(Deployment, this.#deployment, mergePatch({ spec: { replicas } }));
  }

  /** So many replicas are ready, of the template as it is, and no other Pod is left. */
  async untilReplicas(count: number): Promise<void> {
    await this.cluster.until(
      Deployment,
      this.#deployment,
      ({ metadata, status }) =>
        status?.observedGeneration === metadata.generation &&
        (status?.updatedReplicas ?? 0) === count &&
        (status?.readyReplicas ?? 0) === count &&
        (status?.replicas ?? 0) === count,
    );
    await eventually(
      async () => this.operators.pods.size === count,
      () => `${count} Pods of the operator; there are ${this.operators.pods.size}`,
    );
  }
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type InProcessCluster, processes, TestCluster } from '@keelson/testing';
import { Lease, Pod } from 'keelson/kinds';
import { parse } from 'yaml';
import { DEADLINE_MS } from '../../deadline.cjs';
import { bundledProgram } from '../harness/bundled-program.js';
import { Relay } from '../harness/relay.js';
import { Server } from './server.js';

const ROOT = process.cwd();
const TOKENS = '/var/run/secrets/kubernetes.io/serviceaccount';

/** An API server in the process on which the Pods of memcached's operator run as processes, with the rights of their ServiceAccount. Other Pods are simulated. */
export class OperatorCluster {
  readonly cluster: InProcessCluster;
  readonly server: Server;
  /** Namespace of the operator. */
  readonly namespace: string;
  readonly #directory: string;
  #relay: Relay | undefined;

  private constructor(
    cluster: InProcessCluster,
    { server, namespace, directory }: { server: Server; namespace: string; directory: string },
  ) {
    this.cluster = cluster;
    this.server = server;
    this.namespace = namespace;
    this.#directory = directory;
  }

  static async start(kubectl: string, namespace = 'memcached-system'): Promise<OperatorCluster> {
    const directory = mkdtempSync(join(tmpdir(), 'keelson-helm-operator-'));
    const containers = processes({
      'registry.example.com/memcached-operator:*': ({ pod, address, pathOf }) => {
        const file = join(directory, `${pod.metadata.name}.kubeconfig`);
        writeFileSync(file, kubeconfigText(administrator, pathOf(TOKENS)), { mode: 0o600 });
        // All Pods have the network of this machine, and the files of a ServiceAccount lie elsewhere than the process looks for them.
        const env = { KUBECONFIG: file, KEELSON_LISTEN_ADDRESS: address };
        return { program: process.execPath, args: [bundledProgram('examples/memcached/operator.ts')], env, directory: ROOT };
      },
    });
    let administrator = '';
    const cluster = await TestCluster.start({
      workloads: { containers },
      namespace: 'shop',
      namespaces: [namespace],
      timeout: DEADLINE_MS,
    });
    administrator = await cluster.kubeconfig();
    const kubeconfig = join(directory, 'admin.kubeconfig');
    writeFileSync(kubeconfig, administrator, { mode: 0o600 });
    const here = new OperatorCluster(cluster, { server: new Server(kubectl, kubeconfig), namespace, directory });
    here.#relay = await Relay.open(() => here.#webhookAddress());
    cluster.serveWebhooksAt(`${namespace}/memcached-operator-webhook`, here.#relay.port);
    return here;
  }

  /** Where the Service of the webhooks leads: to a Pod that is ready. */
  async #webhookAddress(): Promise<URL | undefined> {
    const ready = (await this.pods()).find(({ status }) =>
      status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True'),
    );
    return ready?.status?.podIP === undefined ? undefined : new URL(`https://${ready.status.podIP}:9443`);
  }

  /** The Pods of the operator that are there to stay. */
  async pods(): Promise<readonly Pod[]> {
    const pods = await this.cluster.list(Pod, { namespace: this.namespace, labels: { 'app.kubernetes.io/component': 'operator' } });
    return pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  }

  /** What a Pod of the operator answers at its port for probes. */
  async probe({ metadata }: Pod, path: string): Promise<number> {
    const address = await this.cluster.addressOf(Pod, `${this.namespace}/${metadata.name}`);
    return (await fetch(`http://${address}:8081${path}`)).status;
  }

  /** Resolves when one of these Pods leads. The Lease of an operator that was uninstalled runs out first: without its rights it could not give it back. */
  async untilLed(by: readonly (string | undefined)[]): Promise<void> {
    await this.cluster.until(async () => {
      const { spec } = await this.cluster.get(Lease, `${this.namespace}/memcached-operator`);
      // The name of the Pod and a number of the process.
      return by.includes(spec?.holderIdentity?.split('_')[0]);
    });
  }

  async close(): Promise<void> {
    await this.cluster.close();
    this.#relay?.close();
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

/** As an administrator's, with the token of the Pod, which is renewed. */
function kubeconfigText(administrator: string, tokens: string): string {
  const config = parse(administrator) as { readonly users: readonly { readonly name: string }[] };
  return JSON.stringify({ ...config, users: config.users.map(({ name }) => ({ name, user: { tokenFile: join(tokens, 'token') } })) });
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KubeApiServerCluster } from '@keelson/testing';
import { Service, ServiceAccount } from 'keelson/kinds';
import { parse } from 'yaml';
import { freePorts, type ServiceNetwork } from '../harness/index.js';
import type { PodRuntime, StoredPod } from '../node-player.js';
import { OperatorProcess } from './operator-process.js';

export interface OperatorPodsOptions {
  /** Folder under `examples/`. */
  readonly example: string;
  /** As for an {@link OperatorProcess}. */
  readonly entry?: string | undefined;
  /** Variables that no Pod has. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
  readonly cluster: KubeApiServerCluster;
  readonly network: ServiceNetwork;
  readonly namespace: string;
  /** Of its webhooks. Undefined: it has none. */
  readonly service: string | undefined;
}

/** A Pod of the operator that runs here. */
export interface OperatorPod {
  readonly process: OperatorProcess;
  readonly ports: { readonly health: number; readonly metrics: number; readonly webhook: number };
  isReady: boolean;
  /** Probes that failed since the last one that did not. */
  failures: number;
}

const COMPONENT = 'app.kubernetes.io/component';

/**
 * Runs the Pods of an operator's Deployment as a kubelet does: the entry point of the image in a process of its own, with the environment of the Pod's spec and
 * a token of its ServiceAccount, ready when its probe says so, and ended by SIGTERM. Its Service leads to a Pod that is ready.
 *
 * Two things differ from a node: all Pods have one network, so each is given ports of its own; and the files of the ServiceAccount lie elsewhere, which a
 * kubeconfig tells.
 */
export class OperatorPods implements PodRuntime {
  readonly #options: OperatorPodsOptions;
  readonly #directory: string;
  readonly #running = new Map<string, OperatorPod>();
  /** Of Pods that are gone, in the order in which they ended. */
  readonly exitCodes: (number | null)[] = [];
  #address: string | undefined;
  #isHanging = false;

  constructor(options: OperatorPodsOptions) {
    this.#options = options;
    this.#directory = mkdtempSync(join(tmpdir(), 'keelson-pods-'));
  }

  get pods(): ReadonlyMap<string, OperatorPod> {
    return this.#running;
  }

  async run(pod: StoredPod): Promise<boolean | undefined> {
    const { name, namespace, uid, labels } = pod.metadata;
    if (namespace !== this.#options.namespace || labels?.[COMPONENT] !== 'operator') return undefined;
    let running = this.#running.get(name);
    if (running === undefined) {
      running = await this.#start(pod, { name, uid });
      this.#running.set(name, running);
    }
    const { process, ports } = running;
    if (this.#isHanging) return running.isReady;
    if (process.hasEnded) throw new Error(`${name} has ended by itself:\n${process.lines.slice(-20).join('\n')}`);
    const isPassed = await isServed(ports.health, '/readyz');
    running.failures = isPassed ? 0 : running.failures + 1;
    // A Pod that was ready has as many tries as its probe says: what stands still for a moment, this process included, does not make it unready.
    running.isReady = isPassed || (running.isReady && running.failures < failureThreshold(pod));
    await this.#lead();
    return running.isReady;
  }

  async end({ metadata: { name } }: StoredPod): Promise<void> {
    const running = this.#running.get(name);
    if (running === undefined) return;
    this.#running.delete(name);
    await this.#lead();
    this.exitCodes.push(await running.process.end('SIGTERM'));
  }

  /** All processes stand still, and no probe has noticed yet. */
  hang(): void {
    this.#isHanging = true;
    for (const { process } of this.#running.values()) process.pause();
  }

  goOn(): void {
    for (const { process } of this.#running.values()) process.resume();
    this.#isHanging = false;
  }

  async close(): Promise<void> {
    this.goOn();
    await Promise.all([...this.#running.values()].map(({ process }) => process.end('SIGKILL')));
    rmSync(this.#directory, { recursive: true, force: true });
  }

  /** Endpoints of the Service. */
  async #lead(): Promise<void> {
    const { cluster, network, namespace, service } = this.#options;
    if (service === undefined) return;
    this.#address ??= `${(await cluster.get(Service, `${namespace}/${service}`)).spec?.clusterIP}:443`;
    const ready = [...this.#running.values()].find(({ isReady }) => isReady);
    if (ready === undefined) network.unroute(this.#address);
    else network.route(this.#address, ready.ports.webhook);
  }

  async #start(pod: StoredPod, { name, uid }: { readonly name: string; readonly uid: string }): Promise<OperatorPod> {
    const [health = 0, metrics = 0, webhook = 0] = await freePorts(3);
    const environment = {
      ...environmentOf(pod),
      ...this.#options.environment,
      KUBECONFIG: await this.#kubeconfig(pod, { name, uid }),
      KEELSON_HEALTH_PORT: `${health}`,
      KEELSON_METRICS_PORT: `${metrics}`,
      KEELSON_WEBHOOK_PORT: `${webhook}`,
    };
    const process = new OperatorProcess({ ...this.#options, podName: name, environment });
    return { process, ports: { health, metrics, webhook }, isReady: false, failures: 0 };
  }

  /** @returns the path of one with a token that is bound to the Pod, as the kubelet mounts it */
  async #kubeconfig({ spec }: StoredPod, { name, uid }: { readonly name: string; readonly uid: string }): Promise<string> {
    const { cluster, namespace } = this.#options;
    const body = {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name, uid } },
    };
    const account = { namespace, name: spec?.serviceAccountName ?? 'default' };
    const answer = await cluster.client.subresource(ServiceAccount, 'token').create(account, body);
    const config = parse(await cluster.kubeconfig()) as { users: { name: string; user: object }[] };
    const path = (file: string): string => join(this.#directory, `${name}-${file}`);
    writeFileSync(path('token'), (answer as unknown as { status: { token: string } }).status.token, { mode: 0o600 });
    const users = config.users.map((user) => ({ ...user, user: { tokenFile: path('token') } }));
    writeFileSync(path('kubeconfig'), JSON.stringify({ ...config, users }), { mode: 0o600 });
    return path('kubeconfig');
  }
}

function environmentOf({ spec, metadata }: StoredPod): Record<string, string> {
  const [container] = spec?.containers ?? [];
  return Object.fromEntries(
    (container?.env ?? []).map(({ name, value, valueFrom }) => {
      const path = valueFrom?.fieldRef?.fieldPath;
      if (path === undefined) return [name, value ?? ''];
      const field = { 'metadata.name': metadata.name, 'metadata.namespace': metadata.namespace }[path];
      if (field === undefined) throw new Error(`${name}: the field ${path} of a Pod is not known here`);
      return [name, field];
    }),
  );
}

/** As the kubelet has it by default. */
function failureThreshold({ spec }: StoredPod): number {
  return spec?.containers[0]?.readinessProbe?.failureThreshold ?? 3;
}

/** A process that stands still does not pass. */
const PROBE_MS = 1_000;

function isServed(port: number, path: string): Promise<boolean> {
  return new Promise((resolve) => {
    // oxlint-disable-next-line deadlines/no-literal -- a kubelet's
    const probe = request({ host: '127.0.0.1', port, path, timeout: PROBE_MS, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    probe.on('timeout', () => probe.destroy());
    probe.on('error', () => resolve(false));
    probe.end();
  });
}

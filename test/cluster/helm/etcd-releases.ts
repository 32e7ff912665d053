import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type InProcessCluster, type LoggedRequest, processes, type RequestLog, TestCluster } from '@keelson/testing';
import { Deployment, Lease, Pod } from 'keelson/kinds';
import { helmChart } from 'keelson/packaging';
import { LocalNames } from '../../../examples/etcd/client/local-names.js';
import { EtcdCluster } from '../../../examples/etcd/cluster/etcd-cluster.js';
import { etcdPackage } from '../../../examples/etcd/package.js';
import { findTool } from '../../../scripts/cluster/go-tool.js';
import { DEADLINE_MS } from '../../deadline.cjs';
import { Desk } from '../examples-etcd/operator-pods/desk.js';
import { bundledProgram } from '../harness/bundled-program.js';
import { Relay } from '../harness/relay.js';
import { ChartFolder } from './chart-folder.js';

const ROOT = join(__dirname, '../../..');
const PROGRAM = 'test/cluster/examples-etcd/operator-pods/main.ts';
const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';
const COMPONENT = { 'app.kubernetes.io/component': 'operator' };
/** Of the chart's part that is the operator of clusters: it is in the names of its objects. */
const PART = 'cluster';

export interface EtcdRelease {
  readonly release: string;
  readonly namespace: string;
  /** Of the operator of clusters. That of backups is switched off. */
  readonly values: object;
}

export interface EtcdReleasesOptions {
  /** The program. */
  readonly etcd: string;
  readonly releases: readonly EtcdRelease[];
  /** Where clusters are. */
  readonly namespaces: readonly [string, ...string[]];
}

interface Parts {
  readonly cluster: InProcessCluster;
  readonly directory: string;
  readonly desk: Desk;
  /** Key of a cluster, and the Pods of operators that have asked its members for their list, or for a change of it. */
  readonly callers: Map<string, Set<string>>;
}

/**
 * Releases of the chart of the etcd operators on an API server in the process, installed by Helm one after the other, and at work together: their Pods are processes with
 * the environment and the rights that the chart gives them, and so are the members of etcd.
 */
export class EtcdReleases {
  readonly cluster: InProcessCluster;
  readonly #parts: Parts;
  readonly #relays: Relay[] = [];

  private constructor(parts: Parts) {
    this.cluster = parts.cluster;
    this.#parts = parts;
  }

  static async open({ etcd, releases, namespaces }: EtcdReleasesOptions): Promise<EtcdReleases> {
    const [names, callers] = [new LocalNames(), new Map<string, Set<string>>()];
    const desk = await Desk.open(names, async ({ by, ...entry }) => {
      if (!('cluster' in entry)) return;
      const [name, namespace] = entry.cluster.split('.');
      const key = `${namespace}/${name}`;
      callers.set(key, (callers.get(key) ?? new Set()).add(by.split(' ')[0] ?? ''));
    });
    const containers = processes({
      'registry.example.com/etcd-operator:*': ({ pathOf, address }) => ({
        program: process.execPath,
        args: [bundledProgram(PROGRAM), desk.url, pathOf(SERVICE_ACCOUNT)],
        // All Pods have the network of this machine.
        env: { KEELSON_LISTEN_ADDRESS: address },
        directory: ROOT,
      }),
      'quay.io/coreos/etcd:*': (container) => ({ program: etcd, args: names.argsOf(container) }),
      'busybox:*': 'simulated',
    });
    const [namespace, ...others] = namespaces;
    const cluster = await TestCluster.start({ workloads: { containers }, namespace, namespaces: others, timeout: DEADLINE_MS });
    const here = new EtcdReleases({ cluster, directory: mkdtempSync(join(tmpdir(), 'keelson-etcd-releases-')), desk, callers });
    try {
      await here.#install(releases);
    } catch (error) {
      await here.close();
      throw error;
    }
    return here;
  }

  async close(): Promise<void> {
    await this.cluster.close();
    for (const relay of this.#relays) relay.close();
    await this.#parts.desk.close();
    rmSync(this.#parts.directory, { recursive: true, force: true });
  }

  async #install(releases: readonly EtcdRelease[]): Promise<void> {
    const helm = findTool('helm');
    if (!helm.found) throw new Error(helm.reason);
    const kubeconfig = join(this.#parts.directory, 'admin.kubeconfig');
    writeFileSync(kubeconfig, await this.cluster.kubeconfig(), { mode: 0o600 });
    const chart = new ChartFolder(helm.path, helmChart(etcdPackage));
    try {
      for (const release of releases) {
        const values = chart.valuesFile({ [PART]: release.values, backup: { enabled: false } });
        const place = ['--create-namespace', '--namespace', release.namespace, '--kubeconfig', kubeconfig];
        await chart.must('install', release.release, chart.path, ...values, ...place);
        const relay = await Relay.open(() => this.#webhookOf(release));
        this.#relays.push(relay);
        this.cluster.serveWebhooksAt(`${release.namespace}/${nameOf(release)}-webhook`, relay.port);
      }
    } finally {
      chart.remove();
    }
    for (const release of releases)
      await this.cluster.until(Deployment, `${release.namespace}/${nameOf(release)}`, ({ status }) => status?.readyReplicas === 1);
  }

  async #webhookOf(release: EtcdRelease): Promise<URL | undefined> {
    const [pod] = await this.podsOf(release);
    return pod?.status?.podIP === undefined ? undefined : new URL(`https://${pod.status.podIP}:9443`);
  }

  async podsOf({ namespace }: EtcdRelease): Promise<readonly Pod[]> {
    return this.cluster.list(Pod, { namespace, labels: COMPONENT });
  }

  /** The Pod that leads. */
  async leaderOf(release: EtcdRelease): Promise<string | undefined> {
    const { spec } = await this.cluster.get(Lease, `${release.namespace}/${nameOf(release)}`);
    return spec?.holderIdentity?.split('_')[0];
  }

  /** What the operator has asked of the API server. */
  requestsOf(release: EtcdRelease): RequestLog {
    return this.cluster.requests.byUser(`system:serviceaccount:${release.namespace}:${nameOf(release)}`);
  }

  /**
   * Keys of the clusters of which the operator has written an object by its name, or asked a member for something. Another write is there as its path, but for what the operator
   * writes of itself.
   */
  async touchedBy(release: EtcdRelease): Promise<readonly string[]> {
    const keys = (await this.cluster.list(EtcdCluster)).map(({ metadata: { namespace, name } }) => `${namespace}/${name}`);
    const ofItself = (request: LoggedRequest): boolean => request.namespace === release.namespace || request.name === nameOf(release);
    const written = this.requestsOf(release)
      .writes()
      // The server chooses the name of what is created: see podsMadeBy.
      .all.filter((request) => request.verb !== 'create' && !ofItself(request))
      .map(({ namespace, name, url }) => keys.find((key) => `${namespace}/${name}-`.startsWith(`${key}-`)) ?? url);
    const asked = [...this.#parts.callers]
      .filter(([, pods]) => [...pods].some((pod) => pod.startsWith(`${nameOf(release)}-`)))
      .map(([key]) => key);
    return [...new Set([...written, ...asked])].sort();
  }

  /** The namespace of each Pod that the operator has made. */
  podsMadeBy(release: EtcdRelease): readonly string[] {
    const made = this.requestsOf(release).filter({ verb: 'create', kind: Pod, subresource: '', code: 201 });
    return made.all.map(({ namespace }) => namespace).sort();
  }
}

const nameOf = ({ release }: EtcdRelease): string => `${release}-${PART}`;

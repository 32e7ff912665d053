import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LocalCluster, startCluster } from '../../test/cluster/harness/index.js';
import { Connection, type Endpoint } from '../api-server/connection.js';
import { runFresh } from '../fresh-process.js';

const NAMESPACE = 'web';
const GROUP = '/apis/bench.example.com/v1';

/** The children, by plural, with the path of their collection. */
export const COLLECTIONS = {
  websites: `${GROUP}/namespaces/${NAMESPACE}/websites`,
  configmaps: `/api/v1/namespaces/${NAMESPACE}/configmaps`,
  deployments: `/apis/apps/v1/namespaces/${NAMESPACE}/deployments`,
  services: `/api/v1/namespaces/${NAMESPACE}/services`,
} as const;
export type Plural = keyof typeof COLLECTIONS;
export const CHILDREN = ['configmaps', 'deployments', 'services'] as const;
export type ChildPlural = (typeof CHILDREN)[number];

const WRITES: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'APPLY']);
/** Services need addresses: more than the /24 of the harness has. */
const FLAGS = ['--service-cluster-ip-range=10.0.0.0/16', '--audit-log-path=', '--audit-policy-file=', '--audit-log-mode=batch'];

export interface ClusterRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly contentType?: string;
  readonly mayBeGone?: boolean;
}

/** How operators reach the cluster. */
export interface ClusterAccess {
  /** For programs that know nothing else. */
  readonly kubeconfig: string;
  /** A folder as the kubelet mounts it into Pods. */
  readonly serviceAccount: string;
  readonly host: string;
  readonly port: string;
}

/** kube-apiserver and etcd with the CRD of the benchmark and nothing else in it. Nobody makes Pods: no Website gets ready. */
export class WebsiteCluster {
  readonly endpoint: Endpoint;
  readonly access: ClusterAccess;
  readonly #cluster: LocalCluster;

  private constructor(cluster: LocalCluster) {
    this.#cluster = cluster;
    const { url, ca, tokens, kubeconfig } = cluster.connection;
    this.endpoint = { url, ca, token: tokens['admin'] ?? '' };
    const { hostname: host, port } = new URL(url);
    this.access = { kubeconfig, serviceAccount: serviceAccountOf(this.endpoint), host, port };
  }

  static async start(): Promise<WebsiteCluster> {
    const cluster = await startCluster({ apiServerFlags: FLAGS });
    try {
      const definition = runFresh<object>({ arguments: ['bench/processes/website-operator.mjs', '--definition'] });
      await cluster.must('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
      await cluster.must('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
      await cluster.until(COLLECTIONS.websites, () => true);
    } catch (error) {
      await cluster.stop();
      throw error;
    }
    return new WebsiteCluster(cluster);
  }

  /** What operators have written so far, by the API server's count: children, and the status of Websites; refused writes too. */
  async writes(): Promise<number> {
    const { body } = await this.#cluster.request<string>('GET', '/metrics');
    const lines = body.split('\n').filter((line) => line.startsWith('apiserver_request_total{'));
    return lines.reduce((sum, line) => sum + (isOperatorWrite(line) ? Number(line.slice(line.lastIndexOf(' '))) : 0), 0);
  }

  /** One request after the other on each of some connections. @throws Error for any answer but a 2xx, or a 404 where the object may be gone */
  async send(requests: readonly ClusterRequest[], connections = 16): Promise<void> {
    const opened = await Promise.all(Array.from({ length: connections }, () => Connection.open(this.endpoint)));
    let next = 0;
    const work = async (connection: Connection): Promise<void> => {
      for (let request = requests[next++]; request !== undefined; request = requests[next++]) await sendOne(connection, request);
    };
    try {
      await Promise.all(opened.map(work));
    } finally {
      for (const connection of opened) connection.close();
    }
  }

  /** A Website goes, and another one of its name comes. */
  renew(index: number): Promise<void> {
    const path = `${COLLECTIONS.websites}/${nameOf(index)}`;
    return this.send(
      [
        { method: 'DELETE', path },
        { method: 'POST', path: COLLECTIONS.websites, body: website(index) },
      ],
      1,
    );
  }

  makeWebsites(count: number): Promise<void> {
    const requests = Array.from({ length: count }, (_, index) => ({ method: 'POST', path: COLLECTIONS.websites, body: website(index) }));
    return this.send(requests);
  }

  /**
   * Deployments that are nobody's, with so many texts and parts of objects that are like no other.
   *
   * What the operator's cache shares is bounded, but a churn takes ten minutes to fill it: that it fills must not look like growth.
   */
  makeUnlike(count: number): Promise<void> {
    const requests = Array.from({ length: count / 400 }, (_, index) => ({
      method: 'POST',
      path: COLLECTIONS.deployments,
      body: unlike(index, 400),
    }));
    return this.send(requests, 4);
  }

  makePods(count: number): Promise<void> {
    const path = `/api/v1/namespaces/${NAMESPACE}/pods`;
    return this.send(Array.from({ length: count }, (_, index) => ({ method: 'POST', path, body: pod(index) })));
  }

  stop(): Promise<void> {
    rmSync(this.access.serviceAccount, { recursive: true, force: true });
    return this.#cluster.stop();
  }
}

function serviceAccountOf({ ca = '', token }: Endpoint): string {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-bench-'));
  for (const [name, content] of Object.entries({ 'ca.crt': ca, token, namespace: NAMESPACE }))
    writeFileSync(join(folder, name), content, { mode: 0o600 });
  return folder;
}

async function sendOne(connection: Connection, { method, path, body, contentType, mayBeGone }: ClusterRequest): Promise<void> {
  const content = body === undefined ? {} : { body: JSON.stringify(body), ...(contentType === undefined ? {} : { contentType }) };
  const answer = await connection.request(method, path, content);
  if (answer.status > 299 && !(mayBeGone === true && answer.status === 404))
    throw new Error(`${method} ${path} was answered with ${answer.status}: ${answer.body.toString('utf8', 0, 500)}`);
}

export const nameOf = (index: number): string => `site-${index}`;

function website(index: number): object {
  return {
    apiVersion: 'bench.example.com/v1',
    kind: 'Website',
    metadata: { name: nameOf(index), namespace: NAMESPACE },
    spec: { title: `Site ${index}`, replicas: 1 },
  };
}

function unlike(index: number, parts: number): object {
  const labels = { unlike: `${index}` };
  const env = Array.from({ length: parts }, (_, n) => ({ name: `UNLIKE_${index}_${n}`, value: `value-${index}-${n}` }));
  const container = { name: 'web', image: 'registry.example.com/web:1', env };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: `unlike-${index}`, namespace: NAMESPACE },
    spec: { replicas: 0, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers: [container] } } },
  };
}

/** 5.9 KB as it is stored, as Pods of real clusters are: variables, probes, volumes, labels. */
function pod(index: number): object {
  const labels = { app: `app-${index % 50}`, 'pod-template-hash': `${1_000_000 + (index % 50)}`, instance: `${index}` };
  const probe = { httpGet: { path: '/healthz', port: 8080, scheme: 'HTTP' }, periodSeconds: 10, failureThreshold: 3 };
  const container = (name: string): object => ({
    name,
    image: `registry.example.com/team/${name}:1.${index % 50}`,
    env: Array.from({ length: 14 }, (_, n) => ({ name: `SETTING_NUMBER_${n}`, value: `value-${index % 50}-${n}-${'x'.repeat(24)}` })),
    ports: [{ containerPort: 8080, name: `http-${name}`, protocol: 'TCP' }],
    resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } },
    livenessProbe: probe,
    readinessProbe: probe,
    volumeMounts: [{ name: 'data', mountPath: '/data' }],
  });
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `pod-${index}`,
      namespace: NAMESPACE,
      labels,
      annotations: { 'example.com/config-hash': `${index % 50}`.repeat(32) },
    },
    spec: {
      nodeName: `node-${index % 100}`,
      containers: [container('web'), container('proxy')],
      volumes: [{ name: 'data', emptyDir: {} }],
      tolerations: [{ key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }],
    },
  };
}

function isOperatorWrite(line: string): boolean {
  const labels: Record<string, string> = {};
  for (const [, name, value] of line.matchAll(/(\w+)="([^"]*)"/g)) labels[name ?? ''] = value ?? '';
  const { resource = '', subresource, verb = '' } = labels as { resource?: string; subresource?: string; verb?: string };
  if (!WRITES.has(verb)) return false;
  return resource === 'websites' ? subresource === 'status' : (CHILDREN as readonly string[]).includes(resource);
}

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { KubernetesObject } from '../../../src/kubernetes/apimachinery/index.js';
import type { KeyPair } from '../../../src/kubernetes/certificates/index.js';
import { HANG_MS } from '../../deadline.cjs';
import { eventually } from '../../eventually.js';
import { ApiClient, type ApiResponse, type Method, type RequestOptions } from './api-client.js';
import { type AuditEntry, readAuditLog } from './audit.js';
import { ResourcePaths } from './resource-paths.js';
import { RequestRefused } from './status.js';

/** All that is needed to talk to a running cluster: plain JSON, so that it passes from jest's parent process to its workers. */
export interface ClusterConnection {
  readonly url: string;
  readonly ca: string;
  /** Signs certificates of clients. */
  readonly authority?: KeyPair;
  readonly tokens: Readonly<Record<string, string>>;
  readonly kubeconfig: string;
  readonly auditFile: string;
  readonly directory: string;
  readonly kubectl: string;
  readonly controllerManager: boolean;
  /** Where the API server asks for the addresses of Services, see `ServiceNetwork`. */
  readonly serviceSocket?: string;
  /** What it held before the first suite. Undefined: it is not shared. */
  readonly inventory?: readonly string[];
}

/** An object as a test writes it. */
export interface TestObject extends KubernetesObject {
  readonly [field: string]: unknown;
}

/** What is read of a CustomResourceDefinition. */
interface Definition {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly plural: string };
    readonly versions: readonly { readonly name: string; readonly served: boolean }[];
  };
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** The document of a version of a group. */
interface Discovered {
  readonly resources: readonly { readonly name: string }[];
}

export interface KubectlResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running cluster as a test sees it. */
export class Cluster {
  readonly connection: ClusterConnection;
  readonly paths: ResourcePaths;
  readonly #client: ApiClient;
  readonly #auditOffset: number;

  constructor(connection: ClusterConnection) {
    this.connection = connection;
    this.#client = new ApiClient(connection);
    this.paths = new ResourcePaths(this.#client);
    this.#auditOffset = statSync(connection.auditFile).size;
  }

  get url(): string {
    return this.connection.url;
  }

  get kubeconfig(): string {
    return this.connection.kubeconfig;
  }

  get adminToken(): string {
    return this.connection.tokens['admin'] as string;
  }

  request<T = unknown>(method: Method, path: string, body?: unknown, options?: RequestOptions): Promise<ApiResponse<T>> {
    return this.#client.request<T>(method, path, body, options);
  }

  /** As {@link request}, for what must succeed. Errors: {@link RequestRefused}. */
  async must<T = TestObject>(method: Method, path: string, body?: unknown, options?: RequestOptions): Promise<T> {
    const response = await this.request<T>(method, path, body, options);
    if (response.status >= 300) throw new RequestRefused(`${method} ${path}`, response.status, response.body);
    return response.body;
  }

  /** Runs the real kubectl. The caller judges the exit code. */
  kubectl(parameters: readonly string[], options: { stdin?: string; user?: string } = {}): Promise<KubectlResult> {
    const fixed = [
      `--kubeconfig=${this.kubeconfig}`,
      `--context=${options.user ?? 'admin'}`,
      `--cache-dir=${join(this.connection.directory, 'kubectl')}`,
    ];
    return new Promise((resolve, reject) => {
      const child = spawn(this.connection.kubectl, [...fixed, ...parameters], {
        stdio: ['pipe', 'pipe', 'pipe'],
        // Commands that wait have a timeout of their own.
        timeout: HANG_MS,
        killSignal: 'SIGKILL',
      });
      let [stdout, stderr] = ['', ''];
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        stdout += text;
      });
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        stderr += text;
      });
      child.on('error', reject);
      child.on('close', (code) => resolve({ code: code ?? -1, stdout, stderr }));
      // One that ends early breaks the pipe; its exit code says more.
      child.stdin.on('error', () => undefined).end(options.stdin ?? '');
    });
  }

  /** Every request that the API server has answered since this suite has the cluster, in the order of the answers. */
  audit(): AuditEntry[] {
    return readAuditLog(this.connection.auditFile, this.#auditOffset);
  }

  /** Makes a namespace of a fresh name, so that suites do not see each other's objects. */
  async namespace(prefix: string, labels: Readonly<Record<string, string>> = {}): Promise<string> {
    const name = `${prefix}-${randomBytes(4).toString('hex')}`;
    await this.must('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
    if (this.connection.controllerManager) await this.until(`/api/v1/namespaces/${name}/serviceaccounts/default`, () => true);
    return name;
  }

  /** Waits until an object is there and meets the condition. Errors: one that shows the last answer. */
  async until<T = TestObject>(path: string, condition: (object: T) => boolean): Promise<T> {
    let last: ApiResponse<T> | undefined;
    const ask = async (): Promise<ApiResponse<T> | undefined> => {
      last = await this.request<T>('GET', path);
      return last.status === 200 && condition(last.body) ? last : undefined;
    };
    return (await eventually(ask, () => `${path}: ${condition.toString()}; it is ${last?.status} ${JSON.stringify(last?.body)}`)).body;
  }

  /** Waits until the kinds of a definition are served, and discovery shows them: a kube-apiserver calls them established up to half a second before, on a busy machine. */
  async untilServed(definition: string): Promise<void> {
    const { spec } = await this.until<Definition>(
      `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${definition}`,
      ({ status }) => status?.conditions?.some(({ type, status: is }) => type === 'Established' && is === 'True') === true,
    );
    for (const { name } of spec.versions.filter(({ served }) => served)) {
      const version = `/apis/${spec.group}/${name}`;
      await this.until(`${version}/${spec.names.plural}`, () => true);
      await this.until<Discovered>(version, ({ resources }) => resources.some((resource) => resource.name === spec.names.plural));
    }
  }

  /** Frees the sockets; the cluster goes on. */
  disconnect(): void {
    this.#client.close();
  }
}

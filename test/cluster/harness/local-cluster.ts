import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Binaries } from '../../../scripts/cluster/binaries.js';
import { kubeconfigOf } from '../../../scripts/cluster/kubeconfig.js';
import { byToken } from '../../../scripts/cluster/token-users.js';
import {
  auditFileOf,
  Component,
  ComponentError,
  type ComponentOptions,
  controllerManager,
  etcd,
  freeSite,
  Guardian,
  kubeApiServer,
  type Site,
  urlOf,
} from '../../../src/testing/cluster/control-plane/index.js';
import { Cluster } from './cluster.js';
import { CONTROLLER_MANAGER, type Credentials, writeCredentials } from './credentials.js';
import { requiredBinaries } from './required-binaries.js';
import { egressSelector } from './service-network.js';

const PRIVATE = { mode: 0o600 };
const PORT_ATTEMPTS = 3;

export interface ClusterOptions {
  /** Garbage collection, namespace deletion, aggregated roles, Deployments that make Pods. Default false: without it the start is sooner. */
  readonly controllerManager?: boolean;
  /** Users of the token file beside `admin`, with their groups. Default none. */
  readonly users?: Readonly<Record<string, readonly string[]>>;
  /** Appended to the flags of the API server, for example `--feature-gates=…`. */
  readonly apiServerFlags?: readonly string[];
}

/** A cluster of this process: its parts can be stopped, killed, paused and started again. */
export class LocalCluster extends Cluster {
  readonly etcd: Component;
  readonly apiServer: Component;
  readonly controllerManager: Component | undefined;
  readonly #guardian: Guardian;

  constructor(cluster: Cluster, parts: ControlPlane) {
    super(cluster.connection);
    this.etcd = parts.etcd;
    this.apiServer = parts.apiServer;
    this.controllerManager = parts.controllerManager;
    this.#guardian = parts.guardian;
  }

  /** Ends every process and removes the data. Nothing is asked nicely: the data is thrown away. */
  async stop(): Promise<void> {
    this.disconnect();
    for (const part of [this.controllerManager, this.apiServer, this.etcd]) await part?.kill();
    await this.#guardian.finish();
  }
}

interface ControlPlane {
  readonly etcd: Component;
  readonly apiServer: Component;
  readonly controllerManager: Component | undefined;
  readonly guardian: Guardian;
}

/**
 * Starts etcd, kube-apiserver and, if wanted, kube-controller-manager on free ports of the loopback interface.
 *
 * Guarantees: when it resolves, requests are served; when this process ends, however it ends, so do they, and their data is removed.
 * Errors: the binaries are not there; {@link ComponentError} with the end of the log.
 */
export async function startCluster(options: ClusterOptions = {}): Promise<LocalCluster> {
  const binaries = requiredBinaries();
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOnce(binaries, options);
    } catch (error) {
      // The ports were free when we looked; on a busy machine somebody may have been quicker.
      if (attempt === PORT_ATTEMPTS || !(error instanceof ComponentError) || !error.isPortTaken) throw error;
    }
  }
}

async function startOnce(binaries: Binaries, options: ClusterOptions): Promise<LocalCluster> {
  const directory = mkdtempSync(join(tmpdir(), 'keelson-cluster-'));
  const guardian = new Guardian(directory);
  try {
    for (const folder of ['controller-manager', 'kubectl']) mkdirSync(join(directory, folder));
    return await startParts({ binaries, options, guardian, site: await freeSite(directory) });
  } catch (error) {
    await guardian.finish();
    throw error;
  }
}

interface StartRequest {
  readonly binaries: Binaries;
  readonly options: ClusterOptions;
  readonly guardian: Guardian;
  readonly site: Site;
}

async function startParts({ binaries, options, guardian, site }: StartRequest): Promise<LocalCluster> {
  const { paths } = binaries;
  const managed = options.controllerManager === true;
  const managerCommand = paths['kube-controller-manager'];
  if (managed && managerCommand === undefined) throw new Error(`no kube-controller-manager in ${binaries.directory}`);
  const credentials = writeCredentials(site.directory, options.users ?? {});
  const store = new Component(etcd(site, paths.etcd as string), guardian);
  const server = new Component(apiServer(site, { command: paths['kube-apiserver'] as string, credentials, options }), guardian);
  await store.start();
  await server.start();
  const kubeconfig = join(site.directory, 'kubeconfig');
  const ca = credentials.authority.certificate;
  const endpoint = { name: 'test', url: urlOf(site), authority: ca };
  const { [CONTROLLER_MANAGER]: managerToken, ...tokens } = credentials.tokens;
  writeFileSync(kubeconfig, kubeconfigOf(endpoint, byToken(tokens)), PRIVATE);
  const cluster = new Cluster({
    url: endpoint.url,
    ca,
    authority: credentials.authority,
    tokens,
    kubeconfig,
    auditFile: auditFileOf(site),
    directory: site.directory,
    kubectl: paths.kubectl as string,
    controllerManager: managed,
    serviceSocket: serviceSocketOf(site),
  });
  let manager: Component | undefined;
  if (managed) {
    const managerConfig = kubeconfigOf(endpoint, { [CONTROLLER_MANAGER]: { token: managerToken } });
    manager = new Component(managerOf(site, { command: managerCommand as string, credentials, kubeconfig: managerConfig }), guardian);
    await manager.start();
    await cluster.until('/api/v1/namespaces/default/serviceaccounts/default', () => true);
  }
  return new LocalCluster(cluster, { etcd: store, apiServer: server, controllerManager: manager, guardian });
}

/** Beyond it nobody listens, and every Service is out of reach, until a suite opens a `ServiceNetwork`. */
const serviceSocketOf = ({ directory }: Site): string => join(directory, 'services.sock');

interface ServerOptions {
  readonly command: string;
  readonly credentials: Credentials;
  readonly options: ClusterOptions;
}

function apiServer(site: Site, { command, credentials, options }: ServerOptions): ComponentOptions {
  const { serviceAccountKeyFile, tokenFile, tokens, authorityFile, certificateFile, keyFile, authority } = credentials;
  const egress = join(site.directory, 'egress.json');
  writeFileSync(egress, JSON.stringify(egressSelector(serviceSocketOf(site))));
  return kubeApiServer(site, {
    command,
    serviceAccountKeyFile,
    hasControllers: options.controllerManager === true,
    auditPolicy: AUDIT_POLICY,
    flags: [
      `--cert-dir=${site.directory}`,
      `--tls-cert-file=${certificateFile}`,
      `--tls-private-key-file=${keyFile}`,
      `--client-ca-file=${authorityFile}`,
      `--egress-selector-config-file=${egress}`,
      // One file, however long: suites know where in it they began.
      '--audit-log-maxsize=100000',
      `--token-auth-file=${tokenFile}`,
      '--shutdown-delay-duration=0s',
      ...(options.apiServerFlags ?? []),
    ],
    asker: () => ({ ca: authority.certificate, headers: { authorization: `Bearer ${tokens['admin']}` } }),
  });
}

interface ManagerOptions {
  readonly command: string;
  readonly credentials: Credentials;
  /** Its text. */
  readonly kubeconfig: string;
}

function managerOf(site: Site, { command, credentials, kubeconfig: text }: ManagerOptions): ComponentOptions {
  const kubeconfig = join(site.directory, 'controller-manager.kubeconfig');
  writeFileSync(kubeconfig, text, PRIVATE);
  const certificates = join(site.directory, 'controller-manager');
  return controllerManager(site, {
    command,
    kubeconfig,
    serviceAccountKeyFile: credentials.serviceAccountKeyFile,
    authorityFile: credentials.authorityFile,
    // What its counting of quotas has missed, as its watches are late each on its own, it finds in a round over all of them: after five minutes by default.
    flags: [`--cert-dir=${certificates}`, '--resource-quota-sync-period=10s'],
    asker: () => ({ ca: readFileSync(join(certificates, 'kube-controller-manager.crt')) }),
  });
}

/** As the one of `TestCluster`, but with the bodies that say who leads. */
const AUDIT_POLICY = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  rules: [
    { level: 'None', nonResourceURLs: ['/readyz*', '/livez*', '/healthz*'] },
    { level: 'Request', resources: [{ group: 'coordination.k8s.io', resources: ['leases'] }] },
    { level: 'Metadata' },
  ],
};

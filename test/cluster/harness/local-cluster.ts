import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Binaries, findBinaries } from '../../../scripts/cluster/binaries.js';
import { Component, ComponentError, etcd, freePorts, Guardian } from '../../../src/testing/cluster/control-plane/index.js';
import { Cluster } from './cluster.js';
import { apiServer, auditFileOf, caFileOf, controllerManager, type Site, urlOf } from './control-plane.js';
import { writeCredentials, writeKubeconfig } from './credentials.js';

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
  const search = findBinaries();
  if (!search.found) throw new Error(search.reason);
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOnce(search.binaries, options);
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
    return await startParts({ binaries, options, guardian, site: await chooseSite(directory) });
  } catch (error) {
    await guardian.finish();
    throw error;
  }
}

async function chooseSite(directory: string): Promise<Site> {
  const [etcdClient, etcdPeer, apiServerPort, controllerManagerPort] = (await freePorts(4)) as unknown as readonly [
    number,
    number,
    number,
    number,
  ];
  for (const folder of ['apiserver', 'controller-manager', 'kubectl']) mkdirSync(join(directory, folder));
  return { directory, ports: { etcdClient, etcdPeer, apiServer: apiServerPort, controllerManager: controllerManagerPort } };
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
  const serverOptions = {
    command: paths['kube-apiserver'] as string,
    credentials,
    serviceAccounts: managed,
    extraFlags: options.apiServerFlags ?? [],
  };
  const server = new Component(apiServer(site, serverOptions), guardian);
  await store.start();
  await server.start();
  const [kubeconfig, managerKubeconfig] = [join(site.directory, 'kubeconfig'), join(site.directory, 'controller-manager.kubeconfig')];
  const endpoint = { url: urlOf(site), caFile: caFileOf(site) };
  const { 'system:kube-controller-manager': managerToken, ...tokens } = credentials.tokens;
  writeKubeconfig(kubeconfig, endpoint, tokens);
  const cluster = new Cluster({
    url: endpoint.url,
    ca: readFileSync(endpoint.caFile, 'utf8'),
    tokens,
    kubeconfig,
    auditFile: auditFileOf(site),
    directory: site.directory,
    kubectl: paths.kubectl as string,
    controllerManager: managed,
  });
  let manager: Component | undefined;
  if (managed) {
    writeKubeconfig(managerKubeconfig, endpoint, { 'system:kube-controller-manager': managerToken as string });
    manager = new Component(
      controllerManager(site, { command: managerCommand as string, kubeconfig: managerKubeconfig, credentials }),
      guardian,
    );
    await manager.start();
    await cluster.until('/api/v1/namespaces/default/serviceaccounts/default', () => true);
  }
  return new LocalCluster(cluster, { etcd: store, apiServer: server, controllerManager: manager, guardian });
}

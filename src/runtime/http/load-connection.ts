import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../clock/index.js';
import type { Connection } from './connection.js';
import { ConnectionSettingsError } from './errors.js';
import { inClusterConnection, isInCluster } from './in-cluster.js';
import { kubeconfigPaths, readKubeconfig } from './kubeconfig.js';
import { kubeconfigConnection } from './kubeconfig-connection.js';
import type { LoadClientNode } from './plugin-access.js';
import { proxyFromEnvironment } from './proxy.js';

/** Options of {@link loadConnection}. */
export interface LoadConnectionOptions {
  /** Path of the kubeconfig. @defaultValue what the environment says */
  readonly kubeconfig?: string | undefined;
  /** A context of the kubeconfig; it excludes the in-cluster configuration. @defaultValue the current one */
  readonly context?: string | undefined;
  /** Variables of the environment: `KUBECONFIG`, `KUBERNETES_SERVICE_HOST`, `KUBERNETES_SERVICE_PORT`, and those of a proxy. @defaultValue process.env */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** The directory that holds `.kube/config`. @defaultValue that of the user of this process */
  readonly homeDirectory?: string | undefined;
  /** Decides when credentials are read again. @defaultValue the system's */
  readonly clock?: Clock | undefined;
  /** Loads the package that runs login plugins. @defaultValue imports `@kubernetes/client-node`, only for users that log in by a plugin */
  readonly loadClientNode?: LoadClientNode | undefined;
}

/**
 * Finds out where the API server is: the given kubeconfig, else the variable `KUBECONFIG`, else the service account of the Pod, else `~/.kube/config`. The
 * order is controller-runtime's. A `proxy-url` of the kubeconfig is used, else the proxy of the variables `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, as client-go
 * reads them.
 *
 * @example
 * ```ts
 * const client = createClient({ connection: await loadConnection({ context: 'staging' }) });
 * ```
 *
 * @throws ConnectionSettingsError naming the files that were looked at, and what the one that was found lacks
 */
export async function loadConnection(options: LoadConnectionOptions = {}): Promise<Connection> {
  const { environment = process.env } = options;
  const connection = await connectionOfCluster(environment, options);
  const proxy = connection.proxy ?? proxyFromEnvironment(connection.server, environment);
  return proxy === connection.proxy ? connection : Object.freeze({ ...connection, proxy });
}

async function connectionOfCluster(
  environment: NonNullable<LoadConnectionOptions['environment']>,
  options: LoadConnectionOptions,
): Promise<Connection> {
  const { kubeconfig, context, clock } = options;
  if (kubeconfig !== undefined) return kubeconfigConnection(await readKubeconfig([kubeconfig]), options);
  const listed = kubeconfigPaths(environment['KUBECONFIG'] ?? '');
  if (listed.length > 0) return kubeconfigConnection(await readKubeconfig(listed, { mayLack: true }), options);
  if (context === undefined && isInCluster(environment)) return inClusterConnection({ environment, clock });
  const standard = join(options.homeDirectory ?? homedir(), '.kube', 'config');
  if (existsSync(standard)) return kubeconfigConnection(await readKubeconfig([standard]), options);
  throw new ConnectionSettingsError(
    `no API server is configured: no kubeconfig was given, KUBECONFIG is not set, this is not a Pod (KUBERNETES_SERVICE_HOST is not set) and ${standard} does not exist`,
  );
}

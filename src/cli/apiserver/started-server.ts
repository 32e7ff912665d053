import type { ApiServerOptions } from '../../api-server/index.js';

/** A server that listens, for a command that runs it until it is interrupted. */
export interface StartedServer {
  readonly url: string;
  /** An administrator's. */
  readonly kubeconfig: string;
  close(): Promise<void>;
}

/**
 * Starts the API server and creates `manifests` in it. Without manifests the API server is all that is loaded; they need the client of the runtime too.
 *
 * @throws ApiServerError for a port that is taken
 * @throws TestClusterError for a manifest that cannot be read or is refused; nothing is left running then
 */
export async function startServer(
  options: Pick<ApiServerOptions, 'mode' | 'port' | 'workloads'>,
  manifests: readonly string[],
): Promise<StartedServer> {
  if (manifests.length === 0) {
    const { ApiServer } = await import('../../api-server/index.js');
    const server = await ApiServer.start(options);
    return { url: server.url, kubeconfig: server.kubeconfig(), close: () => server.close() };
  }
  const { TestCluster } = await import('../../testing/index.js');
  const cluster = await TestCluster.start({ ...options, manifests });
  return { url: cluster.server.url, kubeconfig: await cluster.kubeconfig(), close: () => cluster.close() };
}

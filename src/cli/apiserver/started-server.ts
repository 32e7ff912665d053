import type { ApiServerOptions } from '@keelson/api-server';

/** A server that listens, for a command that runs it until it is interrupted. */
export interface StartedServer {
  readonly url: string;
  /** An administrator's. */
  readonly kubeconfig: string;
  close(): Promise<void>;
}

/** Options of the server that the command offers. */
export type ServerOptions = Pick<
  ApiServerOptions,
  'certificateFolder' | 'dataFolder' | 'features' | 'mode' | 'port' | 'services' | 'workloads'
>;

/** Manifests that are created first. */
export interface FirstManifests {
  readonly paths: readonly string[];
  /** Called with the text of each refusal. The server stays: the manifest can be mended and created again. */
  readonly onRefused: (message: string) => void;
}

/**
 * Starts the API server and creates the manifests in it. Without manifests the API server is all that is loaded; they need the client of the runtime too.
 * Objects that an earlier server has kept are left as they are.
 *
 * @throws ApiServerError for a port that is taken, and for a folder that cannot be used
 * @throws TestClusterError for a manifest that cannot be read; nothing is left running then
 */
export async function startServer(options: ServerOptions, { paths: manifests, onRefused }: FirstManifests): Promise<StartedServer> {
  if (manifests.length === 0) {
    const { ApiServer } = await import('@keelson/api-server');
    const server = await ApiServer.start(options);
    return { url: server.url, kubeconfig: server.kubeconfig(), close: () => server.close() };
  }
  const { TestCluster } = await import('@keelson/testing');
  const { isAlreadyExists } = await import('@keelson/runtime/internal/client');
  const cluster = await TestCluster.start({
    ...options,
    manifests,
    onRefused(refusal) {
      if (options.dataFolder === undefined || !isAlreadyExists(refusal.cause)) onRefused(refusal.message);
    },
  });
  return { url: cluster.server.url, kubeconfig: await cluster.kubeconfig(), close: () => cluster.close() };
}

import type { Clock } from '@keelson/api-server';
import type { Nothing, Operator } from 'keelson/internal/definition';
import { TestClusterError } from './errors.js';
import type { ExistingCluster } from './existing-cluster.js';
import type { InProcessCluster } from './in-process-cluster.js';
import type { KubeApiServerCluster } from './kube-apiserver-cluster.js';
import type { ExistingOptions, InProcessOptions, KubeApiServerOptions, TestClusterOptions } from './options.js';
import type { RunningCluster } from './running-cluster.js';

/** An API server under a test, of whatever kind: a suite that takes no more runs on all of them. */
export type TestCluster<TExternals = Nothing> = RunningCluster<TExternals>;

/** `startOperator` asks for the operator's externals. */
interface Installing<TExternals> {
  readonly operator?: Operator<TExternals>;
}

export interface TestClusters {
  /** In this process: with faults, and a clock where one is given. */
  start<TClock extends Clock = Clock, TExternals = Nothing>(
    options?: InProcessOptions<TClock> & Installing<TExternals>,
  ): Promise<InProcessCluster<TClock, TExternals>>;
  /** On real binaries. @throws TestClusterError naming what is not there, and how to get it */
  start<TExternals = Nothing>(options: KubeApiServerOptions & Installing<TExternals>): Promise<KubeApiServerCluster<TExternals>>;
  /** On a cluster that is there. */
  start<TExternals = Nothing>(options: ExistingOptions & Installing<TExternals>): Promise<ExistingCluster<TExternals>>;
  /** On what the options say. */
  start<TExternals = Nothing>(options: TestClusterOptions & Installing<TExternals>): Promise<TestCluster<TExternals>>;
}

/**
 * Starts API servers for tests.
 *
 * @example
 * ```ts
 * const cluster = await TestCluster.start({ operator });
 * const running = await cluster.startOperator();
 * await cluster.create(Memcached({ metadata: { name: 'sessions' }, spec: { size: 3 } }));
 * await cluster.settled();
 * cluster.requests.expectNoneDenied();
 * await cluster.close();
 * ```
 *
 * @throws what the installation of the given content throws; nothing is left running then
 */
export const TestCluster: TestClusters = Object.freeze({ start: start as TestClusters['start'] });

/** Each server is loaded when it is wanted: the in-process one does not pay for the others, nor a test of pure functions for any. */
async function start(options: TestClusterOptions = {}): Promise<RunningCluster> {
  switch (options.server) {
    case 'kube-apiserver':
      return (await import('./kube-apiserver-cluster.js')).KubeApiServerCluster.start(options);
    case 'existing':
      return (await import('./existing-cluster.js')).ExistingCluster.start(options);
    case 'in-process':
    case undefined:
      return (await import('./in-process-cluster.js')).InProcessCluster.start(options);
    default: {
      const { server } = options as { readonly server: unknown };
      throw new TestClusterError(`server: ${JSON.stringify(server)} is not known: choose in-process, kube-apiserver or existing`);
    }
  }
}

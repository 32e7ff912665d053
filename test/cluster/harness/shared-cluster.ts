import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findBinaries } from '../../../scripts/cluster/binaries.js';
import { Cluster, type ClusterConnection } from './cluster.js';
import { type ClusterOptions, type LocalCluster, startCluster } from './local-cluster.js';
import { inventoryOf, sweep } from './sweep.js';

/** The connections pass from jest's parent process to its workers through the environment, which they inherit: paths of files, by sort, one for each worker. */
const CONNECTION_FILES = 'KEELSON_TEST_CLUSTERS';
const ABSENCE = 'KEELSON_TEST_CLUSTER_ABSENT';

/** Users that suites may ask as; they have no rights of their own. */
const TEST_USERS = { developer: ['developers'], stranger: [], reader: [], boss: [], ann: ['dev'], bob: [] } as const;

/** `managed` has controllers; on a `bare` one only suites write, as in Go's envtest. */
export type PlaneSort = 'bare' | 'managed';

/** Control planes of the pool differ by what no namespace can keep apart. */
const PLANES: Readonly<Record<PlaneSort, ClusterOptions>> = {
  bare: { users: TEST_USERS, apiServerFlags: ['--allow-privileged=true'] },
  managed: {
    users: TEST_USERS,
    controllerManager: true,
    apiServerFlags: [
      '--allow-privileged=true',
      // Lists are asked for page by page here; on a bare one, and in the process, they are streamed.
      '--feature-gates=WatchList=false',
      '--enable-admission-plugins=OwnerReferencesPermissionEnforcement',
    ],
  },
};

/**
 * Starts the pool: for each worker of a jest run a control plane of each sort, which its suites use one after the other. Suites install cluster-scoped objects
 * (webhook configurations, policies, definitions), so two suites that run at the same time need two control planes.
 *
 * Without binaries the suites are skipped and say why; in CI that would hide the loss of a whole test stage, so it is an error there.
 *
 * @public jest's setup file loads it through tsx, where knip does not follow.
 */
export async function startSharedClusters(workers: number): Promise<readonly LocalCluster[]> {
  const search = findBinaries();
  if (!search.found) {
    if (process.env['CI']) throw new Error(`the cluster suites cannot run: ${search.reason}`);
    process.stderr.write(`The suites against a real API server are skipped: ${search.reason}\n`);
    process.env[ABSENCE] = search.reason;
    return [];
  }
  const hasManager = search.binaries.paths['kube-controller-manager'] !== undefined;
  const sorts = (['bare', 'managed'] as const).flatMap((sort) => Array.from({ length: workers }, () => sort));
  const started = await Promise.allSettled(
    sorts.map(async (sort) => startCluster({ ...PLANES[sort], controllerManager: sort === 'managed' && hasManager })),
  );
  const clusters = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  try {
    for (const one of started) if (one.status === 'rejected') throw one.reason;
    const files = await Promise.all(clusters.map(connectionFile));
    process.env[CONNECTION_FILES] = JSON.stringify({ bare: files.slice(0, workers), managed: files.slice(workers) });
    return clusters;
  } catch (error) {
    await Promise.all(clusters.map((cluster) => cluster.stop()));
    throw error;
  }
}

async function connectionFile(cluster: LocalCluster): Promise<string> {
  const { connection } = cluster;
  if (connection.controllerManager)
    for (const namespace of ['default', 'kube-node-lease', 'kube-public', 'kube-system'])
      for (const made of ['serviceaccounts/default', 'configmaps/kube-root-ca.crt'])
        await cluster.until(`/api/v1/namespaces/${namespace}/${made}`, () => true);
  const file = join(connection.directory, 'connection.json');
  writeFileSync(file, JSON.stringify({ ...connection, inventory: await inventoryOf(cluster) }), { mode: 0o600 });
  return file;
}

/** What the parent process left for this worker. */
export function sharedConnection(sort: PlaneSort): ClusterConnection | { readonly absent: string } {
  const files = JSON.parse(process.env[CONNECTION_FILES] ?? '{}') as Readonly<Partial<Record<PlaneSort, readonly string[]>>>;
  const { [sort]: own = [] } = files;
  // Jest counts its workers from 1; a worker that is started anew keeps its number.
  const file = own[Number(process.env['JEST_WORKER_ID'] ?? '1') - 1];
  if (file !== undefined) return JSON.parse(readFileSync(file, 'utf8')) as ClusterConnection;
  if (own.length > 0) throw new Error(`worker ${process.env['JEST_WORKER_ID']} has no cluster: ${own.length} were started`);
  return { absent: process.env[ABSENCE] ?? 'run through jest.cluster.config.mjs, which starts the cluster' };
}

/** A control plane of the pool, which is this worker's alone. */
export class SharedCluster extends Cluster {
  /** @throws Error where there is none; `describeCluster` skips its suites then */
  static take(sort: PlaneSort): SharedCluster {
    const connection = sharedConnection(sort);
    if ('absent' in connection) throw new Error(connection.absent);
    return new SharedCluster(connection);
  }

  /** Deletes what a suite has made. The control plane goes on, for the next one. */
  async stop(): Promise<void> {
    await sweep(this, this.connection.inventory ?? []);
    this.disconnect();
  }
}

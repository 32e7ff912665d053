import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findBinaries } from '../../../scripts/cluster/binaries.js';
import type { ClusterConnection } from './cluster.js';
import { type LocalCluster, startCluster } from './local-cluster.js';

/** The connections pass from jest's parent process to its workers through the environment, which they inherit: paths of files, one for each worker. */
const CONNECTION_FILES = 'KEELSON_TEST_CLUSTERS';
const ABSENCE = 'KEELSON_TEST_CLUSTER_ABSENT';

/** Users that suites may ask as; they have no rights of their own. */
const TEST_USERS = { developer: ['developers'], stranger: [] } as const;

/**
 * Starts a cluster for each worker of a jest run; the suites of one worker share it. Suites install cluster-scoped objects (webhook configurations, policies,
 * definitions), so two suites that run at the same time need two clusters.
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
  const controllerManager = search.binaries.paths['kube-controller-manager'] !== undefined;
  const started = await Promise.allSettled(Array.from({ length: workers }, () => startCluster({ controllerManager, users: TEST_USERS })));
  const clusters = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failed = started.find((one) => one.status === 'rejected');
  if (failed !== undefined) {
    await Promise.all(clusters.map((cluster) => cluster.stop()));
    throw failed.reason;
  }
  process.env[CONNECTION_FILES] = JSON.stringify(clusters.map(connectionFile));
  return clusters;
}

function connectionFile({ connection }: LocalCluster): string {
  const file = join(connection.directory, 'connection.json');
  writeFileSync(file, JSON.stringify(connection), { mode: 0o600 });
  return file;
}

/** What the parent process left for this worker. */
export function sharedConnection(): ClusterConnection | { readonly absent: string } {
  const files = JSON.parse(process.env[CONNECTION_FILES] ?? '[]') as readonly string[];
  // Jest counts its workers from 1; a worker that is started anew keeps its number.
  const file = files[Number(process.env['JEST_WORKER_ID'] ?? '1') - 1];
  if (file !== undefined) return JSON.parse(readFileSync(file, 'utf8')) as ClusterConnection;
  if (files.length > 0) throw new Error(`worker ${process.env['JEST_WORKER_ID']} has no cluster: ${files.length} were started`);
  return { absent: process.env[ABSENCE] ?? 'run through jest.cluster.config.mjs, which starts the cluster' };
}

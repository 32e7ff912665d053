import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findBinaries } from '../../../scripts/cluster/binaries.js';
import type { ClusterConnection } from './cluster.js';
import { type LocalCluster, startCluster } from './local-cluster.js';

/** How the connection passes from jest's parent process to its workers: they inherit the environment. */
const CONNECTION_FILE = 'KEELSON_TEST_CLUSTER';
const ABSENCE = 'KEELSON_TEST_CLUSTER_ABSENT';

/** Users that suites may ask as; they have no rights of their own. */
const TEST_USERS = { developer: ['developers'], stranger: [] } as const;

/**
 * Starts the one cluster that all suites of a jest run share.
 *
 * Without binaries the suites are skipped and say why; in CI that would hide the loss of a whole test stage, so it is an error there.
 *
 * @public jest's setup file loads it through tsx, where knip does not follow.
 */
export async function startSharedCluster(): Promise<LocalCluster | undefined> {
  const search = findBinaries();
  if (!search.found) {
    if (process.env['CI']) throw new Error(`the cluster suites cannot run: ${search.reason}`);
    process.stderr.write(`The suites against a real API server are skipped: ${search.reason}\n`);
    process.env[ABSENCE] = search.reason;
    return undefined;
  }
  const controllerManager = search.binaries.paths['kube-controller-manager'] !== undefined;
  const cluster = await startCluster({ controllerManager, users: TEST_USERS });
  const file = join(cluster.connection.directory, 'connection.json');
  writeFileSync(file, JSON.stringify(cluster.connection), { mode: 0o600 });
  process.env[CONNECTION_FILE] = file;
  return cluster;
}

/** What the parent process left for this worker. */
export function sharedConnection(): ClusterConnection | { readonly absent: string } {
  const file = process.env[CONNECTION_FILE];
  if (file !== undefined) return JSON.parse(readFileSync(file, 'utf8')) as ClusterConnection;
  return { absent: process.env[ABSENCE] ?? 'run through jest.cluster.config.mjs, which starts the cluster' };
}

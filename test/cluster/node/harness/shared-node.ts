import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findNodeTools } from '../../../../scripts/cluster/node/node-tools.js';
import { type OneNodeCluster, startOneNodeCluster } from '../../../../scripts/cluster/node/one-node-cluster.js';
import { auditFileOf, urlOf } from '../../../../scripts/cluster/node/site.js';
import { ABSENCE, CONNECTION_FILES, type NodeConnection } from './connection.js';
import { suiteImages } from './images.js';

/**
 * Starts a node for each worker of a jest run; the suites of one worker share it. Suites take webhooks away that all Pods of a node wait for, so two suites that
 * run at the same time need two nodes.
 *
 * Where a node is not possible the suites are skipped and say why; in CI that is an error.
 *
 * @public jest's setup file loads it through tsx, where knip does not follow.
 */
export async function startSharedNodes(workers: number): Promise<readonly OneNodeCluster[]> {
  const search = findNodeTools();
  if (!search.found) {
    if (process.env['CI']) throw new Error(`the suites that need a node cannot run: ${search.reason}`);
    process.stderr.write(`The suites that need a node are skipped: ${search.reason}\n`);
    process.env[ABSENCE] = search.reason;
    return [];
  }
  const images = suiteImages(process.cwd());
  const start = () => startOneNodeCluster({ images: () => images, report: (line) => process.stderr.write(`${line}\n`) });
  const started = await Promise.allSettled(Array.from({ length: workers }, start));
  const nodes = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failed = started.find((one) => one.status === 'rejected');
  if (failed !== undefined) {
    await Promise.all(nodes.map((node) => node.stop()));
    throw failed.reason;
  }
  process.env[CONNECTION_FILES] = JSON.stringify(nodes.map(connectionFile));
  return nodes;
}

/** It goes with the node: a suite that outlives the node finds no address to ask. */
function connectionFile({ site, credentials, tools, initPid }: OneNodeCluster): string {
  const connection: NodeConnection = {
    url: urlOf(site),
    ca: credentials.authority,
    tokens: credentials.tokens,
    kubeconfig: credentials.kubeconfig,
    auditFile: auditFileOf(site),
    directory: site.directory,
    kubectl: tools.kubectl,
    controllerManager: true,
    nodeAddress: site.nodeAddress,
    initPid,
  };
  const file = join(site.directory, 'connection.json');
  writeFileSync(file, JSON.stringify(connection), { mode: 0o600 });
  return file;
}

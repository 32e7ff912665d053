import { readFileSync } from 'node:fs';
import type { ClusterConnection } from '../../harness/index.js';

/** The connection passes from jest's parent process to its workers through the environment, which they inherit: paths of files, one for each worker. */
export const CONNECTION_FILES = 'KEELSON_TEST_NODES';
export const ABSENCE = 'KEELSON_TEST_NODE_ABSENT';

/** What a suite needs to reach the node. */
export interface NodeConnection extends ClusterConnection {
  /** Of the node; the machine reaches it directly, as it does the addresses of Pods and Services. */
  readonly nodeAddress: string;
  /** The process whose namespaces are those of the node. */
  readonly initPid: number;
}

/** What the parent process left for this worker. */
export function sharedNodeConnection(): NodeConnection | { readonly absent: string } {
  const files = JSON.parse(process.env[CONNECTION_FILES] ?? '[]') as readonly string[];
  // Jest counts its workers from 1; a worker that is started anew keeps its number.
  const file = files[Number(process.env['JEST_WORKER_ID'] ?? '1') - 1];
  if (file !== undefined) return JSON.parse(readFileSync(file, 'utf8')) as NodeConnection;
  if (files.length > 0) throw new Error(`worker ${process.env['JEST_WORKER_ID']} has no node: ${files.length} were started`);
  return { absent: process.env[ABSENCE] ?? 'run through jest.node.config.mjs, which starts them' };
}

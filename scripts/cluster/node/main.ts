/**
 * Starts a Kubernetes of one node in the foreground, and ends it on Ctrl-C:
 *
 *     npx tsx scripts/cluster/node/main.ts        (make cluster)
 */
import { once } from 'node:events';
import { startOneNodeCluster } from './one-node-cluster.js';

const report = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

const interrupted = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
const cluster = await startOneNodeCluster({ report });
report(`export KUBECONFIG=${cluster.credentials.kubeconfig}`);
report(`${cluster.tools.kubectl} get pods --all-namespaces`);
report(`Ctrl-C ends it, and so does: kill ${process.pid}`);
const hasEnded = cluster.ended().then(() => 'ended' as const);
if ((await Promise.race([interrupted, hasEnded])) === 'ended')
  throw new Error('the node has ended by itself; see dmesg for a lack of memory');
report('ending');
await cluster.stop();
report('nothing of it is left on this machine');

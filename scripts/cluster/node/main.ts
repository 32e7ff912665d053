/**
 * Starts a Kubernetes of one node in the foreground, and ends it on Ctrl-C:
 *
 *     npx tsx scripts/cluster/node/main.ts [EXAMPLE...]        (make cluster EXAMPLES='memcached etcd')
 *
 * With the images that the manifests of these examples ask for, made of files of this machine.
 */
import { once } from 'node:events';
import { EXAMPLES, type Example, exampleImages, type Image } from '../../images/index.js';
import { startOneNodeCluster } from './one-node-cluster.js';

const isExample = (name: string): name is Example => (EXAMPLES as readonly string[]).includes(name);
const examples = process.argv.slice(2).filter(isExample);
const unknown = process.argv.slice(2).filter((name) => !isExample(name));
if (unknown.length > 0) throw new Error(`there is no example ${unknown.join(', ')}; examples with an image are ${EXAMPLES.join(', ')}`);

async function images(): Promise<readonly Image[]> {
  const all: Image[] = [];
  for (const example of examples) all.push(...(await exampleImages(process.cwd(), example)));
  return all;
}

const report = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

const interrupted = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
const cluster = await startOneNodeCluster({ report, images });
report(`export KUBECONFIG=${cluster.credentials.kubeconfig}`);
report(`${cluster.tools.kubectl} get pods --all-namespaces`);
report(`Ctrl-C ends it, and so does: kill ${process.pid}`);
const hasEnded = cluster.ended().then(() => 'ended' as const);
if ((await Promise.race([interrupted, hasEnded])) === 'ended')
  throw new Error('the node has ended by itself; see dmesg for a lack of memory');
report('ending');
await cluster.stop();
report('nothing of it is left on this machine');

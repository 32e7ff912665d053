import { loadavg } from 'node:os';
import { Deployment, Pod } from 'keelson/kinds';
import { helmChart } from 'keelson/packaging';
import { memcachedPackage } from '../examples/memcached/package.js';
import { findBinaries } from '../scripts/cluster/binaries.js';
import { findTool } from '../scripts/cluster/go-tool.js';
import { ChartFolder } from '../test/cluster/helm/chart-folder.js';
import { OperatorCluster } from '../test/cluster/helm/operator-cluster.js';
import { seriesOf, shown, table } from './statistics.js';

const RELEASE = 'memcached-operator';
const REPLICAS = ['--set', 'replicas=2'];

/**
 * Another image of an operator with two replicas, by `helm upgrade`: from the start of the command until each thing has come to pass. Pods are processes on the API server in this process: they start, are
 * probed, take over and end as the chart says, and nothing is pulled. They run from the sources, which takes a process a second more than the bundle of an image.
 */
export async function* benchRollingUpdate(rounds: number): AsyncGenerator<string> {
  const [helm, search] = [findTool('helm'), findBinaries()];
  if (!helm.found) throw new Error(helm.reason);
  if (!search.found) throw new Error(search.reason);
  const here = await OperatorCluster.start(search.binaries.paths.kubectl ?? 'kubectl');
  const chart = new ChartFolder(helm.path, helmChart(memcachedPackage));
  const run = (...args: readonly string[]): Promise<string> =>
    chart.must(...args, ...REPLICAS, '--namespace', here.namespace, '--kubeconfig', here.server.kubeconfig);
  try {
    await run('install', RELEASE, chart.path);
    await untilReady(here);
    const load = loadavg()[0] ?? Number.NaN;
    const results: (readonly number[])[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      const before = await namesIn(here);
      await here.untilLed(before);
      const started = performance.now();
      const sinceStart = (): number => (performance.now() - started) / 1000;
      await run('upgrade', RELEASE, chart.path, '--set', `image.tag=0.1.${round}`);
      const written = sinceStart();
      await untilReady(here);
      const ready = sinceStart();
      await here.cluster.until(async () => (await namesIn(here)).every((name) => !before.includes(name)));
      const gone = sinceStart();
      await here.untilLed(await namesIn(here));
      results.push([written, ready, gone, sinceStart()]);
    }
    const rows = ['`helm upgrade` has ended', 'two new Pods are ready', 'the old Pods are gone', 'a new Pod leads'].map((name, index) => {
      const { min, median } = seriesOf(results.map((times) => times[index] ?? Number.NaN));
      return [name, shown(min), shown(median)];
    });
    yield table(['s', 'min', 'median'], rows);
    yield `Rounds: ${rounds}. Load of the machine at the start: ${shown(load)}.`;
  } finally {
    await here.close();
    chart.remove();
  }
}

/** Pods of the operator, those that are ending too. */
async function namesIn({ cluster, namespace }: OperatorCluster): Promise<readonly string[]> {
  const pods = await cluster.list(Pod, { namespace, labels: { 'app.kubernetes.io/component': 'operator' } });
  return pods.map(({ metadata }) => metadata.name);
}

/** Both replicas are of the template as it is, and no other Pod counts. */
async function untilReady({ cluster, namespace }: OperatorCluster): Promise<void> {
  await cluster.until(
    Deployment,
    `${namespace}/${RELEASE}`,
    ({ metadata, status }) =>
      status?.observedGeneration === metadata.generation &&
      status?.updatedReplicas === 2 &&
      status?.readyReplicas === 2 &&
      status?.replicas === 2,
  );
}

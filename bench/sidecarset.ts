import { type InProcessCluster, mergePatch, TestCluster } from '@keelson/testing';
import { Pod } from 'keelson/kinds';
import { SYSTEM_NAMESPACE } from '../examples/sidecarset/names.js';
import { SidecarSet } from '../examples/sidecarset/sidecar-set.js';
import { operator } from '../examples/sidecarset/sidecarset-operator.js';
import { shown, table } from './statistics.js';

const OPERATOR = `system:serviceaccount:${SYSTEM_NAMESPACE}:${operator.name}`;
const AT_ONCE = 4;

/** The SidecarSet example with a thousand Pods, on the API server in the process: client, server, webhook, controller and kubelets share one thread. */
export async function* benchSidecarSet(count = 1000): AsyncGenerator<string> {
  const cluster = await TestCluster.start({
    operator,
    operatorNamespace: SYSTEM_NAMESPACE,
    workloads: { nodes: Math.ceil(count / 50) },
    namespace: 'shop',
    timeout: '600s',
    maxRequests: 100 * count,
  });
  try {
    await cluster.startOperator();
    const containers = [{ name: 'proxy', image: 'proxy:1' }];
    const spec = { selector: { matchLabels: { app: 'web' } }, containers, updateStrategy: { maxUnavailable: '10%' } };
    await cluster.create(SidecarSet({ metadata: { name: 'web' }, spec }));
    await cluster.settled();
    yield await creation(cluster, count);
    yield await rollout(cluster, count);
  } finally {
    await cluster.close();
  }
}

async function creation(cluster: InProcessCluster, count: number): Promise<string> {
  // kube-system has no webhook for Pods: what is left when it is taken away is the webhook's.
  const without = await latencies(cluster, 'kube-system', count);
  await cluster.settled();
  const { mark } = cluster.requests;
  const withSidecars = await latencies(cluster, 'shop', count);
  await cluster.until(SidecarSet, 'web', { status: { matchedPods: count, readyPods: count } });
  await cluster.settled();
  const writes = cluster.requests.since(mark).byUser(OPERATOR).length;
  const row = (title: string, values: readonly number[]): string[] => [
    title,
    ...[0.5, 0.99].map((share) => shown(quantile(values, share))),
  ];
  return [
    table(
      [`${count} Pods, ${AT_ONCE} at a time: creation, ms`, 'p50', 'p99'],
      [row('without webhook', without), row('with sidecars', withSidecars)],
    ),
    `\nThe operator asked for ${writes} writes of the status meanwhile.`,
  ].join('\n');
}

async function rollout(cluster: InProcessCluster, count: number): Promise<string> {
  const { mark } = cluster.requests;
  const before = performance.now();
  await cluster.patch(SidecarSet, 'web', mergePatch({ spec: { containers: [{ name: 'proxy', image: 'proxy:2' }] } }));
  await cluster.until(SidecarSet, 'web', { status: { observedGeneration: 2, updatedReadyPods: count } });
  const seconds = (performance.now() - before) / 1000;
  await cluster.settled();
  const requests = cluster.requests.since(mark).byUser(OPERATOR);
  const patches = requests.filter({ verb: 'patch', kind: Pod });
  const figures = [
    ['seconds until all are updated and ready', shown(seconds)],
    ['patches of Pods that were taken', `${patches.filter({ code: 200 }).length}`],
    ['patches that another write had crossed', `${patches.filter({ code: 409 }).length}`],
    ['writes of the status', `${requests.filter({ kind: SidecarSet, subresource: 'status' }).length}`],
    ['all requests', `${requests.length}`],
  ];
  return table([`A new image for ${count} Pods, 10 % at a time`, ''], figures);
}

async function latencies(cluster: InProcessCluster, namespace: string, count: number): Promise<number[]> {
  const found: number[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < count) {
      const metadata = { name: `web-${next++}`, namespace, labels: { app: 'web' } };
      const before = performance.now();
      await cluster.create(Pod, { metadata, spec: { containers: [{ name: 'app', image: 'app:1' }] } });
      found.push(performance.now() - before);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return found;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

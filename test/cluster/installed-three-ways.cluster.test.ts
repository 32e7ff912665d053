import { join } from 'node:path';
import { mergePatch } from '@keelson/testing';
import { ConfigMap, Deployment, Pod } from 'keelson/kinds';
import { Event } from 'keelson/kinds/events/v1';
import { helmChart, kustomizeFiles } from 'keelson/packaging';
import { Memcached } from '../../examples/memcached/memcached.js';
import { memcachedPackage } from '../../examples/memcached/package.js';
import { findTool } from '../../scripts/cluster/go-tool.js';
import { describeCluster } from './harness/index.js';
import { ChartFolder } from './helm/chart-folder.js';
import { OperatorCluster } from './helm/operator-cluster.js';
import { KustomizeFolder } from './kustomize/kustomize-folder.js';

const NAMESPACE = 'memcached-system';
const OPERATOR = `${NAMESPACE}/memcached-operator`;
const IS_READY = { status: { conditions: [{ type: 'Ready', status: 'True' }] } } as const;

/** How an administrator installs the operator on a server. */
const WAYS: Readonly<Record<string, (here: OperatorCluster) => Promise<void>>> = {
  helm: async ({ server }) => {
    const chart = new ChartFolder(toolPath('helm'), helmChart(memcachedPackage));
    try {
      await chart.must('install', 'memcached-operator', chart.path, '--namespace', NAMESPACE, '--kubeconfig', server.kubeconfig);
    } finally {
      chart.remove();
    }
  },
  kustomize: async ({ server }) => {
    const folder = new KustomizeFolder(toolPath('kustomize'), kustomizeFiles(memcachedPackage));
    try {
      folder.write('built.yaml', await folder.build('operator/overlays/cluster-wide'));
      await server.must('apply', '--server-side', '--filename', join(folder.path, 'built.yaml'));
    } finally {
      folder.remove();
    }
  },
  'plain apply': async ({ server }) => {
    const folder = new KustomizeFolder('', []);
    try {
      folder.write('manifests.json', JSON.stringify({ apiVersion: 'v1', kind: 'List', items: memcachedPackage.manifests() }));
      await server.must('apply', '--server-side', '--filename', join(folder.path, 'manifests.json'));
    } finally {
      folder.remove();
    }
  },
};

function toolPath(name: 'helm' | 'kustomize'): string {
  const tool = findTool(name);
  if (!tool.found) throw new Error(tool.reason);
  return tool.path;
}

describeCluster('an operator behaves the same however it is installed', ({ connection }) => {
  const seen = new Map<string, unknown>();
  for (const [way, install] of Object.entries(WAYS)) {
    test(`installed by ${way}: the story of a Memcached`, async () => {
      const here = await OperatorCluster.start(connection.kubectl, NAMESPACE);
      try {
        await install(here);
        seen.set(way, await story(here));
      } finally {
        await here.close();
      }
    });
  }

  test('the children, the status, the refusals and the events are the same', () => {
    const [first, ...others] = Object.keys(WAYS).map((way) => seen.get(way));
    expect(first).toMatchObject({ refused: expect.stringContaining('must be odd'), events: ['Deleting'] });
    for (const other of others) expect(other).toEqual(first);
  });
});

/** From the creation of a Memcached to its end. @returns what was there to see, without names and times that differ by chance */
async function story({ cluster }: OperatorCluster): Promise<object> {
  await cluster.until(Deployment, OPERATOR, { status: { readyReplicas: 1 } });
  await cluster.create(Memcached({ metadata: { name: 'cache' }, spec: { size: 1 } }));
  await cluster.until(Memcached, 'cache', IS_READY);
  await cluster.patch(Memcached, 'cache', mergePatch({ spec: { size: 3 } }));
  await cluster.until(Memcached, 'cache', ({ status }) => status?.nodes?.length === 3);
  await cluster.until(Memcached, 'cache', IS_READY);
  const refused = await cluster.create(Memcached({ metadata: { name: 'even' }, spec: { size: 2 } })).then(() => 'taken', String);
  const { spec, status } = await cluster.get(Memcached, 'cache');
  const child = await cluster.get(Deployment, 'cache');
  const pods = await cluster.list(Pod, { labels: { 'app.kubernetes.io/instance': 'cache' } });
  const others = await cluster.list(ConfigMap);
  await cluster.delete(Memcached, 'cache');
  await cluster.until(Memcached, 'cache', 'absent');
  await cluster.until(Deployment, 'cache', 'absent');
  // The operator writes its events beside its other requests: that of the deletion may come behind it.
  await cluster.until(async () => (await cluster.list(Event)).some(({ reason }) => reason === 'Deleting'));
  const events = await cluster.list(Event);
  return {
    refused,
    spec,
    conditions: status?.conditions?.map(({ type, status: is, reason, message, observedGeneration }) => ({
      type,
      is,
      reason,
      message,
      observedGeneration,
    })),
    child: {
      spec: child.spec,
      labels: child.metadata.labels,
      owners: child.metadata.ownerReferences?.map(({ uid: _uid, ...owner }) => owner),
    },
    pods: pods.map(({ spec: { containers } = {}, metadata }) => ({ containers, labels: metadata.labels })),
    others: others.map(({ metadata }) => metadata.name),
    events: [...new Set(events.flatMap(({ reason, regarding }) => (regarding?.kind === 'Memcached' ? [reason] : [])))],
  };
}

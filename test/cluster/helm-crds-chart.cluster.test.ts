import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiServer } from '@keelson/api-server';
import { defineOperatorPackage, helmChart } from 'keelson/packaging';
import { operator } from '../../examples/memcached/memcached-operator.js';
import { findTool } from '../../scripts/cluster/go-tool.js';
import { eventually } from '../eventually.js';
import { describeCluster, SharedCluster } from './harness/index.js';
import { ChartFolder } from './helm/chart-folder.js';
import { Server } from './helm/server.js';

const NAMESPACE = 'memcached-system';
const CRD = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/memcacheds.cache.example.com';
const DEPLOYMENT = `/apis/apps/v1/namespaces/${NAMESPACE}/deployments/memcached-operator`;
const WAVE = 'argocd.argoproj.io/sync-wave';

interface Charts {
  readonly operator: ChartFolder;
  readonly crds: ChartFolder;
}

/** The CustomResourceDefinitions and the operator are two releases, as GitOps tools order them. */
function releases(charts: () => Charts, server: () => Server): void {
  const run = (chart: keyof Charts, ...args: readonly string[]): Promise<string> =>
    charts()[chart].must(...args, '--namespace', NAMESPACE, '--kubeconfig', server().kubeconfig);
  interface Stored {
    readonly metadata: { readonly uid: string; readonly resourceVersion: string; readonly annotations: Readonly<Record<string, string>> };
  }
  const definition = async (): Promise<Stored> => JSON.parse((await server().get(CRD)) ?? '{}') as Stored;

  test('the CustomResourceDefinitions are installed first, and the operator beside them owns none', async () => {
    await run('crds', 'install', 'memcached-crds', charts().crds.path, '--create-namespace');
    // The API server has written the status for the last time: only the releases could write now. kubectl does not wait for a definition that has no conditions yet.
    await server().eventually('wait', '--for=condition=Established', 'crd/memcacheds.cache.example.com', '--timeout=60s');
    const before = await definition();
    expect(before.metadata.annotations).toMatchObject({
      'meta.helm.sh/release-name': 'memcached-crds',
      'helm.sh/resource-policy': 'keep',
    });
    await run('operator', 'install', 'memcached-operator', charts().operator.path);
    expect(await server().get(DEPLOYMENT)).toContain('registry.example.com/memcached-operator:0.1.0');
    expect((await definition()).metadata.resourceVersion).toBe(before.metadata.resourceVersion);
  });

  test('each is upgraded and rolled back without the other', async () => {
    const before = await definition();
    await run('operator', 'upgrade', 'memcached-operator', charts().operator.path, '--set', 'image.tag=0.2.0');
    await run('operator', 'rollback', 'memcached-operator', '1');
    expect((await definition()).metadata.resourceVersion).toBe(before.metadata.resourceVersion);
    const deployment = await server().get(DEPLOYMENT);
    const values = charts().crds.valuesFile({ annotations: { [WAVE]: '-1' } });
    await run('crds', 'upgrade', 'memcached-crds', charts().crds.path, ...values);
    expect((await definition()).metadata).toMatchObject({ uid: before.metadata.uid, annotations: { [WAVE]: '-1' } });
    await run('crds', 'rollback', 'memcached-crds', '1');
    expect((await definition()).metadata.annotations).not.toHaveProperty([WAVE]);
    expect(await server().get(DEPLOYMENT)).toBe(deployment);
  });

  test('uninstalled one after the other, they leave the CustomResourceDefinitions, and the next installation takes them over', async () => {
    const { uid } = (await definition()).metadata;
    await run('operator', 'uninstall', 'memcached-operator');
    expect(await server().get(DEPLOYMENT)).toBeUndefined();
    await run('crds', 'uninstall', 'memcached-crds');
    expect((await definition()).metadata.uid).toBe(uid);
    await run('crds', 'install', 'memcached-crds', charts().crds.path);
    expect((await definition()).metadata.uid).toBe(uid);
  });

  test('with keep=false they go with their release', async () => {
    await run('crds', 'upgrade', 'memcached-crds', charts().crds.path, '--set', 'keep=false');
    await run('crds', 'uninstall', 'memcached-crds');
    // A kube-apiserver clears its objects away first.
    await eventually(async () => (await server().get(CRD)) === undefined);
  });
}

describeCluster('CustomResourceDefinitions in a chart of their own', () => {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-helm-crds-'));
  const charts = new Map<string, Charts>();
  let embedded: ApiServer;
  let cluster: SharedCluster;
  let servers: readonly [Server, Server];
  beforeAll(async () => {
    const apart = defineOperatorPackage({
      operator,
      image: 'registry.example.com/memcached-operator:0.1.0',
      version: '0.1.0',
      namespace: NAMESPACE,
      crds: 'chart',
    });
    if (apart.crds === undefined) throw new Error('the package has no chart of CustomResourceDefinitions');
    const [files, crds] = [helmChart(apart), helmChart(apart.crds)];
    for (const name of ['helm', 'helm-4'] as const) {
      const tool = findTool(name);
      if (!tool.found) throw new Error(tool.reason);
      charts.set(name, { operator: new ChartFolder(tool.path, files), crds: new ChartFolder(tool.path, crds) });
    }
    cluster = SharedCluster.take('bare');
    embedded = await ApiServer.start();
    const kubeconfig = join(folder, 'embedded.kubeconfig');
    writeFileSync(kubeconfig, embedded.kubeconfig(), { mode: 0o600 });
    const { kubectl } = cluster.connection;
    servers = [new Server(kubectl, kubeconfig), new Server(kubectl, cluster.kubeconfig)];
  });
  afterAll(async () => {
    await embedded?.close();
    await cluster?.stop();
    for (const each of charts.values()) for (const chart of [each.operator, each.crds]) chart.remove();
    rmSync(folder, { recursive: true, force: true });
  });
  const chartsOf = (name: string): Charts => {
    const found = charts.get(name);
    if (found === undefined) throw new Error(`no charts for ${name}`);
    return found;
  };

  describe('helm on the embedded server', () => {
    releases(
      () => chartsOf('helm'),
      () => servers[0],
    );
  });
  describe('helm-4 on a kube-apiserver', () => {
    releases(
      () => chartsOf('helm-4'),
      () => servers[1],
    );
  });
});

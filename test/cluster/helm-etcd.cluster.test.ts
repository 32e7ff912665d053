import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiServer } from 'keelson/api-server';
import { definePackageSet, helmChart, type PackageFile } from 'keelson/packaging';
import { clusterPackage, etcdClusterPackage } from '../../examples/etcd/package.js';
import { findTool } from '../../scripts/cluster/go-tool.js';
import { describeCluster, type LocalCluster, startCluster } from './harness/index.js';
import { ChartFolder, comparable, documentsOf } from './helm/chart-folder.js';
import { Server } from './helm/server.js';

const NAMESPACE = 'etcd-system';
const CRD = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/etcdclusters.etcd.database.coreos.com';
const WEBHOOKS = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/etcd-cluster';
const DEPLOYMENT = `/apis/apps/v1/namespaces/${NAMESPACE}/deployments/etcd-cluster`;
const CLUSTER = `/apis/etcd.database.coreos.com/v1beta2/namespaces/${NAMESPACE}/etcdclusters/data`;
const HELMS = (['helm', 'helm-4'] as const).map((name) => [name, findTool(name)] as const);

/** The operator of clusters as a part of a set, so that its chart is a subchart. */
const set = definePackageSet({ name: 'etcd-operators', version: '0.1.0', namespace: NAMESPACE, packages: { cluster: clusterPackage } });
const WHOLE = 'charts/etcd-operator/';

/** What holds for both versions of Helm, without a server. */
function rendering(chart: () => ChartFolder): void {
  test('helm lint finds nothing, strictly', async () => {
    expect(await chart().must('lint', '--strict', chart().path)).toContain('1 chart(s) linted, 0 chart(s) failed');
  });

  test('2E-8: the subchart of a set is rendered as the plain manifests, under the name of its part', async () => {
    const values = { cluster: { settings: { scope: 'clusterwide', deadMemberAfterSeconds: 60 }, replicas: 2 } };
    const text = await chart().must('template', set.name, chart().path, '--namespace', NAMESPACE, ...chart().valuesFile(values));
    expect(comparable(documentsOf(text))).toEqual(comparable(set.manifests(values) as never));
    expect(text).toContain('name: "etcd-operators-cluster"');
  });

  test('2E-15: for one namespace there are Roles, and no right in the cluster but those of webhooks and metrics', async () => {
    const values = {
      cluster: { watchNamespaces: ['team-a'], crds: { enabled: false }, rbac: { aggregate: false }, metrics: { secure: false } },
    };
    const text = await chart().must('template', 'etcd', chart().path, ...chart().valuesFile(values));
    const kinds = documentsOf(text).map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''}`);
    expect(kinds).toContain('Role team-a');
    expect(kinds).not.toContain('CustomResourceDefinition ');
    const roles = documentsOf(text).filter(({ kind }) => kind === 'ClusterRole');
    expect(JSON.stringify(roles)).not.toContain('etcdclusters');
  });

  test('2E-19: an unknown value and a text that is none of the choices are refused', async () => {
    for (const [values, message] of [
      [{ cluster: { setings: {} } }, /setings/],
      [{ cluster: { settings: { scope: 'everywhere' } } }, /scope/],
      [{ clusters: {} }, /clusters/],
    ] as const) {
      const { code, stderr } = await chart().helm('template', 'etcd', chart().path, ...chart().valuesFile(values));
      expect(code).not.toBe(0);
      expect(stderr).toMatch(message);
    }
  });

  test('2E-20: there are no hooks; a part that is not enabled is not rendered', async () => {
    expect(await chart().must('template', 'etcd', chart().path)).not.toContain('helm.sh/hook');
    const values = chart().valuesFile({ cluster: { enabled: false } });
    expect(documentsOf(await chart().must('template', 'etcd', chart().path, ...values))).toEqual([]);
  });
}

/** Releases from their beginning to their end. */
function releases(operator: () => ChartFolder, cluster: () => ChartFolder, server: () => Server): void {
  const options = (): readonly string[] => ['--namespace', NAMESPACE, '--kubeconfig', server().kubeconfig];
  const run = (...args: readonly string[]): Promise<string> => operator().must(...args, ...options());

  test('2E-7: a cluster before its CustomResourceDefinition is refused, and nothing is made', async () => {
    const { code, stderr } = await cluster().helm('install', 'data', cluster().path, '--create-namespace', ...options());
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/no matches for kind "EtcdCluster"/);
    expect(
      await server()
        .get(`/api/v1/namespaces/${NAMESPACE}/configmaps/data`)
        .catch(() => undefined),
    ).toBeUndefined();
  });

  test('2E-17: the first installation has no webhook that its own objects must pass', async () => {
    await run('install', 'etcd', operator().path, '--create-namespace');
    const webhooks = JSON.parse((await server().get(WEBHOOKS)) ?? '{}').webhooks;
    expect(webhooks).toMatchObject([{ failurePolicy: 'Fail', rules: [{ resources: ['etcdclusters'] }] }]);
  });

  test('2E-1: then the cluster is installed in a release of its own', async () => {
    // No Pod answers here: the webhook would refuse what the operator has not seen.
    await server().must('delete', 'validatingwebhookconfigurations', 'etcd-cluster');
    await run('install', 'data', cluster().path, '--set', 'size=5', '--set', 'storage=8Gi');
    const { spec, metadata } = JSON.parse((await server().get(CLUSTER)) ?? '{}');
    expect(spec).toMatchObject({
      size: 5,
      paused: false,
      pod: { persistentVolumeClaimSpec: { resources: { requests: { storage: '8Gi' } } } },
    });
    expect(metadata.annotations['helm.sh/resource-policy']).toBe('keep');
  });

  test('2E-9: an upgrade keeps the status and the fields that have defaults', async () => {
    const status = JSON.stringify({ status: { phase: 'Running' } });
    await server().must('patch', 'etcdclusters', 'data', '-n', NAMESPACE, '--subresource=status', '--type=merge', `--patch=${status}`);
    await run('upgrade', 'data', cluster().path, '--reuse-values', '--set', 'size=3');
    expect(JSON.parse((await server().get(CLUSTER)) ?? '{}')).toMatchObject({
      spec: { size: 3, paused: false },
      status: { phase: 'Running' },
    });
  });

  test('2E-16: another image of the operator changes nothing of a cluster', async () => {
    const before = await server().get(CLUSTER);
    await run('upgrade', 'etcd', operator().path, '--set', 'cluster.image.tag=0.2.0');
    expect(await server().get(DEPLOYMENT)).toContain('registry.example.com/etcd-operator:0.2.0');
    expect(await server().get(CLUSTER)).toBe(before);
    await server().must('delete', 'validatingwebhookconfigurations', 'etcd-cluster', '--ignore-not-found');
  });

  test('2E-12: a rollback brings the previous image, and the stored version is still served', async () => {
    await run('rollback', 'etcd', '1');
    expect(await server().get(DEPLOYMENT)).toContain('registry.example.com/etcd-operator:0.1.0');
    const { spec, status } = JSON.parse((await server().get(CRD)) ?? '{}');
    const served = spec.versions.filter((version: { served: boolean }) => version.served).map(({ name }: { name: string }) => name);
    expect(served).toEqual(expect.arrayContaining(status.storedVersions));
    await server().must('delete', 'validatingwebhookconfigurations', 'etcd-cluster', '--ignore-not-found');
  });

  test('2E-13: the cluster outlives its release, unless the administrator says otherwise', async () => {
    const uid = JSON.parse((await server().get(CLUSTER)) ?? '{}').metadata.uid;
    await run('uninstall', 'data');
    expect(JSON.parse((await server().get(CLUSTER)) ?? '{}').metadata.uid).toBe(uid);
    await run('install', 'data', cluster().path);
    expect(JSON.parse((await server().get(CLUSTER)) ?? '{}').metadata.uid).toBe(uid);
  });

  test('2E-5: uninstalling the operator leaves kinds and clusters, and the next installation takes them over', async () => {
    const uid = JSON.parse((await server().get(CLUSTER)) ?? '{}').metadata.uid;
    await run('uninstall', 'etcd');
    expect(await server().get(DEPLOYMENT)).toBeUndefined();
    expect(JSON.parse((await server().get(CLUSTER)) ?? '{}').metadata.uid).toBe(uid);
    await run('install', 'etcd', operator().path);
    expect(JSON.parse((await server().get(CLUSTER)) ?? '{}').metadata.uid).toBe(uid);
    await server().must('delete', 'validatingwebhookconfigurations', 'etcd-cluster', '--ignore-not-found');
  });

  test('2E-2: a CustomResourceDefinition of somebody else is left alone', async () => {
    const before = JSON.parse((await server().get(CRD)) ?? '{}').metadata.resourceVersion;
    await run('install', 'second', operator().path, '--set', 'cluster.crds.enabled=false', '--set', 'cluster.rbac.aggregate=false');
    await run('uninstall', 'second');
    expect(JSON.parse((await server().get(CRD)) ?? '{}').metadata.resourceVersion).toBe(before);
  });

  test('2E-13: with keep=false the cluster goes with its release', async () => {
    await run('upgrade', 'data', cluster().path, '--set', 'keep=false');
    await run('uninstall', 'data');
    expect(await server().get(CLUSTER)).toBeUndefined();
  });
}

describeCluster('the Helm charts of the etcd operators', () => {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-helm-etcd-'));
  const charts = new Map<string, { readonly set: ChartFolder; readonly cluster: ChartFolder }>();
  let embedded: ApiServer;
  let cluster: LocalCluster;
  let servers: readonly [Server, Server];
  beforeAll(async () => {
    const files = helmChart(set);
    const instance: readonly PackageFile[] = helmChart(etcdClusterPackage);
    expect(files.some(({ path }) => path === `${WHOLE}templates/deployment.yaml`)).toBe(true);
    for (const [name, tool] of HELMS) {
      if (!tool.found) throw new Error(tool.reason);
      charts.set(name, { set: new ChartFolder(tool.path, files), cluster: new ChartFolder(tool.path, instance) });
    }
    [embedded, cluster] = await Promise.all([ApiServer.start(), startCluster()]);
    const kubeconfig = join(folder, 'embedded.kubeconfig');
    writeFileSync(kubeconfig, embedded.kubeconfig(), { mode: 0o600 });
    const { kubectl } = cluster.connection;
    servers = [new Server(kubectl, kubeconfig), new Server(kubectl, cluster.kubeconfig)];
  }, 300_000);
  afterAll(async () => {
    await embedded?.close();
    await cluster?.stop();
    for (const { set: whole, cluster: instance } of charts.values()) {
      whole.remove();
      instance.remove();
    }
    rmSync(folder, { recursive: true, force: true });
  });
  const chart = (name: string, which: 'set' | 'cluster'): ChartFolder => {
    const found = charts.get(name)?.[which];
    if (found === undefined) throw new Error(`no chart for ${name}`);
    return found;
  };

  describe.each(HELMS.map(([name]) => name))('rendered by %s', (name) => {
    rendering(() => chart(name, 'set'));
  });
  describe('helm on the embedded server', () => {
    releases(
      () => chart('helm', 'set'),
      () => chart('helm', 'cluster'),
      () => servers[0],
    );
  });
  describe('helm-4 on a kube-apiserver', () => {
    releases(
      () => chart('helm-4', 'set'),
      () => chart('helm-4', 'cluster'),
      () => servers[1],
    );
  });
});

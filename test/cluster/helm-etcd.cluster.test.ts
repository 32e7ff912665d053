import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiServer } from '@keelson/api-server';
import { helmChart, type PackageFile } from 'keelson/packaging';
import { etcdClusterPackage, etcdPackage } from '../../examples/etcd/package.js';
import { findTool } from '../../scripts/cluster/go-tool.js';
import { describeCluster, SharedCluster } from './harness/index.js';
import { ChartFolder, comparable, documentsOf } from './helm/chart-folder.js';
import { Server } from './helm/server.js';

const NAMESPACE = 'etcd-system';
const CRD = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/etcdclusters.etcd.database.coreos.com';
const WEBHOOKS = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/etcd-cluster';
const DEPLOYMENT = `/apis/apps/v1/namespaces/${NAMESPACE}/deployments/etcd-cluster`;
const CLUSTER = `/apis/etcd.database.coreos.com/v1beta2/namespaces/${NAMESPACE}/etcdclusters/data`;
const HELMS = (['helm', 'helm-4'] as const).map((name) => [name, findTool(name)] as const);

const GROUP = 'etcd.database.coreos.com';
const KINDS = ['etcdbackups', 'etcdclusters', 'etcdrestores'].map((plural) => `${plural}.${GROUP}`);
const BACKUP_DEPLOYMENT = `/apis/apps/v1/namespaces/${NAMESPACE}/deployments/etcd-backup`;
const CLAIM = `/api/v1/namespaces/${NAMESPACE}/persistentvolumeclaims/etcd-backup-backups`;
const BACKUP = `/apis/${GROUP}/v1beta2/namespaces/${NAMESPACE}/etcdbackups/daily`;
/** Kinds of the objects that the charts make. */
const MADE = [
  ...[
    'clusterroles',
    'clusterrolebindings',
    'customresourcedefinitions',
    'validatingwebhookconfigurations',
    'mutatingwebhookconfigurations',
  ],
  ...['configmaps', 'deployments', 'networkpolicies', 'persistentvolumeclaims', 'poddisruptionbudgets', 'rolebindings', 'roles'],
  ...['secrets', 'serviceaccounts', 'services'],
] as const;
/** Values by which a second release can stand beside the first: kinds and what belongs to them are there already. */
const SECOND = ['cluster', 'backup'].flatMap((part) => ['--set', `${part}.crds.enabled=false,${part}.rbac.aggregate=false`]);

/** What holds for both versions of Helm, without a server. */
function rendering(chart: () => ChartFolder): void {
  test('helm lint finds nothing, strictly', async () => {
    expect(await chart().must('lint', '--strict', chart().path)).toContain('1 chart(s) linted, 0 chart(s) failed');
  });

  test('2E-8: the subcharts of the family are rendered as the plain manifests, each under the name of its part', async () => {
    const values = {
      cluster: { settings: { scope: 'clusterwide', deadMemberAfterSeconds: 60 }, replicas: 2 },
      backup: { settings: { url: 'https://backups.example.com' }, volume: { claim: 'mine' } },
    };
    const text = await chart().must('template', etcdPackage.name, chart().path, '--namespace', NAMESPACE, ...chart().valuesFile(values));
    expect(comparable(documentsOf(text))).toEqual(comparable(etcdPackage.manifests(values) as never));
    expect(text).toContain('name: "etcd-operators-cluster"');
    expect(text).toContain('name: "etcd-operators-backup"');
  });

  test('2E-15: for one namespace there are Roles, and no right in the cluster but those of webhooks and metrics', async () => {
    const part = { watchNamespaces: ['team-a'], crds: { enabled: false }, rbac: { aggregate: false }, metrics: { secure: false } };
    const values = { cluster: part, backup: part };
    const text = await chart().must('template', 'etcd', chart().path, ...chart().valuesFile(values));
    const kinds = documentsOf(text).map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''}`);
    expect(kinds).toContain('Role team-a');
    expect(kinds).not.toContain('CustomResourceDefinition ');
    const roles = documentsOf(text).filter(({ kind }) => kind === 'ClusterRole');
    expect(JSON.stringify(roles)).not.toMatch(/etcdclusters|etcdbackups|etcdrestores/);
  });

  test('2E-18: a release for the cluster and one for a namespace get the scopes by which 2A-35 gives each cluster to one of them alone', async () => {
    const scopeOf = async (...values: readonly string[]): Promise<unknown> => {
      const documents = documentsOf(await chart().must('template', 'etcd', chart().path, '--set', 'backup.enabled=false', ...values));
      const [deployment] = documents.filter(({ kind }) => kind === 'Deployment');
      return /"name":"([A-Z_]*SCOPE)","value":"([a-z]*)"/.exec(JSON.stringify(deployment))?.slice(1);
    };
    const [first, second] = [
      await scopeOf('--set', 'cluster.settings.scope=clusterwide'),
      await scopeOf('--set', 'cluster.settings.scope=namespaced,cluster.watchNamespaces={team-a}'),
    ];
    expect([first, second]).toEqual([
      [expect.any(String), 'clusterwide'],
      [expect.any(String), 'namespaced'],
    ]);
  });

  test('2E-19: an unknown value and a text that is none of the choices are refused', async () => {
    for (const [values, message] of [
      [{ cluster: { setings: {} } }, /setings/],
      [{ cluster: { settings: { scope: 'everywhere' } } }, /scope/],
      [{ backup: { volume: { size: 5 } } }, /size/],
      [{ clusters: {} }, /clusters/],
    ] as const) {
      const { code, stderr } = await chart().helm('template', 'etcd', chart().path, ...chart().valuesFile(values));
      expect(code).not.toBe(0);
      expect(stderr).toMatch(message);
    }
  });

  test('2E-20: there are no hooks; a part that is not enabled is not rendered', async () => {
    expect(await chart().must('template', 'etcd', chart().path)).not.toContain('helm.sh/hook');
    const deployments = async (cluster: boolean, backup: boolean): Promise<readonly string[]> => {
      const values = chart().valuesFile({ cluster: { enabled: cluster }, backup: { enabled: backup } });
      const documents = documentsOf(await chart().must('template', 'etcd', chart().path, ...values));
      if (!cluster && !backup) expect(documents).toEqual([]);
      return documents.filter(({ kind }) => kind === 'Deployment').map(({ metadata }) => metadata.name);
    };
    expect(await deployments(true, true)).toEqual(['etcd-backup', 'etcd-cluster']);
    expect(await deployments(true, false)).toEqual(['etcd-cluster']);
    expect(await deployments(false, true)).toEqual(['etcd-backup']);
    expect(await deployments(false, false)).toEqual([]);
  });
}

/** Releases from their beginning to their end. */
function releases(operator: () => ChartFolder, cluster: () => ChartFolder, server: () => Server): void {
  const options = (): readonly string[] => ['--namespace', NAMESPACE, '--kubeconfig', server().kubeconfig];
  const run = (...args: readonly string[]): Promise<string> => operator().must(...args, ...options());
  /** Names of what a release has made, and of what it has left. */
  const names = async (resource: string): Promise<readonly string[]> => {
    const list = await server().must('get', resource, '-n', NAMESPACE, '-l', 'app.kubernetes.io/managed-by=Helm', '-o', 'json');
    return JSON.parse(list).items.map(({ metadata }: { readonly metadata: { readonly name: string } }) => metadata.name);
  };

  const removeWebhook = async (): Promise<void> => {
    await server().must('delete', 'validatingwebhookconfigurations', 'etcd-cluster', '--ignore-not-found');
    await untilNotJudged();
  };
  /** No Pod answers here: a webhook that the API server still knows would refuse what the operator has not seen. */
  const untilNotJudged = async (): Promise<void> => {
    const probe = { apiVersion: `${GROUP}/v1beta2`, kind: 'EtcdCluster', metadata: { name: 'probe' }, spec: { size: 3 } };
    const file = cluster().write('probe.json', JSON.stringify(probe));
    await server().eventually('create', '--dry-run=server', '-n', NAMESPACE, '-f', file);
  };

  test('2E-7: a cluster before its CustomResourceDefinition is refused, and nothing is made', async () => {
    const { code, stderr } = await cluster().helm('install', 'data', cluster().path, '--create-namespace', ...options());
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/no matches for kind "EtcdCluster"/);
    expect(await server().get(`/api/v1/namespaces/${NAMESPACE}`)).toBeUndefined();
    for (const resource of MADE)
      expect([resource, await server().must('get', resource, '-A', '-l', 'app.kubernetes.io/managed-by=Helm', '-o', 'name')]).toEqual([
        resource,
        '',
      ]);
  });

  test('2E-17: the first installation has no webhook that its own objects must pass', async () => {
    await run('install', 'etcd', operator().path, '--create-namespace');
    const webhooks = JSON.parse((await server().get(WEBHOOKS)) ?? '{}').webhooks;
    expect(webhooks).toMatchObject([{ failurePolicy: 'Fail', rules: [{ resources: ['etcdclusters'] }] }]);
  });

  test('the whole family is there: both operators, the three kinds, the claim for backups, and the address of restores', async () => {
    expect(await names('deployments')).toEqual(['etcd-backup', 'etcd-cluster']);
    expect((await names('customresourcedefinitions')).filter((name) => name.endsWith(GROUP))).toEqual(KINDS);
    expect(await server().get(CLAIM)).toContain('"storage":"50Gi"');
    expect(await server().get(BACKUP_DEPLOYMENT)).toContain(`http://etcd-backup-backups.${NAMESPACE}.svc:19999`);
    const spec = { etcdEndpoints: ['http://data-client:2379'], storageType: 'Directory', directory: { path: 'daily' } };
    const backup = { apiVersion: `${GROUP}/v1beta2`, kind: 'EtcdBackup', metadata: { name: 'daily' }, spec };
    const file = operator().write('backup.json', JSON.stringify(backup));
    await server().eventually('create', '--dry-run=server', '-n', NAMESPACE, '-f', file);
    await server().must('create', '-n', NAMESPACE, '-f', file);
  });

  test('a part that is switched off goes, and leaves its kinds, its objects and its claim; switched on again, it has them', async () => {
    const uidOf = async (path: string): Promise<unknown> => JSON.parse((await server().get(path)) ?? '{}').metadata?.uid;
    const before = [await uidOf(BACKUP), await uidOf(CLAIM), await uidOf(DEPLOYMENT)];
    expect(before).toEqual(Array(3).fill(expect.any(String)));
    await run('upgrade', 'etcd', operator().path, '--set', 'backup.enabled=false');
    expect(await server().get(BACKUP_DEPLOYMENT)).toBeUndefined();
    expect([await uidOf(BACKUP), await uidOf(CLAIM), await uidOf(DEPLOYMENT)]).toEqual(before);
    await run('upgrade', 'etcd', operator().path, '--set', 'backup.enabled=true,backup.image.tag=0.2.0');
    expect(await server().get(BACKUP_DEPLOYMENT)).toContain('registry.example.com/etcd-backup-operator:0.2.0');
    expect([await uidOf(BACKUP), await uidOf(CLAIM), await uidOf(DEPLOYMENT)]).toEqual(before);
  });

  test('2E-1: then the cluster is installed in a release of its own', async () => {
    await removeWebhook();
    await run('install', 'data', cluster().path, '--set', 'size=5', '--set', 'storage=8Gi');
    const { spec, metadata } = JSON.parse((await server().get(CLUSTER)) ?? '{}');
    expect(spec).toMatchObject({
      size: 5,
      paused: false,
      pod: { persistentVolumeClaimSpec: { resources: { requests: { storage: '8Gi' } } } },
    });
    expect(metadata.annotations['helm.sh/resource-policy']).toBe('keep');
  });

  test('2E-21: a dry run of the server makes no cluster, and shows the one that it would store, with its defaults', async () => {
    const rendered = await cluster().must('template', 'other', cluster().path, '--namespace', NAMESPACE);
    const file = cluster().write('other.yaml', rendered);
    const shown = await server().must('create', '--dry-run=server', '-n', NAMESPACE, '-f', file, '-o', 'json');
    expect(JSON.parse(shown)).toMatchObject({ kind: 'EtcdCluster', spec: { paused: false } });
    expect(rendered).not.toContain('paused');
    expect(await server().get(CLUSTER.replace(/data$/, 'other'))).toBeUndefined();
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
    await run('upgrade', 'etcd', operator().path, '--set', 'cluster.image.tag=0.2.0,backup.image.tag=0.2.0');
    expect(await server().get(DEPLOYMENT)).toContain('registry.example.com/etcd-operator:0.2.0');
    expect(await server().get(BACKUP_DEPLOYMENT)).toContain('registry.example.com/etcd-backup-operator:0.2.0');
    expect(await server().get(CLUSTER)).toBe(before);
    await removeWebhook();
  });

  test('2E-12: a rollback brings the previous image, and the stored version is still served', async () => {
    await run('rollback', 'etcd', '1');
    expect(await server().get(DEPLOYMENT)).toContain('registry.example.com/etcd-operator:0.1.0');
    expect(await server().get(BACKUP_DEPLOYMENT)).toContain('registry.example.com/etcd-backup-operator:0.1.0');
    const { spec, status } = JSON.parse((await server().get(CRD)) ?? '{}');
    const served = spec.versions.filter((version: { served: boolean }) => version.served).map(({ name }: { name: string }) => name);
    expect(served).toEqual(expect.arrayContaining(status.storedVersions));
    await removeWebhook();
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
    expect(await server().get(BACKUP_DEPLOYMENT)).toBeUndefined();
    expect(JSON.parse((await server().get(CLUSTER)) ?? '{}').metadata.uid).toBe(uid);
    expect(await server().get(BACKUP)).toContain('"name":"daily"');
    const left = await Promise.all(MADE.map(async (resource) => [resource, await names(resource)] as const));
    expect(Object.fromEntries(left.filter(([, found]) => found.length > 0))).toEqual({
      customresourcedefinitions: KINDS,
      persistentvolumeclaims: ['etcd-backup-backups'],
    });
    await run('install', 'etcd', operator().path);
    expect(JSON.parse((await server().get(CLUSTER)) ?? '{}').metadata.uid).toBe(uid);
    await removeWebhook();
  });

  test('2E-2: a CustomResourceDefinition of somebody else is left alone', async () => {
    const before = JSON.parse((await server().get(CRD)) ?? '{}').metadata.resourceVersion;
    await run('install', 'second', operator().path, ...SECOND);
    expect(await names('deployments')).toEqual(['etcd-backup', 'etcd-cluster', 'second-backup', 'second-cluster']);
    await run('uninstall', 'second');
    await untilNotJudged();
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
  let cluster: SharedCluster;
  let servers: readonly [Server, Server];
  beforeAll(async () => {
    const files = helmChart(etcdPackage);
    const instance: readonly PackageFile[] = helmChart(etcdClusterPackage);
    for (const part of ['etcd-operator', 'etcd-backup-operator'])
      expect(files.map(({ path }) => path)).toContain(`charts/${part}/templates/deployment.yaml`);
    for (const [name, tool] of HELMS) {
      if (!tool.found) throw new Error(tool.reason);
      charts.set(name, { set: new ChartFolder(tool.path, files), cluster: new ChartFolder(tool.path, instance) });
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

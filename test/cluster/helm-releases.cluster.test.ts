import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiServer } from '@keelson/api-server';
import { helmChart, type PackageFile } from 'keelson/packaging';
import { memcachedPackage } from '../../examples/memcached/package.js';
import { findTool } from '../../scripts/cluster/go-tool.js';
import { describeCluster, SharedCluster } from './harness/index.js';
import { ChartFolder } from './helm/chart-folder.js';
import { Server } from './helm/server.js';

const helm = findTool('helm');
const NAMESPACE = 'memcached-system';
const CRD = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/memcacheds.cache.example.com';
const DEPLOYMENT = `/apis/apps/v1/namespaces/${NAMESPACE}/deployments/memcached-operator`;
/** Taken for a certificate by nobody who looks closer; no call is made with it. */
const CA = 'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCg==';
const WEBHOOKS = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/memcached-operator';

/** A release from its beginning to its end, by the real helm. */
function releases(name: string, server: () => Server, files: () => readonly PackageFile[]): void {
  describe(name, () => {
    let chart: ChartFolder;
    beforeAll(() => {
      if (!helm.found) throw new Error(helm.reason);
      chart = new ChartFolder(helm.path, files());
    });
    afterAll(() => chart?.remove());
    const run = (...args: readonly string[]): Promise<string> =>
      chart.must(...args, '--namespace', NAMESPACE, '--kubeconfig', server().kubeconfig);
    const imageOf = async (): Promise<string> => /"image":"([^"]*)"/.exec((await server().get(DEPLOYMENT)) ?? '')?.[1] ?? '';

    test('2E-21: a dry run of the server makes nothing', async () => {
      expect(await run('install', 'memcached-operator', chart.path, '--dry-run=server', '--create-namespace')).toContain(
        'kind: Deployment',
      );
      expect(await server().get(CRD)).toBeUndefined();
    });

    test('install creates everything, and prints what comes next', async () => {
      expect(await run('install', 'memcached-operator', chart.path, '--create-namespace')).toContain(
        'kubectl -n memcached-system get deployments',
      );
      expect(await imageOf()).toBe('registry.example.com/memcached-operator:0.1.0');
      expect(await server().get(WEBHOOKS)).toContain('memcached-operator');
    });

    test('2E-9: an upgrade keeps the CA that the operator wrote; 2E-16: it changes the image alone', async () => {
      const patch = JSON.stringify([{ op: 'add', path: '/webhooks/0/clientConfig/caBundle', value: CA }]);
      await server().must('patch', 'validatingwebhookconfigurations', 'memcached-operator', '--type=json', `--patch=${patch}`);
      await run('upgrade', 'memcached-operator', chart.path, '--set', 'image.tag=0.2.0');
      expect(await imageOf()).toBe('registry.example.com/memcached-operator:0.2.0');
      expect(await server().get(WEBHOOKS)).toContain(`"caBundle":"${CA}"`);
    });

    test('2E-12: rollback brings the previous image, and the CustomResourceDefinition serves its versions', async () => {
      await run('rollback', 'memcached-operator', '1');
      expect(await imageOf()).toBe('registry.example.com/memcached-operator:0.1.0');
      expect(await server().get(CRD)).toContain('"name":"v1alpha1"');
    });

    test('2E-5: uninstall leaves the CustomResourceDefinition, and the next install takes it over', async () => {
      expect(await run('uninstall', 'memcached-operator')).toContain('[CustomResourceDefinition] memcacheds.cache.example.com');
      expect(await server().get(CRD)).toContain('Memcached');
      expect(await server().get(WEBHOOKS)).toBeUndefined();
      await run('install', 'memcached-operator', chart.path);
      expect(await imageOf()).toBe('registry.example.com/memcached-operator:0.1.0');
    });

    test('2E-18: a second release for one namespace stands beside the first', async () => {
      const values = ['--set', 'crds.enabled=false', '--set', 'rbac.aggregate=false', '--set', 'watchNamespaces={team-a}'];
      await server().must('create', 'namespace', 'team-a');
      await run('install', 'team-a-memcached', chart.path, ...values);
      expect(await server().get('/apis/rbac.authorization.k8s.io/v1/namespaces/team-a/roles/team-a-memcached')).toContain('memcacheds');
      await run('uninstall', 'team-a-memcached');
    });
  });
}

describeCluster('releases of the Helm chart', () => {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-helm-servers-'));
  let embedded: ApiServer;
  let cluster: SharedCluster;
  let servers: readonly [Server, Server];
  let files: readonly PackageFile[];
  beforeAll(async () => {
    cluster = SharedCluster.take('bare');
    embedded = await ApiServer.start();
    const kubeconfig = join(folder, 'embedded.kubeconfig');
    writeFileSync(kubeconfig, embedded.kubeconfig(), { mode: 0o600 });
    const { kubectl } = cluster.connection;
    files = helmChart(memcachedPackage);
    servers = [new Server(kubectl, kubeconfig), new Server(kubectl, cluster.kubeconfig)];
  });
  afterAll(async () => {
    await embedded?.close();
    await cluster?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  releases(
    'on the embedded server',
    () => servers[0],
    () => files,
  );
  releases(
    'on a kube-apiserver',
    () => servers[1],
    () => files,
  );
});

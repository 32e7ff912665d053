import { type ExistingCluster, TestCluster } from '@keelson/testing';
import { CustomResourceDefinition, Deployment, Pod } from 'keelson/kinds';
import { helmChart } from 'keelson/packaging';
import { Memcached } from '../../../examples/memcached/memcached.js';
import { memcachedPackage } from '../../../examples/memcached/package.js';
import { findTool } from '../../../scripts/cluster/go-tool.js';
import { DEADLINE_MS } from '../../deadline.cjs';
import { ChartFolder } from '../helm/chart-folder.js';
import { describeNode, IMAGES, uninstallExample, untilAccepted } from './harness/index.js';

const RELEASE = 'memcached-release';
const CRD = 'memcacheds.cache.example.com';
const helm = findTool('helm');
if (!helm.found && process.env['CI']) throw new Error(helm.reason);
const IS_READY = { status: { conditions: [{ type: 'Ready', status: 'True' }] } } as const;

const suite: typeof describeNode = helm.found
  ? describeNode
  : (name) => describe.skip(`${name} [skipped: ${helm.reason}]`, () => test('helm', () => undefined));

suite('a release of the Helm chart on a node', (node) => {
  let cluster: ExistingCluster;
  let chart: ChartFolder;
  beforeAll(async () => {
    // Helm takes no CustomResourceDefinition over that another suite has left.
    await uninstallExample(node, { example: 'memcached', resources: 'memcacheds' });
    chart = new ChartFolder(helm.found ? helm.path : '', helmChart(memcachedPackage));
    const namespace = await node.namespace('release', { 'pod-security.kubernetes.io/enforce': 'restricted' });
    cluster = await TestCluster.start({ server: 'existing', kubeconfig: node.kubeconfig, namespace, timeout: DEADLINE_MS });
  });
  afterAll(() => {
    chart?.remove();
    cluster?.client.close();
  });

  // The operator of this release is for one namespace: other suites have one of their own for theirs.
  const run = (...args: readonly string[]): Promise<string> =>
    chart.must(...args, '--namespace', cluster.namespace, '--kubeconfig', node.kubeconfig, '--wait', '--timeout', '90s');
  const values = (): readonly string[] => ['--set', `watchNamespaces={${cluster.namespace}}`, '--set', 'rbac.aggregate=false'];
  const podsOf = async (labels: Readonly<Record<string, string>>): Promise<readonly Pod[]> =>
    (await cluster.list(Pod, { namespace: cluster.namespace, labels })).filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const operatorImages = async (): Promise<unknown> =>
    (await podsOf({ 'app.kubernetes.io/component': 'operator' })).map(({ spec }) => spec?.containers[0]?.image);
  const cachePods = async (): Promise<unknown> =>
    (await podsOf({ 'app.kubernetes.io/instance': 'cache' })).map(({ metadata }) => metadata.uid);

  test('install: the operator is ready, and makes a Memcached of real processes', async () => {
    await run('install', RELEASE, chart.path, ...values());
    expect(await operatorImages()).toEqual([IMAGES.memcachedOperator]);
    await untilAccepted(() => cluster.create(Memcached({ metadata: { name: 'cache' }, spec: { size: 1 } })));
    await cluster.until(Memcached, 'cache', IS_READY);
  });

  test('2E-16: upgrade: another image of the operator, the same Pods of the Memcached', async () => {
    const before = await cachePods();
    await run('upgrade', RELEASE, chart.path, ...values(), '--set', 'image.tag=0.2.0');
    await cluster.until(async () => JSON.stringify(await operatorImages()) === JSON.stringify([IMAGES.otherMemcachedOperator]));
    await cluster.until(Memcached, 'cache', IS_READY);
    expect(await cachePods()).toEqual(before);
  });

  test('2E-12: rollback: the image before', async () => {
    const before = await cachePods();
    await run('rollback', RELEASE, '1');
    await cluster.until(async () => JSON.stringify(await operatorImages()) === JSON.stringify([IMAGES.memcachedOperator]));
    expect(await cachePods()).toEqual(before);
  });

  test('2E-5: uninstall: the operator goes, the Memcached and its Pods run on', async () => {
    const before = await cachePods();
    await run('uninstall', RELEASE);
    await cluster.until(Deployment, RELEASE, 'absent');
    await cluster.until(async () => (await podsOf({ 'app.kubernetes.io/component': 'operator' })).length === 0);
    expect(await cachePods()).toEqual(before);
    await cluster.get(Memcached, 'cache');
  });

  test("2E-6: installed again, it takes the Memcached over and lets it go; the CustomResourceDefinition is the administrator's to delete", async () => {
    await run('install', RELEASE, chart.path, ...values());
    await cluster.delete(Memcached, 'cache');
    await cluster.until(Memcached, 'cache', 'absent');
    await run('uninstall', RELEASE);
    await cluster.delete(CustomResourceDefinition, CRD);
    await cluster.until(CustomResourceDefinition, CRD, 'absent');
  });
});

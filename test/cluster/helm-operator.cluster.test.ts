import { CustomResourceDefinition, Deployment, Pod } from 'keelson/kinds';
import { helmChart } from 'keelson/packaging';
import { Memcached } from '../../examples/memcached/memcached.js';
import { memcachedPackage } from '../../examples/memcached/package.js';
import { findTool } from '../../scripts/cluster/go-tool.js';
import { describeCluster } from './harness/index.js';
import { ChartFolder, documentsOf } from './helm/chart-folder.js';
import { OperatorCluster } from './helm/operator-cluster.js';

const RELEASE = 'memcached-operator';
const NAMESPACE = 'memcached-system';
const ACCOUNT = `system:serviceaccount:${NAMESPACE}:${RELEASE}`;
const CRD = 'memcacheds.cache.example.com';
/** Paths that are no resource, and the question which rights it has. */
const ABOUT_ITSELF = ['', 'selfsubjectrulesreviews'];
const NEW_FIELDS = ['image', 'nodes'];
const TEXTS = [
  { name: 'EMPTY', value: '' },
  { name: 'FLAGS', value: '--a=b c="d" \'e\' = ' },
  { name: 'BRACES', value: '{{ .Values.replicas }} $HOME %s \\' },
  { name: 'ON', value: 'yes' },
  { name: 'NUMBER', value: '1e6' },
];
const IS_READY = { status: { conditions: [{ type: 'Ready', status: 'True' }] } } as const;

describeCluster('the operator of a Helm chart at work', ({ connection }) => {
  let here: OperatorCluster;
  let chart: ChartFolder;
  /** As before the fields `spec.image` and `status.nodes` were there. */
  let olderChart: ChartFolder;
  beforeAll(async () => {
    const helm = findTool('helm');
    if (!helm.found) throw new Error(helm.reason);
    const files = helmChart(memcachedPackage);
    chart = new ChartFolder(helm.path, files);
    olderChart = new ChartFolder(
      helm.path,
      files.map(({ path, text }) => ({ path, text: text.includes('kind: CustomResourceDefinition') ? withoutNewFields(text) : text })),
    );
    here = await OperatorCluster.start(connection.kubectl, NAMESPACE);
  });
  afterAll(async () => {
    await here?.close();
    chart?.remove();
    olderChart?.remove();
  });

  /** Begins what is waited for below; the operator's answer is its own affair. */
  const memcached = (name: string) => Memcached({ metadata: { name }, spec: { size: 1 } });
  const serves = async (name: string): Promise<void> => {
    await here.cluster.create(memcached(name));
    await here.cluster.until(Memcached, name, IS_READY);
  };
  const podsOf = async (name: string): Promise<unknown> => {
    const pods = await here.cluster.list(Pod, { labels: { 'app.kubernetes.io/instance': name } });
    return pods.map(({ metadata, status }) => [metadata.uid, status?.containerStatuses?.[0]?.restartCount]);
  };
  const restarts = async (): Promise<unknown> =>
    (await here.pods()).map(({ status }) => status?.containerStatuses?.map(({ restartCount }) => restartCount));
  const untilReady = (replicas: number): Promise<unknown> =>
    here.cluster.until(
      Deployment,
      `${NAMESPACE}/${RELEASE}`,
      ({ metadata, status, spec }) =>
        spec?.replicas === replicas &&
        status?.observedGeneration === metadata.generation &&
        status?.updatedReplicas === replicas &&
        status?.readyReplicas === replicas &&
        status?.replicas === replicas,
    );
  const run = (...args: readonly string[]): Promise<string> =>
    chart.must(...args, '--namespace', NAMESPACE, '--kubeconfig', here.server.kubeconfig);

  /** The Pods of the operator end a moment after its Deployment is gone. */
  const uninstall = async (): Promise<void> => {
    await run('uninstall', RELEASE);
    const labels = { 'app.kubernetes.io/component': 'operator' };
    await here.cluster.until(async () => (await here.cluster.list(Pod, { namespace: NAMESPACE, labels })).length === 0);
  };

  test('2E-21: a dry run of the server makes nothing; kubectl shows what the server would store of it', async () => {
    const manifests = await run('install', RELEASE, chart.path, '--dry-run=server', '--set', 'replicas=2');
    expect(manifests).toContain('kind: CustomResourceDefinition');
    expect(await here.cluster.list(CustomResourceDefinition)).toEqual([]);
    const file = chart.write('rendered.yaml', await run('template', RELEASE, chart.path, '--show-only', 'templates/deployment.yaml'));
    const shown = await here.server.must('create', '--dry-run=server', '--output=json', '--namespace', NAMESPACE, '--filename', file);
    expect(JSON.parse(shown).spec).toMatchObject({ progressDeadlineSeconds: 600, revisionHistoryLimit: 10 });
    expect(await here.cluster.list(Deployment, { namespace: NAMESPACE })).toEqual([]);
  });

  test('2E-11: liveness does not end an operator that waits for its CustomResourceDefinition, and its webhooks are in service', async () => {
    await run('install', RELEASE, chart.path, '--set', 'crds.enabled=false', '--set', 'rbac.aggregate=false');
    const isWaiting = async (): Promise<boolean> => {
      const [pod] = await here.pods();
      return pod !== undefined && (await logOf(pod)).includes('install its CustomResourceDefinition: it is waited for');
    };
    await here.cluster.until(isWaiting);
    const [pod] = await here.pods();
    expect(await here.probe(pod as Pod, '/healthz')).toBe(200);
    await here.cluster.until(async () => (await here.probe(pod as Pod, '/readyz')) === 200);
    expect(await here.probe(pod as Pod, '/readyz/caches-synced')).toBe(500);
    // The Service of the webhooks leads to Pods that the kubelet has found ready.
    await untilReady(1);
  });

  test('2E-3: an operator that meets an older CustomResourceDefinition names the fields that it lacks, of the spec and of the status', async () => {
    const file = chart.write('older.json', JSON.stringify(await definition(olderChart)));
    await here.server.must('apply', '--server-side', '--filename', file);
    const [pod] = await here.pods();
    await here.cluster.until(async () => (await here.probe(pod as Pod, '/readyz/caches-synced')) === 200);
    await here.cluster.create(memcached('by-hand'));
    await here.cluster.until(async () => /status\.nodes: field not declared in schema/.test(await logOf(pod as Pod)));
    await here.cluster.until(async () => (await logOf(pod as Pod)).includes(`it lacks v1alpha1 spec.image, v1alpha1 status.nodes. `));
    const entries = (await logOf(pod as Pod)).split('\n').filter((line) => line.includes('"missing":'));
    expect(entries.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'warn', crd: CRD, missing: ['v1alpha1 spec.image', 'v1alpha1 status.nodes'] },
    ]);
  });

  test('2E-4: a CustomResourceDefinition that is applied by hand then works, without a restart', async () => {
    const [before] = await here.pods();
    const file = chart.write('current.json', JSON.stringify(await definition(chart)));
    await here.server.must('apply', '--server-side', '--filename', file);
    await here.cluster.until(Memcached, 'by-hand', ({ status }) => status?.nodes?.length === 1);
    expect((await here.pods()).map(({ metadata }) => metadata.uid)).toEqual([before?.metadata.uid]);
    expect(await restarts()).toEqual([[0]]);
    await here.cluster.delete(Memcached, 'by-hand');
    await here.cluster.until(Memcached, 'by-hand', 'absent');
    await uninstall();
    await here.cluster.delete(CustomResourceDefinition, CRD);
    await here.cluster.until(CustomResourceDefinition, CRD, 'absent');
  });

  test('2E-3, 2E-10, 2E-14: the chart upgrades the CustomResourceDefinition; with two replicas the standby is ready, and a rolling update ends; no request is refused', async () => {
    const { mark } = here.cluster.requests;
    await run('install', RELEASE, olderChart.path, '--set', 'replicas=2');
    await untilReady(2);
    const before = (await here.pods()).map(({ metadata }) => metadata.name);
    await here.untilLed(before);
    for (const field of NEW_FIELDS)
      expect(JSON.stringify(await here.cluster.get(CustomResourceDefinition, CRD))).not.toContain(`"${field}":{`);
    await run('upgrade', RELEASE, chart.path, '--set', 'replicas=2', '--set', 'image.tag=0.2.0');
    for (const field of NEW_FIELDS) expect(JSON.stringify(await here.cluster.get(CustomResourceDefinition, CRD))).toContain(`"${field}":{`);
    await untilReady(2);
    await serves('first');
    const after = (await here.pods()).map(({ metadata }) => metadata.name);
    expect(after.filter((name) => before.includes(name))).toEqual([]);
    await serves('second');
    await here.untilLed(after);
    here.cluster.requests.since(mark).byUser(ACCOUNT).expectNoneDenied();
  });

  test('2E-11: liveness does not end a standby: it is as live and ready as the leader', async () => {
    for (const pod of await here.pods()) {
      expect([await here.probe(pod, '/healthz'), await here.probe(pod, '/readyz')]).toEqual([200, 200]);
    }
    expect(await restarts()).toEqual([[0], [0]]);
  });

  test('2E-16: another image of the operator replaces its Pods, and none of its objects', async () => {
    const [operators, before] = [(await here.pods()).map(({ metadata }) => metadata.uid), await podsOf('first')];
    await run('upgrade', RELEASE, chart.path, '--set', 'replicas=2', '--set', 'image.tag=0.3.0');
    await untilReady(2);
    const after = (await here.pods()).map(({ metadata }) => metadata.uid);
    expect(after.filter((uid) => operators.includes(uid))).toEqual([]);
    await serves('after-the-upgrade');
    await here.cluster.until(Memcached, 'first', IS_READY);
    expect(await podsOf('first')).toEqual(before);
  });

  test('2E-5: uninstalled, Pods of its objects run on; the next installation takes them over without a restart', async () => {
    const before = await podsOf('first');
    await uninstall();
    expect(await podsOf('first')).toEqual(before);
    await run('install', RELEASE, chart.path);
    await untilReady(1);
    await serves('third');
    await here.cluster.until(Memcached, 'first', IS_READY);
    expect(await podsOf('first')).toEqual(before);
  });

  test('2E-6: an object that is deleted without operator waits for its finalizer, until the operator is installed again', async () => {
    await uninstall();
    await here.cluster.delete(Memcached, 'third');
    expect((await here.cluster.get(Memcached, 'third')).metadata.finalizers).toHaveLength(1);
    await run('install', RELEASE, chart.path);
    await here.cluster.until(Memcached, 'third', 'absent');
  });

  test('2E-6: or until an administrator takes its finalizer away', async () => {
    await uninstall();
    await here.cluster.delete(Memcached, 'second');
    expect((await here.cluster.get(Memcached, 'second')).metadata.deletionTimestamp).toBeDefined();
    await here.server.must('patch', 'memcached', 'second', '--namespace=shop', '--type=merge', '--patch={"metadata":{"finalizers":null}}');
    await here.cluster.until(Memcached, 'second', 'absent');
    await here.cluster.until(Deployment, 'second', 'absent');
  });

  test('uninstalled, it leaves in its namespace what its notes name, and their command removes that', async () => {
    // What each namespace has by itself, and what runs out.
    const isOwn = (name: string): boolean => !/^(event|configmap\/kube-root-ca\.crt|serviceaccount\/default$)/.test(name);
    const left = async (): Promise<readonly string[]> => {
      const kinds = (await here.server.must('api-resources', '--verbs=list', '--namespaced', '--output=name')).trim().split('\n');
      const stored = kinds.filter((kind) => !kind.endsWith('metrics.k8s.io'));
      const names = await here.server.must('get', stored.join(','), '--namespace', NAMESPACE, '--output=name');
      return names.split('\n').filter((name) => name !== '' && isOwn(name));
    };
    expect(await left()).toEqual([`secret/${RELEASE}-certificate`, `lease.coordination.k8s.io/${RELEASE}`]);
    for (const kind of ['clusterroles', 'clusterrolebindings', 'mutatingwebhookconfigurations', 'validatingwebhookconfigurations'])
      expect(await here.server.must('get', kind, '--output=name')).not.toContain(RELEASE);
    const notes = await run('install', RELEASE, chart.path, '--dry-run=client');
    const [, command = ''] = /^ {2}kubectl (.* delete --ignore-not-found .*)$/m.exec(notes) ?? [];
    await here.server.must(...command.split(' '));
    expect(await left()).toEqual([]);
  });

  test('2E-14, 2E-15: for one namespace, and without CustomResourceDefinitions, it asks for nothing in the cluster but its own webhooks', async () => {
    const { mark } = here.cluster.requests;
    const values = ['--set', 'watchNamespaces={shop}', '--set', 'crds.enabled=false', '--set', 'rbac.aggregate=false'];
    await run('install', RELEASE, chart.path, ...values, ...chart.valuesFile({ env: TEXTS }));
    await untilReady(1);
    await serves('fourth');
    const requests = here.cluster.requests.since(mark).byUser(ACCOUNT);
    requests.expectNoneDenied();
    const asked = requests.all;
    const inCluster = asked
      .filter(({ namespace, resource }) => namespace === '' && !ABOUT_ITSELF.includes(resource))
      .map(({ resource }) => resource);
    expect([...new Set(inCluster)].sort()).toEqual(['mutatingwebhookconfigurations', 'validatingwebhookconfigurations']);
    expect(new Set(asked.map(({ namespace }) => namespace))).toEqual(new Set(['', 'shop', NAMESPACE]));
  });

  test('2E-22: texts with spaces, =, quotes and braces, and empty ones, are in the environment of the process as they are', async () => {
    const [pod] = await here.pods();
    const asked = TEXTS.map(({ name }) => `process.env.${name}`).join();
    const program = ['--', process.execPath, '--print', `JSON.stringify([${asked}])`];
    const said = await here.server.must('exec', pod?.metadata.name ?? '', '--namespace', NAMESPACE, ...program);
    expect(JSON.parse(said)).toEqual(TEXTS.map(({ value }) => value));
  });

  const definition = async (of: ChartFolder): Promise<unknown> =>
    documentsOf(await of.must('template', RELEASE, of.path)).find(({ kind }) => kind === 'CustomResourceDefinition');
  const logOf = ({ metadata }: Pod): Promise<string> => here.cluster.logsOf(`${NAMESPACE}/${metadata.name}`);
});

/** The text of a CustomResourceDefinition without the fields, whose lines are those that are indented deeper. */
function withoutNewFields(text: string): string {
  return NEW_FIELDS.reduce((left, name) => left.replace(new RegExp(`^( +)${name}:\\n(?:\\1 +.*\\n)+`, 'm'), ''), text);
}

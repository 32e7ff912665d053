import { KUBERNETES_MINOR } from '../../../imports/version.js';
import { type ClientNodeBench, refusal, startBench } from './client-node.js';

let bench: ClientNodeBench;
beforeAll(async () => {
  bench = await startBench();
});
afterAll(() => bench.cluster.close());

const NAMESPACE = 'default';
const labels = { app: 'web' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'nginx' }] } };

test('CoreV1Api: objects, pages, selectors, and a collection that goes', async () => {
  const core = bench.config.makeApiClient(bench.k8s.CoreV1Api);
  for (const index of [0, 1, 2, 3, 4]) {
    const metadata = { name: `page-${index}`, labels: { parity: index % 2 === 0 ? 'even' : 'odd' } };
    await core.createNamespacedConfigMap({ namespace: NAMESPACE, body: { metadata, binaryData: { raw: 'AAEC' } } });
  }
  const names: (string | undefined)[] = [];
  let token: string | undefined;
  do {
    const page = await core.listNamespacedConfigMap({
      namespace: NAMESPACE,
      limit: 2,
      labelSelector: 'parity',
      ...(token ? { _continue: token } : {}),
    });
    names.push(...page.items.map(({ metadata }) => metadata?.name));
    token = page.metadata?._continue;
  } while (token);
  expect(names).toEqual(['page-0', 'page-1', 'page-2', 'page-3', 'page-4']);
  const found = await core.readNamespacedConfigMap({ namespace: NAMESPACE, name: 'page-0' });
  expect(found.binaryData).toEqual({ raw: 'AAEC' });
  expect(found.metadata?.creationTimestamp?.getTime()).toBeGreaterThan(0);
  await core.deleteCollectionNamespacedConfigMap({ namespace: NAMESPACE, labelSelector: 'parity=even' });
  const { items } = await core.listNamespacedConfigMap({ namespace: NAMESPACE, labelSelector: 'parity' });
  expect(items.map(({ metadata }) => metadata?.name)).toEqual(['page-1', 'page-3']);
});

test('CoreV1Api: secrets are encoded by the server, tokens are given to service accounts', async () => {
  const core = bench.config.makeApiClient(bench.k8s.CoreV1Api);
  const secret = await core.createNamespacedSecret({
    namespace: NAMESPACE,
    body: { metadata: { name: 's' }, stringData: { key: 'value' } },
  });
  expect(secret).toMatchObject({ type: 'Opaque', data: { key: 'dmFsdWU=' } });
  await core.createNamespacedServiceAccount({ namespace: NAMESPACE, body: { metadata: { name: 'robot' } } });
  const { status } = await core.createNamespacedServiceAccountToken({
    namespace: NAMESPACE,
    name: 'robot',
    body: { spec: { audiences: [], expirationSeconds: 600 } },
  });
  const config = new bench.k8s.KubeConfig();
  const cluster = bench.config.getCurrentCluster();
  if (cluster === null) throw new Error('the kubeconfig has no cluster');
  config.loadFromClusterAndUser(cluster, { name: 'robot', token: status?.token ?? '' });
  const review = await config.makeApiClient(bench.k8s.AuthenticationV1Api).createSelfSubjectReview({ body: {} });
  expect(review.status?.userInfo?.username).toBe('system:serviceaccount:default:robot');
  expect((await refusal(config.makeApiClient(bench.k8s.CoreV1Api).listNamespacedSecret({ namespace: NAMESPACE }))).status['message']).toBe(
    'secrets is forbidden: User "system:serviceaccount:default:robot" cannot list resource "secrets" in API group "" in the namespace "default"',
  );
});

test('AppsV1Api: a Deployment, its scale, its status, and a JSON patch', async () => {
  const apps = bench.config.makeApiClient(bench.k8s.AppsV1Api);
  const key = { namespace: NAMESPACE, name: 'web' };
  const created = await apps.createNamespacedDeployment({
    namespace: NAMESPACE,
    body: {
      metadata: { name: 'web' },
      spec: { selector: { matchLabels: labels }, template, strategy: { rollingUpdate: { maxSurge: '30%' } } },
    },
  });
  expect(created.spec).toMatchObject({
    replicas: 1,
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '30%', maxUnavailable: '25%' } },
  });
  const scale = await apps.readNamespacedDeploymentScale(key);
  expect(scale.status?.selector).toBe('app=web');
  await apps.replaceNamespacedDeploymentScale({ ...key, body: { ...scale, spec: { replicas: 4 } } });
  // The client sends patches as JSON patches unless it is told otherwise.
  const body = [
    { op: 'test', path: '/spec/replicas', value: 4 },
    { op: 'add', path: '/metadata/labels', value: labels },
  ];
  const patched = await apps.patchNamespacedDeployment({ ...key, body });
  expect(patched.metadata).toMatchObject({ labels, generation: 2 });
  const merge = bench.k8s.setHeaderOptions('Content-Type', bench.k8s.PatchStrategy.MergePatch);
  const reported = await apps.patchNamespacedDeploymentStatus({ ...key, body: { status: { readyReplicas: 3, replicas: 4 } } }, merge);
  expect(reported.status).toMatchObject({ readyReplicas: 3, replicas: 4 });
  expect(reported.metadata?.generation).toBe(2);
  expect(await apps.deleteNamespacedDeployment({ ...key, propagationPolicy: 'Background' })).toMatchObject({ status: 'Success' });
});

test('ApiextensionsV1Api and CustomObjectsApi: a definition and its objects', async () => {
  const extensions = bench.config.makeApiClient(bench.k8s.ApiextensionsV1Api);
  const custom = bench.config.makeApiClient(bench.k8s.CustomObjectsApi);
  const schema = {
    type: 'object',
    properties: {
      spec: { type: 'object', required: ['size'], properties: { size: { type: 'integer', minimum: 1 } } },
      status: { type: 'object', properties: { seen: { type: 'integer' } } },
    },
  };
  const definition = await extensions.createCustomResourceDefinition({
    body: {
      metadata: { name: 'crates.typed.example.com' },
      spec: {
        group: 'typed.example.com',
        scope: 'Namespaced',
        names: { plural: 'crates', kind: 'Crate' },
        versions: [{ name: 'v1', served: true, storage: true, subresources: { status: {} }, schema: { openAPIV3Schema: schema } }],
      },
    },
  });
  expect(definition.spec.names).toMatchObject({ singular: 'crate', listKind: 'CrateList' });
  await bench.cluster.settled();
  const read = await extensions.readCustomResourceDefinition({ name: 'crates.typed.example.com' });
  expect(read.status?.conditions?.map(({ type, status }) => [type, status])).toEqual([
    ['NamesAccepted', 'True'],
    ['Established', 'True'],
  ]);
  const collection = { group: 'typed.example.com', version: 'v1', namespace: NAMESPACE, plural: 'crates' };
  const crate = (size: number) => ({ apiVersion: 'typed.example.com/v1', kind: 'Crate', metadata: { name: 'one' }, spec: { size } });
  const key = { ...collection, name: 'one' };
  expect((await refusal(custom.createNamespacedCustomObject({ ...collection, body: crate(0) }))).status['message']).toBe(
    'Crate.typed.example.com "one" is invalid: spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1',
  );
  const created = (await custom.createNamespacedCustomObject({ ...collection, body: crate(1) })) as ReturnType<typeof crate>;
  await custom.replaceNamespacedCustomObject({ ...key, body: { ...created, spec: { size: 2 } } });
  const merge = bench.k8s.setHeaderOptions('Content-Type', bench.k8s.PatchStrategy.MergePatch);
  await custom.patchNamespacedCustomObjectStatus({ ...key, body: { status: { seen: 2 }, spec: { size: 9 } } }, merge);
  expect(await custom.getNamespacedCustomObject(key)).toMatchObject({
    spec: { size: 2 },
    status: { seen: 2 },
    metadata: { generation: 2 },
  });
  expect(await custom.listNamespacedCustomObject(collection)).toMatchObject({ kind: 'CrateList', items: [{ metadata: { name: 'one' } }] });
  expect(await custom.deleteNamespacedCustomObject(key)).toMatchObject({
    status: 'Success',
    details: { name: 'one', group: 'typed.example.com' },
  });
  await extensions.deleteCustomResourceDefinition({ name: 'crates.typed.example.com' });
  await bench.cluster.settled();
  expect((await refusal(custom.listNamespacedCustomObject(collection))).code).toBe(404);
});

test('what the client asks of a server about itself', async () => {
  const { k8s, config } = bench;
  expect(await config.makeApiClient(k8s.VersionApi).getCode()).toMatchObject({ major: '1', minor: KUBERNETES_MINOR.split('.')[1] });
  const { groups } = await config.makeApiClient(k8s.ApisApi).getAPIVersions();
  expect(groups.map(({ name }) => name)).toContain('apps');
  const { resources } = await config.makeApiClient(k8s.AppsV1Api).getAPIResources();
  expect(resources.find(({ name }) => name === 'deployments')).toMatchObject({ kind: 'Deployment', shortNames: ['deploy'] });
  expect(await new k8s.Health(config).readyz({})).toBe(true);
});

import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { deploymentFor } from '../../examples/memcached/deployment.js';
import { groupVersionOf } from '../../src/kubernetes/apimachinery/index.js';
import { eventually } from '../eventually.js';
import { applyAll, dryRunUntil, podsMeetRestricted, untilAllowed } from './checks/index.js';
import { type Cluster, describeCluster, type KubectlResult, ServiceNetwork, SharedCluster, type TestObject } from './harness/index.js';
import { documentsOf, exampleNames, type Synthesized, synthesizeExample } from './manifests/index.js';

const FOREIGN_CRDS = join(__dirname, '../../scripts/crds');
const CONFIGURATIONS = ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'] as const;

interface Rules {
  readonly webhooks: readonly {
    readonly name: string;
    readonly failurePolicy: string;
    readonly rules: readonly { apiGroups: string[]; resources: string[] }[];
  }[];
}

/** Environments of one app are applied to two clusters: here is the production one. */
const filesOfOneCluster = (files: readonly string[]): readonly string[] => {
  const ofProduction = files.filter((file) => basename(file).startsWith('production'));
  return ofProduction.length > 0 ? ofProduction : files;
};

describeCluster('the manifests of each example', () => {
  let cluster: SharedCluster;
  let network: ServiceNetwork;
  beforeAll(async () => {
    // Nobody is behind a Service, which is told at once.
    cluster = SharedCluster.take('bare');
    network = await ServiceNetwork.open(cluster);
    for (const file of readdirSync(FOREIGN_CRDS)) await applyAll(cluster, documentsOf(join(FOREIGN_CRDS, file)));
  });
  afterAll(async () => {
    await cluster?.stop();
    await network?.close();
  });

  describe.each(exampleNames())('%s', (name) => {
    let synthesized: Synthesized;
    let objects: readonly TestObject[];
    beforeAll(async () => {
      synthesized = await synthesizeExample(name);
      objects = filesOfOneCluster(synthesized.files).flatMap(documentsOf);
      await provideNamespaces(cluster, objects);
    });
    afterAll(async () => {
      synthesized?.remove();
      await removeClusterScoped(cluster, objects ?? []);
    });

    test('are taken file by file, dry and for real, with strict fields and without a warning; then the definitions are served', async () => {
      expect(objects.length).toBeGreaterThan(0);
      const rest = objects.filter((object) => judgesOf(object, objects).length === 0);
      expect(await applyAll(cluster, rest)).toHaveLength(rest.length);
    });

    test('samples wait for the webhooks that judge them, and are taken where no webhook does', async () => {
      const judged = objects.filter((object) => judgesOf(object, objects).length > 0);
      for (const sample of judged) {
        // A configuration is in force a moment after it is stored.
        const { status, body } = await dryRunUntil(cluster, sample, 500);
        const judge = judgesOf(sample, objects).find((webhook) => body.message?.includes(`"${webhook}"`) === true);
        expect([status, body.message, judge]).toEqual([500, expect.stringContaining('failed calling webhook'), expect.any(String)]);
      }
      await removeConfigurations(cluster, judged);
      expect(await applyAll(cluster, judged)).toHaveLength(judged.length);
    });

    test('the pods of the operator may run where Pod Security restricted rules', async () => {
      const operators = objects.filter(
        ({ kind, metadata: { labels } }) => kind === 'Deployment' && labels?.['app.kubernetes.io/component'] === 'operator',
      );
      expect(operators).not.toEqual([]);
      await podsMeetRestricted(cluster, operators);
    });
  });
});

describeCluster(
  'the memcached example, by kubectl',
  () => {
    let cluster: SharedCluster;
    let network: ServiceNetwork;
    let synthesized: Synthesized;
    let operatorFile: string;
    let samplesFile: string;
    beforeAll(async () => {
      cluster = SharedCluster.take('managed');
      network = await ServiceNetwork.open(cluster);
      synthesized = await synthesizeExample('memcached');
      [operatorFile, samplesFile] = synthesized.files as [string, string];
    });
    afterAll(async () => {
      synthesized?.remove();
      await cluster?.stop();
      await network?.close();
    });
    const kubectl = (...parameters: string[]): Promise<KubectlResult> => cluster.kubectl(parameters);

    test('apply -f of the whole folder installs the operator, and knows the kind of the sample the second time', async () => {
      const first = await kubectl('apply', '-f', synthesized.directory);
      expect([first.code, first.stderr]).toEqual([
        1,
        expect.stringContaining('no matches for kind "Memcached" in version "cache.example.com/v1alpha1"'),
      ]);
      expect(first.stdout.trim().split('\n')).toHaveLength(documentsOf(operatorFile).length);
      // kubectl does not wait for a definition that has no conditions yet.
      const wait = () => kubectl('wait', '--for=condition=Established', 'crd/memcacheds.cache.example.com', '--timeout=30s');
      await eventually(async () => (await wait()).code === 0);
      expect((await wait()).stdout).toBe('customresourcedefinition.apiextensions.k8s.io/memcacheds.cache.example.com condition met\n');
      await eventually(() => isPublished(cluster, 'cache.example.com'));
      const second = await kubectl('apply', '-f', synthesized.directory);
      expect([second.code, second.stderr]).toEqual([
        1,
        expect.stringContaining('failed calling webhook "defaulting.memcacheds.cache.example.com"'),
      ]);
    });

    test.each([
      ['client-side', []],
      ['server-side', ['--server-side']],
    ] as const)('nothing is left to change after a %s apply', async (_, flags) => {
      const applied = await kubectl('apply', ...flags, '-f', operatorFile);
      expect([applied.code, applied.stderr]).toEqual([0, '']);
      expect(await kubectl('diff', ...flags, '-f', operatorFile)).toEqual({ code: 0, stdout: '', stderr: '' });
    });

    test('a changed file is a difference', async () => {
      const deployment = documentsOf(operatorFile).find(({ kind }) => kind === 'Deployment') as TestObject;
      const stdin = JSON.stringify({ ...deployment, spec: { ...(deployment['spec'] as object), replicas: 7 } });
      const { code, stdout } = await cluster.kubectl(['diff', '--server-side', '-f', '-'], { stdin });
      expect([code, stdout]).toEqual([1, expect.stringMatching(/^\+ {2}replicas: 7$/m)]);
    });

    test('the sample is taken where nobody judges it, and shown in columns', async () => {
      await removeConfigurations(cluster, documentsOf(samplesFile));
      const applied = await kubectl('apply', '-f', samplesFile);
      expect(applied).toEqual({ code: 0, stdout: 'memcached.cache.example.com/memcached-sample created\n', stderr: '' });
      expect(await kubectl('diff', '-f', samplesFile)).toEqual({ code: 0, stdout: '', stderr: '' });
      expect(rowsOf((await kubectl('get', 'mc')).stdout)).toEqual([
        ['NAME', 'SIZE', 'READY', 'AGE'],
        ['memcached-sample', '3', expect.any(String)],
      ]);
      const status = {
        conditions: [{ type: 'Ready', status: 'True', reason: 'PodsReady', message: '', lastTransitionTime: '2025-01-01T00:00:00Z' }],
      };
      await kubectl('patch', 'mc', 'memcached-sample', '--subresource=status', '--type=merge', '-p', JSON.stringify({ status }));
      expect(rowsOf((await kubectl('get', 'memcacheds', '-o', 'wide')).stdout)).toEqual([
        ['NAME', 'SIZE', 'READY', 'IMAGE', 'AGE'],
        ['memcached-sample', '3', 'True', 'memcached:1.6', expect.any(String)],
      ]);
    });

    test('explain shows types and descriptions', async () => {
      const { stdout } = await kubectl('explain', 'memcached.spec');
      expect(stdout).toContain('KIND:       Memcached');
      expect(stdout).toMatch(/^ {2}size\t<integer>\n {4}Number of memcached pods\.$/m);
      expect(stdout).toMatch(/^ {2}resources\t<Object>/m);
    });

    test('scale changes the size within the bounds of the schema', async () => {
      expect((await kubectl('scale', 'mc', 'memcached-sample', '--replicas=5')).stdout).toBe(
        'memcached.cache.example.com/memcached-sample scaled\n',
      );
      expect((await kubectl('get', 'mc', 'memcached-sample', '-o', 'jsonpath={.spec.size}')).stdout).toBe('5');
      const refused = await kubectl('scale', 'mc', 'memcached-sample', '--replicas=7');
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('spec.size: Invalid value: 7')]);
    });

    test('a typo in a sample is found before it is stored', async () => {
      const stdin = JSON.stringify({ ...(documentsOf(samplesFile)[0] as TestObject), spec: { sice: 3 } });
      const { code, stderr } = await cluster.kubectl(['apply', '-f', '-'], { stdin });
      expect([code, stderr]).toEqual([1, expect.stringContaining('unknown field "spec.sice"')]);
    });

    test('the Deployment of a Memcached is within the rights of the operator, is restricted, and does not drift', async () => {
      const stored = await cluster.must<Parameters<typeof deploymentFor>[0] & TestObject>(
        'GET',
        '/apis/cache.example.com/v1alpha1/namespaces/default/memcacheds/memcached-sample',
      );
      const { name, uid } = stored.metadata as { name: string; uid: string };
      const child = deploymentFor(stored) as unknown as TestObject;
      await podsMeetRestricted(cluster, [child]);
      const ownerReferences = [{ apiVersion: stored.apiVersion, kind: stored.kind, name, uid, controller: true, blockOwnerDeletion: true }];
      const owned = { ...child, metadata: { ...child.metadata, ownerReferences } };
      const apply = (): Promise<TestObject> =>
        cluster.must('PATCH', '/apis/apps/v1/namespaces/default/deployments/memcached-sample', owned, {
          contentType: 'application/apply-patch+yaml',
          query: { fieldManager: 'memcached-operator', force: 'true', fieldValidation: 'Strict' },
          impersonate: { user: 'system:serviceaccount:memcached-system:memcached-operator', groups: ['system:authenticated'] },
        });
      const first = await apply();
      expect(first['spec']).toMatchObject(child['spec'] as object);
      const second = await apply();
      expect(second.metadata.generation).toBe(first.metadata.generation);
      expect(second.metadata.managedFields?.find(({ manager }) => manager === 'memcached-operator')?.time).toBe(
        first.metadata.managedFields?.find(({ manager }) => manager === 'memcached-operator')?.time,
      );
    });

    test('who may edit a namespace may edit its Memcacheds, who may view may view, and admin may repair the status', async () => {
      const group = 'cache.example.com';
      for (const role of ['admin', 'edit', 'view']) {
        await cluster.until<{ rules?: readonly { apiGroups?: string[] }[] } & TestObject>(
          `/apis/rbac.authorization.k8s.io/v1/clusterroles/${role}`,
          ({ rules }) => rules?.some(({ apiGroups }) => apiGroups?.includes(group)) === true,
        );
      }
      const namespace = await cluster.namespace('team');
      for (const [role, user] of [
        ['admin', 'boss'],
        ['edit', 'developer'],
        ['view', 'reader'],
      ]) {
        await cluster.must('POST', `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/rolebindings`, {
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'RoleBinding',
          metadata: { name: `${user}-is-${role}` },
          roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
          subjects: [{ kind: 'User', name: user, apiGroup: 'rbac.authorization.k8s.io' }],
        });
      }
      const on = { group, resource: 'memcacheds', namespace };
      for (const user of ['boss', 'developer']) await untilAllowed(cluster, { user }, [{ ...on, verb: 'create' }]);
      await untilAllowed(cluster, { user: 'boss' }, [{ ...on, verb: 'patch', subresource: 'status' }]);
      await untilAllowed(cluster, { user: 'reader' }, [{ ...on, verb: 'list' }]);
      const may = async (user: string, ...question: string[]): Promise<string> =>
        (await cluster.kubectl(['auth', 'can-i', ...question, '-n', namespace], { user })).stdout.trim();
      const users = ['boss', 'developer', 'reader', 'stranger'];
      const table = (...question: string[]): Promise<string[]> => Promise.all(users.map((user) => may(user, ...question)));
      expect(await table('create', 'mc')).toEqual(['yes', 'yes', 'no', 'no']);
      expect(await table('list', 'mc')).toEqual(['yes', 'yes', 'yes', 'no']);
      expect(await table('patch', 'mc', '--subresource=scale')).toEqual(['yes', 'yes', 'no', 'no']);
      expect(await table('patch', 'mc', '--subresource=status')).toEqual(['yes', 'no', 'no', 'no']);
      expect(await table('get', 'mc', '--subresource=status')).toEqual(['yes', 'yes', 'yes', 'no']);
      expect(await may('boss', 'deletecollection', 'mc')).toBe('no');
      const collection = `/apis/${group}/v1alpha1/namespaces/${namespace}/memcacheds`;
      const sample = { apiVersion: `${group}/v1alpha1`, kind: 'Memcached', metadata: { name: 'own' }, spec: {} };
      const created = await Promise.all(['developer', 'reader'].map((user) => cluster.request('POST', collection, sample, { user })));
      expect(created.map(({ status }) => status)).toEqual([201, 403]);
    });
  },
  { controllerManager: true },
);

const rowsOf = (text: string): string[][] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/\s{2,}/).filter((cell) => cell !== ''));

/** Namespaces belong to the platform, unless the example makes its own. */
async function provideNamespaces(cluster: Cluster, objects: readonly TestObject[]): Promise<void> {
  const own = objects.filter(({ kind }) => kind === 'Namespace').map(({ metadata }) => metadata.name);
  for (const name of new Set(objects.map(({ metadata }) => metadata.namespace))) {
    if (name === undefined || own.includes(name)) continue;
    const { status } = await cluster.request('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    expect([201, 409]).toContain(status);
  }
}

/** Names of the example's own webhooks that fail closed and are called for this object. */
function judgesOf(object: TestObject, objects: readonly TestObject[]): string[] {
  const { group } = groupVersionOf(object.apiVersion);
  const plurals = objects
    .filter(({ kind, spec }) => kind === 'CustomResourceDefinition' && (spec as { names: { kind: string } }).names.kind === object.kind)
    .map(({ spec }) => (spec as { names: { plural: string } }).names.plural);
  return objects
    .filter(({ kind }) => kind.endsWith('WebhookConfiguration'))
    .flatMap((configuration) => (configuration as unknown as Rules).webhooks)
    .filter(({ failurePolicy }) => failurePolicy === 'Fail')
    .filter(({ rules }) =>
      rules.some(({ apiGroups, resources }) => apiGroups.includes(group) && resources.some((name) => plurals.includes(name))),
    )
    .map(({ name }) => name);
}

async function removeConfigurations(cluster: Cluster, probes: readonly TestObject[]): Promise<void> {
  for (const configurations of CONFIGURATIONS) await cluster.must('DELETE', `/apis/admissionregistration.k8s.io/v1/${configurations}`);
  for (const probe of probes) expect(await dryRunUntil(cluster, probe, 201)).toMatchObject({ status: 201 });
}

/** The next example may define the same kinds. What lies in namespaces stays: without a controller manager nothing else reads it. */
async function removeClusterScoped(cluster: Cluster, objects: readonly TestObject[]): Promise<void> {
  for (const object of objects.filter(({ metadata, kind }) => metadata.namespace === undefined && kind !== 'Namespace').reverse()) {
    const path = await cluster.paths.pathOf(object);
    expect([200, 404]).toContain((await cluster.request('DELETE', path)).status);
    if (object.kind === 'CustomResourceDefinition') await untilGone(cluster, path);
  }
}

async function untilGone(cluster: Cluster, path: string): Promise<void> {
  const isGone = async (): Promise<boolean> => (await cluster.request('GET', path)).status === 404;
  await eventually(isGone, `${path} is gone`);
}

/** Whether the list of kinds that kubectl asks for has the group. A kube-apiserver writes it a moment after it has called a kind established: up to 415 ms on a busy machine. */
async function isPublished(cluster: SharedCluster, group: string): Promise<boolean> {
  const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
  const { body } = await cluster.request<{ readonly items: readonly { readonly metadata: { readonly name: string } }[] }>(
    'GET',
    '/apis',
    undefined,
    { accept },
  );
  return body.items.some(({ metadata }) => metadata.name === group);
}

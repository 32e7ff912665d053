import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { applyAll, dryRunUntil, podsMeetRestricted } from './checks/index.js';
import { type Cluster, describeCluster, ServiceNetwork, SharedCluster, type TestObject } from './harness/index.js';

const GOLDEN = join(__dirname, '../keelson/constructs/golden');
const FOREIGN_CRDS = join(__dirname, '../../scripts/crds');

function documents(path: string): TestObject[] {
  return parseAllDocuments(readFileSync(path, 'utf8'), { version: '1.1' }).map((document) => document.toJS() as TestObject);
}

const files = readdirSync(GOLDEN).filter((file) => file.endsWith('.yaml'));

/** What the goldens take for granted: the namespaces, and the CRDs of cert-manager and of the Prometheus operator. */
async function prepare(cluster: Cluster): Promise<void> {
  for (const name of ['system', 'team-a']) {
    await cluster.must('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
  for (const file of readdirSync(FOREIGN_CRDS)) await applyAll(cluster, documents(join(FOREIGN_CRDS, file)));
}

describeCluster('what the constructs emit', () => {
  let cluster: SharedCluster;
  let network: ServiceNetwork;

  beforeAll(async () => {
    // Nobody is behind a Service, which is told at once.
    cluster = SharedCluster.take('bare');
    network = await ServiceNetwork.open(cluster);
    await prepare(cluster);
  });
  afterAll(async () => {
    await cluster?.stop();
    await network?.close();
  });

  // CRDs first: the sample's golden, and the operators without CRDs, need them.
  const ordered = [...files].sort((left, right) => Number(right.startsWith('crd-')) - Number(left.startsWith('crd-')));
  test.each(ordered)('%s is taken, dry and for real, with strict fields and without a warning', async (file) => {
    const objects = documents(join(GOLDEN, file)).map(movedIntoDefault);
    expect(await applyAll(cluster, objects)).toHaveLength(objects.length);
    await removeWebhooks(cluster, objects);
  });

  test.each(files.filter((file) => file.startsWith('operator-')))('the pods of %s meet Pod Security restricted', async (file) => {
    const deployments = documents(join(GOLDEN, file)).filter(({ kind }) => kind === 'Deployment');
    expect(deployments).toHaveLength(1);
    await podsMeetRestricted(cluster, deployments);
  });

  test('a null within a default is applied; a default that is null itself is taken, and forgotten by the server', async () => {
    const created = await cluster.must('POST', '/apis/cache.example.com/v1alpha1/namespaces/default/memcacheds', {
      apiVersion: 'cache.example.com/v1alpha1',
      kind: 'Memcached',
      metadata: { name: 'defaulted' },
      spec: {},
    });
    expect(created['spec']).toEqual({ size: 3, image: 'memcached:1.6', extra: { note: null } });
  });

  test('the aggregated roles reach the built-in ones by their labels', async () => {
    const roles = await cluster.must<{ items: TestObject[] }>('GET', '/apis/rbac.authorization.k8s.io/v1/clusterroles', undefined, {
      query: { labelSelector: 'rbac.authorization.k8s.io/aggregate-to-edit=true' },
    });
    expect(roles.items.map(({ metadata }) => metadata.name)).toContain('memcacheds.cache.example.com-edit');
  });

  test('an object of a conversion CRD without its operator is refused by the webhook, not by the schema', async () => {
    const response = await cluster.request<{ message: string }>('POST', '/apis/net.example.com/v1beta1/pools', {
      apiVersion: 'net.example.com/v1beta1',
      kind: 'Pool',
      metadata: { name: 'p' },
      spec: { cidr: '10.0.0.0/8' },
    });
    expect(response.status).toBe(500);
    expect(response.body.message).toMatch(/conversion webhook for net\.example\.com\/v1beta1, Kind=Pool failed: .*\/convert/);
  });
});

/** The single parts are emitted without a namespace, as a chart without one does. */
function movedIntoDefault(object: TestObject): TestObject {
  return object.kind === 'Memcached' ? { ...object, metadata: { ...object.metadata, namespace: 'default' } } : object;
}

/** The namespace that every golden's webhooks judge. */
const PROBE: TestObject = {
  apiVersion: 'cache.example.com/v1alpha1',
  kind: 'Memcached',
  metadata: { name: 'probe', namespace: 'team-a' },
  spec: { size: 3 },
};
/** In the order in which they are called. */
const CONFIGURATIONS = [
  ['MutatingWebhookConfiguration', 'mutatingwebhookconfigurations', 'defaulting.memcacheds.cache.example.com'],
  ['ValidatingWebhookConfiguration', 'validatingwebhookconfigurations', 'validating.memcacheds.cache.example.com'],
] as const;

/**
 * Nobody answers the webhooks here: the next golden must not be judged by them. The API server learns of a configuration, and of its end, by a watch: each is
 * seen in force before it goes, for otherwise a create that is taken would not show whether the configuration is over or yet to come.
 */
async function removeWebhooks(cluster: Cluster, objects: readonly TestObject[]): Promise<void> {
  const applied = CONFIGURATIONS.filter(([kind]) => objects.some((object) => object.kind === kind));
  for (const [, plural, webhook] of applied) {
    const message = `failed calling webhook "${webhook}"`;
    const answer = await dryRunUntil(cluster, PROBE, 500, message);
    expect(answer).toMatchObject({ status: 500, body: { message: expect.stringContaining(message) } });
    await cluster.must('DELETE', `/apis/admissionregistration.k8s.io/v1/${plural}`);
  }
  if (applied.length > 0) expect(await dryRunUntil(cluster, PROBE, 201)).toMatchObject({ status: 201 });
}

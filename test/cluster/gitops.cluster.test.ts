import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ApiObject, App, Chart } from 'cdk8s';
import { CustomResource, Operator } from 'keelson/constructs';
import { CustomResourceDefinition, Deployment, MutatingWebhookConfiguration, NetworkPolicy } from 'keelson/kinds';
import { Memcached } from '../../examples/memcached/memcached.js';
import { operator } from '../../examples/memcached/memcached-operator.js';
import { aggregateClusterRoles, type ClusterRole } from '../../src/api-server/access/auth/index.js';
import { type ApiClient, createClient, isNotFound, jsonPatch, loadConnection } from '../../src/runtime/index.js';
import { eventually } from '../eventually.js';
import { describeCluster } from './harness/index.js';

const NAMESPACE = 'memcached-system';
const DEFINITION = 'crd/memcacheds.cache.example.com';
const LAYERS = ['crds', 'operator', 'samples'] as const;

/** A repository as a GitOps tool sees it: one file for each layer. */
function synthesized(folder: string, version: string, networkPolicy: boolean): void {
  mkdirSync(folder, { recursive: true });
  const app = new App({ outdir: folder });
  const crds = new Chart(app, 'crds');
  const system = new Chart(app, 'operator', { namespace: NAMESPACE });
  const samples = new Chart(app, 'samples', { namespace: 'default' });
  new Operator(system, 'operator', {
    operator,
    image: `registry.example.com/memcached-operator:${version}`,
    crds: { scope: crds },
    networkPolicy,
  });
  new CustomResource(samples, 'sample', { definition: Memcached, metadata: { name: 'sample' }, spec: { size: 1 } });
  app.synth();
}

const changedLines = (one: string, other: string): string[] => {
  const [before, after] = [one.split('\n'), other.split('\n')];
  expect(after).toHaveLength(before.length);
  return after.filter((line, index) => line !== before[index]).map((line) => line.trim());
};

describeCluster('a GitOps pipeline: ordered layers, server-side apply with pruning', (cluster) => {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-gitops-'));
  let client: ApiClient;
  const read = (version: string, layer: string): string => readFileSync(join(folder, version, `${layer}.k8s.yaml`), 'utf8');
  const kubectl = async (...parameters: readonly string[]): Promise<string> => {
    const environment = { PATH: process.env['PATH'], HOME: folder, KUBECONFIG: cluster.connection.kubeconfig, KUBECTL_APPLYSET: 'true' };
    const { stdout } = await promisify(execFile)(cluster.connection.kubectl, parameters, { env: environment });
    return stdout;
  };
  /** kubectl does not wait for a definition that has no conditions yet, nor for what the watch cache does not have. */
  const waits = async (...parameters: readonly string[]): Promise<void> => {
    await eventually(
      () => kubectl('wait', ...parameters, '--timeout=30s'),
      `kubectl wait ${parameters.join(' ')}`,
      () => true,
    );
  };
  /** What the layers have made. What other suites have left on the server is the affair of controllers: a Deployment that makes no progress is told so after ten minutes. */
  const made = async (): Promise<string> => {
    const own = await kubectl('get', 'deployment,service,networkpolicy', `--namespace=${NAMESPACE}`, '-o=yaml');
    const global = await kubectl('get', 'clusterrole,mutatingwebhookconfiguration', '-o=yaml');
    return [own, global, await kubectl('get', DEFINITION, '-o=yaml')].join('---\n');
  };
  const apply = (version: string, layer: (typeof LAYERS)[number]): Promise<string> =>
    kubectl(
      ...[
        'apply',
        '--server-side',
        '--field-manager=flux',
        `--namespace=${layer === 'samples' ? 'default' : NAMESPACE}`,
        '--prune',
        `--applyset=${layer}`,
      ],
      ...['-f', join(folder, version, `${layer}.k8s.yaml`)],
    );
  beforeAll(async () => {
    synthesized(join(folder, '1'), '1.0.0', true);
    synthesized(join(folder, '2'), '1.1.0', true);
    synthesized(join(folder, '3'), '1.1.0', false);
    client = createClient({ connection: await loadConnection({ kubeconfig: cluster.connection.kubeconfig }) });
    await kubectl('create', 'namespace', NAMESPACE);
  });
  afterAll(async () => {
    client?.close();
    // Other suites share the cluster: webhooks without anybody behind them, and roles of the cluster that `flux` owns, are not for them.
    for (const layer of ['operator', 'crds']) await kubectl('delete', '--ignore-not-found', '-f', join(folder, '1', `${layer}.k8s.yaml`));
    // The tool remembers in a Secret what it has applied.
    await kubectl('delete', '--ignore-not-found', 'secret/samples', '--namespace=default');
    await kubectl('delete', 'namespace', NAMESPACE, '--wait=false');
    rmSync(folder, { recursive: true, force: true });
  });

  test('each layer is a file, and holds what lives as long', () => {
    expect(readdirSync(join(folder, '1')).sort()).toEqual(LAYERS.map((layer) => `${layer}.k8s.yaml`));
    expect(read('1', 'crds').match(/^kind: .*/gm)).toEqual(['kind: CustomResourceDefinition']);
    expect(read('1', 'operator')).not.toMatch(/^kind: CustomResourceDefinition/m);
  });

  test('CRDs, then the operator; a second pass changes nothing', async () => {
    await apply('1', 'crds');
    await waits('--for=condition=Established', DEFINITION);
    await apply('1', 'operator');
    // The Deployment's controller has written for the last time: there is no scheduler that its Pod could wait for.
    const counted = '--for=jsonpath={.status.conditions[?(@.type=="Progressing")].reason}=ReplicaSetUpdated';
    await waits(counted, 'deployment/memcached-operator', `--namespace=${NAMESPACE}`);
    // So has the one that adds the operator's roles for users to those of the cluster.
    const areAggregated = async (): Promise<boolean> => {
      const { items } = await cluster.must<{ items: ClusterRole[] }>('GET', '/apis/rbac.authorization.k8s.io/v1/clusterroles');
      return aggregateClusterRoles(items).size === 0;
    };
    await eventually(areAggregated);
    const before = await made();
    await apply('1', 'crds');
    await apply('1', 'operator');
    expect(before).toContain('name: memcached-operator');
    expect(await made()).toBe(before);
  });

  test('the authority that the operator writes into its webhooks stays', async () => {
    const [{ metadata } = { metadata: { name: '' } }] = (await client.listAll(MutatingWebhookConfiguration)).items;
    const caBundle = Buffer.from(cluster.connection.ca).toString('base64');
    const key = { name: metadata.name };
    const set = jsonPatch([{ op: 'add', path: '/webhooks/0/clientConfig/caBundle', value: caBundle }]);
    await client.patch(MutatingWebhookConfiguration, key, set, { fieldManager: 'memcached-operator' });
    await apply('1', 'operator');
    expect((await client.get(MutatingWebhookConfiguration, key)).webhooks?.[0]?.clientConfig.caBundle).toBe(caBundle);
  });

  test('another image is one line, and one object', async () => {
    for (const layer of ['crds', 'samples']) expect(read('2', layer)).toBe(read('1', layer));
    expect(changedLines(read('1', 'operator'), read('2', 'operator'))).toEqual(['image: registry.example.com/memcached-operator:1.1.0']);
    await apply('2', 'operator');
    const deployment = await client.get(Deployment, { name: 'memcached-operator', namespace: NAMESPACE });
    expect(deployment.metadata.generation).toBe(2);
    expect(deployment.spec?.template.spec?.containers[0]?.image).toBe('registry.example.com/memcached-operator:1.1.0');
  });

  test('an object that the repository has no longer is pruned; other layers are not touched', async () => {
    const policies = async () => (await client.listAll(NetworkPolicy, { namespace: NAMESPACE })).items.length;
    expect(await policies()).toBe(1);
    const crd = await client.get(CustomResourceDefinition, { name: 'memcacheds.cache.example.com' });
    expect(await apply('3', 'operator')).toContain('networkpolicy.networking.k8s.io/memcached-operator pruned');
    expect(await policies()).toBe(0);
    const after = await client.get(CustomResourceDefinition, { name: 'memcacheds.cache.example.com' });
    expect(after.metadata.uid).toBe(crd.metadata.uid);
  });

  test('samples before the operator answers are refused, not lost: the tool tries again', async () => {
    await expect(apply('3', 'samples')).rejects.toThrow(/failed calling webhook/);
    const error: unknown = await client.get(Memcached, { name: 'sample', namespace: 'default' }).catch((refusal: unknown) => refusal);
    expect(isNotFound(error)).toBe(true);
  });

  test('a wave is an annotation on the construct', () => {
    const app = new App();
    const chart = new Chart(app, 'all', { namespace: NAMESPACE });
    const made = new Operator(chart, 'operator', { operator, image: 'registry.example.com/memcached-operator:1.0.0' });
    for (const crd of made.crds.values()) ApiObject.of(crd).metadata.addAnnotation('argocd.argoproj.io/sync-wave', '-1');
    const [first] = chart.toJson() as readonly { metadata: { annotations: object } }[];
    expect(first?.metadata.annotations).toHaveProperty(['argocd.argoproj.io/sync-wave'], '-1');
  });
});

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type InProcessCluster, mergePatch, processes, TestCluster } from '@keelson/testing';
import { Deployment, EndpointSlice, MutatingWebhookConfiguration, Pod } from 'keelson/kinds';
import { SYSTEM_NAMESPACE } from '../../examples/sidecarset/names.js';
import { SidecarSet } from '../../examples/sidecarset/sidecar-set.js';
import { DEADLINE_MS } from '../deadline.cjs';

const ROOT = join(__dirname, '../..');
const NAME = 'sidecarset-operator';
const OPERATOR = `${SYSTEM_NAMESPACE}/${NAME}`;

describe('the SidecarSet operator deployed from its manifests, in Pods that are processes', () => {
  let cluster: InProcessCluster;
  let directory: string;
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'keelson-sidecarset-'));
    const manifest = await synthesized(directory);
    const program = bundled(directory);
    const containers = processes({
      [`registry.example.com/${NAME}:*`]: ({ address, kubeconfig }) => ({
        program: process.execPath,
        args: [program],
        env: { KUBECONFIG: kubeconfig(), KEELSON_LISTEN_ADDRESS: address },
      }),
    });
    cluster = await TestCluster.start({ workloads: { containers }, manifests: [manifest], namespace: 'shop', timeout: DEADLINE_MS });
    await untilReplicas(2);
  });
  afterAll(async () => {
    await cluster?.close();
    rmSync(directory, { recursive: true, force: true });
  });

  const untilReplicas = (count: number) =>
    cluster.until(Deployment, OPERATOR, ({ status }) => (status?.readyReplicas ?? 0) === count && (status?.replicas ?? 0) === count);
  const scaleTo = async (replicas: number): Promise<void> => {
    await cluster.patch(Deployment, OPERATOR, mergePatch({ spec: { replicas } }));
    await untilReplicas(replicas);
  };
  const operatorPods = () => cluster.list(Pod, { namespace: SYSTEM_NAMESPACE, labels: { 'app.kubernetes.io/name': NAME } });
  const endpoints = async () => {
    const labels = { 'kubernetes.io/service-name': `${NAME}-webhook` };
    return (await cluster.list(EndpointSlice, { namespace: SYSTEM_NAMESPACE, labels })).flatMap((slice) => slice.endpoints ?? []);
  };
  const podOf = (name: string, namespace?: string) =>
    Pod({
      metadata: { name, labels: { app: 'web' }, ...(namespace === undefined ? {} : { namespace }) },
      spec: { containers: [{ name: 'app', image: 'app:1' }] },
    });
  const failed = (cause: string) => ({
    status: { code: 500 },
    message: expect.stringMatching(new RegExp(`failed calling webhook "mutating\\.pods\\.core": .*${cause}`)),
  });

  test('2B-1, 2B-2: SidecarSets are completed and judged through the Service of the webhooks, by a certificate that the operator has made', async () => {
    const set = SidecarSet({
      metadata: { name: 'proxy' },
      spec: { selector: { matchLabels: { app: 'web' } }, containers: [{ name: 'proxy', image: 'proxy:1' }] },
    });
    const { metadata, spec } = await cluster.create(set);
    expect(Object.keys(metadata.annotations ?? {}).filter((name) => name.endsWith('hash'))).toHaveLength(1);
    expect(spec.containers).toMatchObject([{ imagePullPolicy: 'IfNotPresent' }]);
    const empty = { ...set, metadata: { name: 'empty' }, spec: { ...set.spec, selector: {} } };
    await expect(cluster.create(empty)).rejects.toThrow('spec.selector');
    await cluster.until(SidecarSet, 'proxy', ({ status }) => status?.observedGeneration === 1);
  });

  test('2B-3, 2B-7: a Pod gets its sidecar, and is counted', async () => {
    await cluster.create(podOf('first'));
    expect((await cluster.get(Pod, 'first')).spec?.containers.map(({ name }) => name)).toEqual(['app', 'proxy']);
    await cluster.until(SidecarSet, 'proxy', { status: { matchedPods: 1, updatedPods: 1, readyPods: 1 } });
  });

  test('2B-28: the first version is converted through the same Service', async () => {
    const [first] = await cluster.list(SidecarSet.versions.v1alpha1);
    expect(first?.apiVersion).toBe('apps.example.com/v1alpha1');
  });

  test('2B-18: operators that hang cost as long as the time limit and no longer; namespaces that are left out do not wait', async () => {
    const { webhooks = [] } = await cluster.get(MutatingWebhookConfiguration, NAME);
    const limited = webhooks.map((webhook) => ({ ...webhook, timeoutSeconds: 1 }));
    await cluster.patch(MutatingWebhookConfiguration, NAME, mergePatch({ webhooks: limited }));
    const names = (await operatorPods()).map(({ metadata }) => `${SYSTEM_NAMESPACE}/${metadata.name}`);
    for (const name of names) await cluster.pods.signal(name, 'SIGSTOP');
    try {
      await expect(cluster.create(podOf('waits'))).rejects.toMatchObject(failed('\\?timeout=1s": context deadline exceeded'));
      await cluster.create(podOf('does-not-wait', 'kube-system'));
    } finally {
      for (const name of names) await cluster.pods.signal(name, 'SIGCONT');
    }
    await cluster.patch(MutatingWebhookConfiguration, NAME, mergePatch({ webhooks }));
    const { spec } = await cluster.create(podOf('waited'));
    expect(spec?.containers.map(({ name }) => name)).toEqual(['app', 'proxy']);
    expect(await cluster.find(Pod, 'waits')).toBeUndefined();
  });

  test('2B-17, 2B-19: without an operator no Pod is created; its own Pods are, and then all others again', async () => {
    await scaleTo(0);
    await cluster.until(async () => (await endpoints()).length === 0);
    await expect(cluster.create(podOf('lost'))).rejects.toMatchObject(
      failed(`\\?timeout=\\d+s": no endpoints available for service "${NAME}-webhook"$`),
    );
    await scaleTo(2);
    const { spec } = await cluster.create(podOf('found'));
    expect(spec?.containers.map(({ name }) => name)).toEqual(['app', 'proxy']);
  });

  test('nothing that the operator asked for was refused', () => {
    cluster.requests.byUser(`system:serviceaccount:${SYSTEM_NAMESPACE}:${NAME}`).expectNoneDenied();
  });
});

/** @returns the path of the manifests of the operator, as `cdk8s synth` writes them */
async function synthesized(directory: string): Promise<string> {
  const before = process.env['CDK8S_OUTDIR'];
  process.env['CDK8S_OUTDIR'] = directory;
  try {
    await import('../../examples/sidecarset/main.js');
  } finally {
    if (before === undefined) delete process.env['CDK8S_OUTDIR'];
    else process.env['CDK8S_OUTDIR'] = before;
  }
  return join(directory, `${NAME}.k8s.yaml`);
}

/** @returns the path of the operator, bundled as its Dockerfile bundles it */
function bundled(directory: string): string {
  const rolldown = join(ROOT, 'node_modules', 'rolldown', 'bin', 'cli.mjs');
  const output = ['--dir', directory, '--entryFileNames', '[name].mjs', '--chunkFileNames', '[name]-[hash].mjs'];
  const options = ['--platform', 'node', '--tsconfig', 'tsconfig.json', ...output];
  execFileSync(process.execPath, [rolldown, 'examples/sidecarset/operator.ts', ...options], { cwd: ROOT });
  return join(directory, 'operator.mjs');
}

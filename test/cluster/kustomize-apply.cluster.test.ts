import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApiServer } from '@keelson/api-server';
import { kustomizeFiles } from 'keelson/packaging';
import { memcachedPackage } from '../../examples/memcached/package.js';
import { DEADLINE_MS } from '../deadline.cjs';
import { eventually } from '../eventually.js';
import { describeCluster, SharedCluster } from './harness/index.js';
import { KustomizeFolder } from './kustomize/kustomize-folder.js';

const NAMESPACE = 'memcached-system';
const DEPLOYMENT = `/apis/apps/v1/namespaces/${NAMESPACE}/deployments/memcached-operator`;

describeCluster('kubectl apply -k of the Kustomize base', () => {
  let embedded: ApiServer;
  let cluster: SharedCluster;
  let folder: KustomizeFolder;
  const kubeconfigs: string[] = [];

  beforeAll(async () => {
    // kubectl has a kustomize of its own, older than the one of test/cluster/kustomize.cluster.test.ts.
    folder = new KustomizeFolder('', kustomizeFiles(memcachedPackage));
    cluster = SharedCluster.take('bare');
    embedded = await ApiServer.start();
    const kubeconfig = join(folder.path, 'embedded.kubeconfig');
    writeFileSync(kubeconfig, embedded.kubeconfig(), { mode: 0o600 });
    kubeconfigs.push(kubeconfig, cluster.kubeconfig);
  });
  afterAll(async () => {
    await embedded?.close();
    await cluster?.stop();
    folder?.remove();
  });

  describe.each([
    ['the embedded server', 0],
    ['a kube-apiserver', 1],
  ])('on %s', (_name, index) => {
    const kubectl = (...args: readonly string[]): Promise<string> =>
      new Promise((resolve, reject) => {
        const command = ['--kubeconfig', kubeconfigs[index] ?? '', ...args];
        execFile(cluster.connection.kubectl, command, { timeout: DEADLINE_MS }, (error, stdout, stderr) => {
          if (error === null) resolve(stdout);
          else reject(new Error(`kubectl ${args.join(' ')}: ${stderr}`));
        });
      });
    const apply = (path: string): Promise<string> => kubectl('apply', '--server-side', '--kustomize', join(folder.path, path));

    test('the base is applied, and a second time without a change of an object', async () => {
      await kubectl('create', 'namespace', NAMESPACE);
      expect(await apply('operator/base')).toContain('deployment.apps/memcached-operator serverside-applied');
      const before = await kubectl('get', '--raw', DEPLOYMENT);
      await apply('operator/base');
      expect(resourceVersion(await kubectl('get', '--raw', DEPLOYMENT))).toBe(resourceVersion(before));
    });

    test('an overlay of a user changes a list of a custom resource by its key', async () => {
      const cache = {
        apiVersion: 'cache.example.com/v1alpha1',
        kind: 'Memcached',
        metadata: { name: 'cache', namespace: 'default' },
        spec: { resources: { claims: [{ name: 'gpu' }, { name: 'disk' }] } },
      };
      const patch = { ...cache, spec: { resources: { claims: [{ name: 'disk', request: 'fast' }] } } };
      const name = folder.overlay(
        'team',
        { resources: ['../operator/overlays/namespaced', 'cache.yaml'], patches: [{ path: 'patch.yaml' }] },
        { 'cache.yaml': cache, 'patch.yaml': patch },
      );
      // Without the webhooks, which do not run here; the kind itself has to be served first.
      await kubectl('delete', 'mutatingwebhookconfigurations,validatingwebhookconfigurations', '--all');
      const manifests = await kubectl('kustomize', join(folder.path, name));
      writeFileSync(join(folder.path, 'cache-only.yaml'), documents(manifests).find((text) => text.includes('\nkind: Memcached\n')) ?? '');
      const applyCache = (...args: readonly string[]): Promise<string> =>
        kubectl('apply', '--server-side', '--filename', join(folder.path, 'cache-only.yaml'), ...args);
      // The API server serves the kind a moment after it was stored, and forgets the webhooks a moment after they were deleted.
      await eventually(
        () => applyCache('--dry-run=server'),
        'the cache is accepted',
        () => true,
      );
      await applyCache();
      const stored = JSON.parse(
        await kubectl('get', '--raw', '/apis/cache.example.com/v1alpha1/namespaces/default/memcacheds/cache'),
      ) as typeof patch;
      expect(stored.spec.resources.claims).toEqual(expect.arrayContaining([{ name: 'gpu' }, { name: 'disk', request: 'fast' }]));
    });
  });
});

function documents(text: string): string[] {
  return text.split(/^---$/m).map((document) => `\n${document.trim()}\n`);
}

function resourceVersion(text: string): unknown {
  return (JSON.parse(text) as { metadata: { resourceVersion: string } }).metadata.resourceVersion;
}

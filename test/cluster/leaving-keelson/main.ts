/* oxlint-disable deadlines/no-literal -- a program of a user, as the page shows it: the number is its pause before it tries again */
// #region program
import {
  CustomObjectsApi,
  KubeConfig,
  type KubernetesObject,
  KubernetesObjectApi,
  makeInformer,
  PatchStrategy,
  type V1Deployment,
} from '@kubernetes/client-node';

interface Memcached extends KubernetesObject {
  readonly spec: { readonly size: number };
}

/** What `reconcile` returned as `owned`, with the owner reference that the runtime added. */
function deploymentOf({
  apiVersion = '',
  kind = '',
  metadata: { name = '', namespace = '', uid = '' } = {},
  spec,
}: Memcached): V1Deployment {
  const labels = { app: name };
  const owner = { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, ownerReferences: [owner] },
    spec: {
      replicas: spec.size,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'memcached', image: 'memcached:1.6' }] } },
    },
  };
}

const config = new KubeConfig();
config.loadFromDefault();
const objects = KubernetesObjectApi.makeApiClient(config);
const custom = config.makeApiClient(CustomObjectsApi);
const gvr = { group: 'cache.example.com', version: 'v1alpha1', plural: 'memcacheds' };
const memcacheds = makeInformer<Memcached>(config, '/apis/cache.example.com/v1alpha1/memcacheds', () =>
  custom.listClusterCustomObject(gvr),
);
const deployments = makeInformer<V1Deployment>(config, '/apis/apps/v1/deployments', () => objects.list('apps/v1', 'Deployment'));

const RETRY_MS = 5_000;

/** One run after the other; a failed one is retried. */
let last: Promise<unknown> = Promise.resolve();
function reconcile(name = '', namespace = ''): void {
  last = last.then(async () => {
    const memcached = memcacheds.get(name, namespace);
    if (memcached === undefined || memcached.metadata?.deletionTimestamp !== undefined) return;
    // The field manager of keelson's controller: fields that it wrote, and that are not written any more, go away.
    const apply = [undefined, undefined, 'memcached-operator/memcached', true, PatchStrategy.ServerSideApply] as const;
    await objects.patch(deploymentOf(memcached), ...apply).catch((error: unknown) => {
      console.error(`${namespace}/${name}:`, error);
      setTimeout(reconcile, RETRY_MS, name, namespace);
    });
  });
}

memcacheds.on('change', ({ metadata }) => reconcile(metadata?.name, metadata?.namespace));
for (const event of ['change', 'delete'] as const)
  deployments.on(event, ({ metadata }) => {
    const owner = metadata?.ownerReferences?.find(({ kind }) => kind === 'Memcached');
    if (owner !== undefined) reconcile(owner.name, metadata?.namespace);
  });
for (const informer of [memcacheds, deployments]) {
  const start = (): void => void informer.start().catch(restart);
  const restart = (error: unknown): void => {
    console.error('a watch has ended:', error);
    setTimeout(start, RETRY_MS);
  };
  informer.on('error', restart);
  start();
}
// #endregion

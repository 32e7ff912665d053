import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mergePatch } from '@keelson/testing';
import type { PolicyRule } from 'keelson';
import { ClusterRoleBinding, Deployment, ServiceAccount } from 'keelson/kinds';
import { DeployedExample, scrape, unusedRights } from './examples-harness/index.js';
import { describeCluster } from './harness/index.js';
import { documentsOf } from './manifests/index.js';

const NAME = 'memcached-operator';
const NAMESPACE = 'memcached-system';
const ACCOUNT = `system:serviceaccount:${NAMESPACE}:${NAME}`;
/** Children that are desired no longer are deleted; a Memcached desires its Deployment as long as it lives. */
const OF_CHILDREN = 'delete deployments.apps';
/** An object is told of by an event when no run can begin for it, because a cache is not complete for long. */
const OF_WAITING = ['create events.events.k8s.io', 'patch events.events.k8s.io'];
/** The certificate of the secured metrics is new here, and is replaced after 60 days. */
const OF_RENEWAL = 'update secrets';
/** And no request: docs/decisions/014-rights-in-use.md. */
const ASKED_BY_A_PLUGIN = 'update memcacheds/finalizers.cache.example.com';

describeCluster(
  'quickstart on a real control plane',
  () => {
    /** Its module writes the manifests when it is loaded. */
    const folder = mkdtempSync(join(tmpdir(), 'keelson-quickstart-'));
    let deployed: DeployedExample;
    let cluster: DeployedExample['cluster'];
    let Memcached: typeof import('../../examples/quickstart/main.js').Memcached;
    beforeAll(async () => {
      process.env['CDK8S_OUTDIR'] = folder;
      ({ Memcached } = await import('../../examples/quickstart/main.js'));
      delete process.env['CDK8S_OUTDIR'];
      deployed = await DeployedExample.start({
        example: 'quickstart',
        entry: 'test/cluster/examples-quickstart/main.ts',
        environment: { CDK8S_OUTDIR: folder },
        name: NAME,
        hasWebhooks: false,
        namespace: NAMESPACE,
        // The manifests leave it to the platform to make theirs.
        namespaces: ['shop', NAMESPACE],
      });
      ({ cluster } = deployed);
      const { spec } = await cluster.get(Deployment, `${NAMESPACE}/${NAME}`);
      await deployed.untilReplicas(spec?.replicas ?? 1);
    });
    afterAll(async () => {
      await deployed?.close();
      rmSync(folder, { recursive: true });
    });

    test('a Memcached has a Deployment of its size, and says how many of its Pods are ready', async () => {
      await cluster.create(Memcached({ metadata: { name: 'a' }, spec: { size: 1 } }));
      await cluster.until(Memcached, 'a', { status: { ready: 1 } });
      await cluster.patch(Memcached, 'a', mergePatch({ spec: { size: 2 } }));
      await cluster.until(Memcached, 'a', { status: { ready: 2 } });
      const { metadata } = await cluster.get(Deployment, 'a');
      expect(metadata.ownerReferences).toMatchObject([{ kind: 'Memcached', name: 'a', controller: true, blockOwnerDeletion: true }]);
      await cluster.delete(Deployment, 'a');
      await cluster.until(Deployment, 'a', (deployment) => deployment.metadata.uid !== metadata.uid);
      await cluster.until(Memcached, 'a', { status: { ready: 2 } });
    });

    test('nothing that the operator asked for was refused, and every right that the manifests grant has been used', async () => {
      await cluster.create(ServiceAccount({ metadata: { name: 'scraper', namespace: NAMESPACE } }));
      await cluster.create(
        ClusterRoleBinding({
          metadata: { name: 'scraper' },
          roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: `${NAME}-metrics-reader` },
          subjects: [{ kind: 'ServiceAccount', name: 'scraper', namespace: NAMESPACE }],
        }),
      );
      const [pod] = deployed.operators.pods.values();
      const metrics = () => scrape({ cluster, port: pod?.ports.metrics ?? 0, account: `${NAMESPACE}/scraper` });
      // The authorizer learns of the binding by a watch.
      await cluster.until(async () => (await metrics()).status === 200);
      expect((await metrics()).text).toContain('controller_runtime_reconcile_total');
      // The leader says that it still is.
      await cluster.until(() =>
        cluster.requests.byUser(ACCOUNT).all.some(({ verb, resource }) => verb === 'update' && resource === 'leases'),
      );
      const requests = cluster.requests.byUser(ACCOUNT);
      requests.expectNoneDenied();
      expect(unusedRights(rulesIn(deployed.manifests), requests)).toEqual(
        [...OF_WAITING, OF_RENEWAL, OF_CHILDREN, ASKED_BY_A_PLUGIN].sort(),
      );
    });
  },
  { controllerManager: true },
);

/** Of all roles that the operator's account has. */
function rulesIn(file: string): PolicyRule[] {
  return documentsOf(file)
    .filter(({ kind, metadata }) => ['ClusterRole', 'Role'].includes(kind) && [NAME, `${NAME}-runtime`].includes(metadata.name ?? ''))
    .flatMap((role) => role['rules'] as PolicyRule[]);
}

import { mergePatch } from '@keelson/testing';
import type { PolicyRule } from 'keelson';
import {
  ClusterRoleBinding,
  ConfigMap,
  Deployment,
  EventsV1Event,
  Namespace,
  Pod,
  Secret,
  ServiceAccount,
  StatefulSet,
} from 'keelson/kinds';
import { PodMonitor, Probe, Prometheus, PrometheusRule, ScrapeConfig, ServiceMonitor } from '../../examples/prometheus/kinds.js';
import { ALL_OF_TEAM_A, labelled, monitor, probe, rule, scrapeConfig } from '../../examples/prometheus/prometheus-world.js';
import { DeployedExample, scrape, unusedRights } from './examples-harness/index.js';
import { describeCluster } from './harness/index.js';
import { documentsOf } from './manifests/index.js';

const NAME = 'prometheus-operator';
const NAMESPACE = 'monitoring';
const OPERATOR = `${NAMESPACE}/${NAME}`;
const ACCOUNT = `system:serviceaccount:${NAMESPACE}:${NAME}`;
const SCRAPER = `${NAMESPACE}/scraper`;
const POD = 'prometheus-main-0';
/** Desired children that are desired no longer are deleted; a Prometheus desires all of its Secrets as long as it lives. */
const OF_CHILDREN = 'delete secrets';
/** And no request: docs/decisions/014-rights-in-use.md. */
const ASKED_BY_A_PLUGIN = 'update prometheuses/finalizers.monitoring.coreos.com';

describeCluster(
  'prometheus on a real control plane',
  () => {
    let deployed: DeployedExample;
    let cluster: DeployedExample['cluster'];
    beforeAll(async () => {
      deployed = await DeployedExample.start({ example: 'prometheus', name: NAME, namespace: NAMESPACE, namespaces: ['shop', 'plant'] });
      ({ cluster } = deployed);
      await allowMetrics();
      await deployed.untilReplicas(2);
    });
    afterAll(() => deployed?.close());

    const rolledOut = (name = 'main') =>
      cluster.until(
        Prometheus,
        name,
        ({ metadata, status }) =>
          status?.conditions?.some(
            ({ type, status: is, observedGeneration }) => type === 'Ready' && is === 'True' && observedGeneration === metadata.generation,
          ) === true,
      );
    const change = (spec: object) => cluster.patch(Prometheus, 'main', mergePatch({ spec }));
    const bindingsOf = async (kind: typeof ServiceMonitor, name: string): Promise<string[]> =>
      ((await cluster.get(kind, name)).status?.bindings ?? []).map(
        ({ name: prometheus, conditions }) => `${prometheus} ${conditions?.[0]?.status} ${conditions?.[0]?.message ?? ''}`,
      );

    test('a rule that Prometheus could not load is refused by the webhook', async () => {
      await cluster.until(async () =>
        expect(cluster.create(rule('bad', 'sum(up'), { dryRun: true })).rejects.toThrow('cannot be parsed from character 7 on'),
      );
    });

    test('2D-1 2D-3 what a Prometheus selects makes its children, and says so in its status', async () => {
      const basicAuth = { username: { name: 'auth', key: 'u' }, password: { name: 'auth', key: 'p' } };
      const large = (name: string) => rule(name, 'up == 0', { text: 'x'.repeat(300 * 1024) });
      const jobs = PodMonitor({ ...labelled('jobs'), spec: { selector: {}, podMetricsEndpoints: [{ port: 'metrics' }] } });
      for (const object of [
        monitor('web', { port: 'web', basicAuth }),
        jobs,
        probe('pages'),
        scrapeConfig('outside'),
        large('a'),
        large('b'),
      ])
        await cluster.create(object as never);
      await cluster.create(
        Prometheus({ metadata: { name: 'main' }, spec: { ...ALL_OF_TEAM_A, ...claimOf('1Gi'), podManagementPolicy: 'OrderedReady' } }),
      );
      await rolledOut();
      expect(await bindingsOf(ServiceMonitor, 'web')).toEqual(['main False endpoints[0].basicAuth.username: there is no Secret shop/auth']);
      await cluster.until(async () => {
        const events = await cluster.list(EventsV1Event, { namespace: 'shop' });
        expect(events.map(({ reason, regarding }) => `${reason} ${regarding?.name}`)).toContain('InvalidConfiguration web');
      });
      await cluster.create(Secret, { metadata: { name: 'auth', namespace: 'shop' }, stringData: { u: 'ann', p: 'b' } });
      for (const [kind, name] of [
        [ServiceMonitor, 'web'],
        [PodMonitor, 'jobs'],
        [Probe, 'pages'],
        [ScrapeConfig, 'outside'],
        [PrometheusRule, 'a'],
      ] as const)
        await cluster.until(async () => expect(await bindingsOf(kind as typeof ServiceMonitor, name)).toEqual(['main True ']));
      await cluster.until(ConfigMap, 'prometheus-main-rulefiles-1', 'present');
      await cluster.delete(PrometheusRule, 'b');
      await cluster.until(ConfigMap, 'prometheus-main-rulefiles-1', 'absent');
      await rolledOut();
    });

    test('2D-17 a namespace that is labelled brings its monitors in', async () => {
      await cluster.create(monitor('pump', { port: 'web' }, 'plant') as never);
      await change({ serviceMonitorNamespaceSelector: { matchLabels: { monitored: 'yes' } } });
      await cluster.patch(Namespace, 'plant', mergePatch({ metadata: { labels: { monitored: 'yes' } } }));
      await cluster.until(ServiceMonitor, 'plant/pump', { status: { bindings: [{ name: 'main' }] } } as never);
      await cluster.until(ServiceMonitor, 'web', ({ status }) => (status?.bindings ?? []).length === 0);
    });

    test('2D-9 another claim template: kube-apiserver refuses the change, so the StatefulSet is made anew, once', async () => {
      const { metadata } = await cluster.get(StatefulSet, 'prometheus-main');
      await change(claimOf('2Gi'));
      await cluster.until(StatefulSet, 'prometheus-main', (set) => set.metadata.uid !== metadata.uid);
      await rolledOut();
      const { spec } = await cluster.get(StatefulSet, 'prometheus-main');
      expect(spec?.volumeClaimTemplates?.[0]?.spec?.resources?.requests).toEqual({ storage: '2Gi' });
      const deletions = cluster.requests
        .byUser(ACCOUNT)
        .all.filter(({ verb, resource }) => verb === 'delete' && resource === 'statefulsets');
      expect(deletions).toHaveLength(1);
    });

    test('2D-8 kubectl scale makes another shard, and takes it away', async () => {
      const scale = (replicas: number) =>
        cluster.client.scale(Prometheus).patch({ name: 'main', namespace: 'shop' }, mergePatch({ spec: { replicas } }));
      await scale(2);
      await cluster.until(StatefulSet, 'prometheus-main-shard-1', 'present');
      await scale(1);
      await cluster.until(StatefulSet, 'prometheus-main-shard-1', 'absent');
      await rolledOut();
    });

    test('2D-21 a Pod of an older revision that is not ready keeps a rollout from going on, until it is evicted', () => stuckRollout('3d'));

    test('2D-23 another process of the operator, with another setting, writes nothing', async () => {
      await cluster.settled();
      const { mark } = cluster.requests;
      await replaceOperator('PROMETHEUS_OPERATOR_REPAIR_POLICY', 'delete');
      await cluster.until(async () => {
        const text = await metrics();
        for (const name of ['prometheus', 'servicemonitor-status', 'prometheusrule-status'])
          expect(text).toMatch(
            new RegExp(
              `controller_runtime_reconcile_total\\{(?=[^}]*controller="${name}")(?=[^}]*result="(?:success|requeue_after)")[^}]*\\} [1-9]`,
            ),
          );
      });
      await cluster.settled();
      const writes = cluster.requests.since(mark).writes().byUser(ACCOUNT).all;
      const ofItself = ['events', 'leases', 'tokenreviews', 'subjectaccessreviews'];
      expect(
        writes.filter(({ resource }) => !ofItself.includes(resource)).map(({ verb, resource, name }) => `${verb} ${resource} ${name}`),
      ).toEqual([]);
    });

    test('2D-21 where Pods are to be deleted, it is deleted', () => stuckRollout('4d'));

    async function stuckRollout(retention: string): Promise<void> {
      const { metadata } = await cluster.get(Pod, POD);
      deployed.player.setReady(POD, false);
      await cluster.until(Pod, POD, ({ status }) => status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'False'));
      await change({ retention });
      await cluster.until(Pod, POD, (pod) => pod.metadata.uid !== metadata.uid);
      deployed.player.setReady(POD, true);
      await rolledOut();
    }

    /** Settings are variables of the Pods of the operator. One of them is enough from here on. */
    async function replaceOperator(name: string, value: string): Promise<void> {
      const { spec } = await cluster.get(Deployment, OPERATOR);
      const [container] = spec?.template.spec?.containers ?? [];
      const env = (container?.env ?? []).map((each) => (each.name === name ? { ...each, value } : each));
      const containers = [{ ...container, env }];
      await cluster.patch(Deployment, OPERATOR, mergePatch({ spec: { replicas: 1, template: { spec: { containers } } } }) as never);
      await deployed.untilReplicas(1);
    }

    test('2D-12 all children go with the Prometheus, and the statuses name it no longer', async () => {
      await cluster.delete(Prometheus, 'main');
      await cluster.until(ServiceMonitor, 'plant/pump', ({ status }) => (status?.bindings ?? []).length === 0);
      const labels = { prometheus: 'main' };
      await cluster.until(async () => {
        for (const kind of [StatefulSet, ConfigMap, Secret, Pod] as const)
          expect(await cluster.list(kind as typeof Pod, { labels })).toEqual([]);
      });
    });

    test('nothing that the operator asked for was refused, and every right that the manifests grant has been used', async () => {
      // Somebody damages the certificate: it is issued anew.
      const secret = `${OPERATOR}-certificate`;
      const { data } = await cluster.get(Secret, secret);
      await cluster.patch(Secret, secret, mergePatch({ data: { 'tls.crt': 'AAAA' } }));
      await cluster.until(Secret, secret, (issued) => !['AAAA', data?.['tls.crt']].includes(issued.data?.['tls.crt']));
      const requests = cluster.requests.byUser(ACCOUNT);
      requests.expectNoneDenied();
      expect(unusedRights(rulesIn(deployed.manifests), requests)).toEqual([OF_CHILDREN, ASKED_BY_A_PLUGIN]);
    });

    /** Gives somebody the right that the manifests have for it. */
    async function allowMetrics(): Promise<void> {
      await cluster.create(ServiceAccount({ metadata: { name: 'scraper', namespace: NAMESPACE } }));
      await cluster.create(
        ClusterRoleBinding({
          metadata: { name: 'scraper' },
          roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: `${NAME}-metrics-reader` },
          subjects: [{ kind: 'ServiceAccount', name: 'scraper', namespace: NAMESPACE }],
        }),
      );
    }

    async function metrics(): Promise<string> {
      const [pod] = deployed.operators.pods.values();
      return (await scrape({ cluster, port: pod?.ports.metrics ?? 0, account: SCRAPER })).text;
    }
  },
  { controllerManager: true },
);

const claimOf = (storage: string) => ({
  storage: { volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce' as const], resources: { requests: { storage } } } } },
});

/** Of all roles that the operator's account has. */
function rulesIn(file: string): PolicyRule[] {
  return documentsOf(file)
    .filter(({ kind, metadata }) => ['ClusterRole', 'Role'].includes(kind) && [NAME, `${NAME}-runtime`].includes(metadata.name ?? ''))
    .flatMap((role) => role['rules'] as PolicyRule[]);
}

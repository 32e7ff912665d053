import { mergePatch } from '@keelson/testing';
import { ConfigMap, Namespace, Secret, Service, StatefulSet } from 'keelson/kinds';
import { PodMonitor, Prometheus, PrometheusRule, ServiceMonitor } from './kinds.js';
import { labelled, monitor, OF_TEAM_A, rule, World } from './prometheus-world.js';
import { CONTROLLER_ID } from './settings.js';

// #region start
let world: World;
beforeEach(async () => {
  world = await World.start();
});
afterEach(() => world.close());
// #endregion

const LABELS = {
  'app.kubernetes.io/managed-by': 'prometheus-operator',
  'app.kubernetes.io/name': 'prometheus',
  'app.kubernetes.io/instance': 'main',
  'operator.prometheus.io/name': 'main',
  prometheus: 'main',
};

// #region children
test('2D-1 a Prometheus has a configuration, a governing Service and a StatefulSet, with the names, labels and owners that are known', async () => {
  const { cluster } = world;
  await world.createPrometheus(OF_TEAM_A, { labels: { tier: 'x' } });
  const { metadata } = await cluster.get(Prometheus, 'main');
  const owner = { apiVersion: 'monitoring.coreos.com/v1', kind: 'Prometheus', name: 'main', uid: metadata.uid };
  const owned = { labels: LABELS, ownerReferences: [{ ...owner, controller: true, blockOwnerDeletion: true }] };
  for (const name of ['prometheus-main', 'prometheus-main-tls-assets-0', 'prometheus-main-web-config'])
    expect(await cluster.get(Secret, name)).toMatchObject({ metadata: owned });
  expect(await cluster.get(ConfigMap, 'prometheus-main-rulefiles-0')).toMatchObject({ metadata: owned });
  const set = await cluster.get(StatefulSet, 'prometheus-main');
  expect(set).toMatchObject({
    metadata: { ...owned, labels: { ...LABELS, tier: 'x', 'operator.prometheus.io/shard': '0' } },
    spec: { replicas: 1, serviceName: 'prometheus-operated', podManagementPolicy: 'Parallel' },
  });
  const pods = set.spec?.template.spec;
  const containers = [...(pods?.initContainers ?? []), ...(pods?.containers ?? [])].map(({ name }) => name);
  expect(containers).toEqual(['init-config-reloader', 'prometheus', 'config-reloader']);
  const service = await cluster.get(Service, 'prometheus-operated');
  expect(service.metadata.ownerReferences).toEqual([owner]);
  expect(service.spec).toMatchObject({ clusterIP: 'None', ports: [{ name: 'web', port: 9090 }] });
});
// #endregion

test('2D-1 the governing Service is shared: each Prometheus owns it, none controls it, and it goes with the last', async () => {
  const { cluster } = world;
  await world.createPrometheus();
  await world.create(Prometheus({ metadata: { name: 'other' }, spec: OF_TEAM_A }));
  await world.create(Prometheus({ metadata: { name: 'own' }, spec: { ...OF_TEAM_A, serviceName: 'mine' } }));
  const owners = async () => (await cluster.get(Service, 'prometheus-operated')).metadata.ownerReferences?.map(({ name }) => name);
  expect(await owners()).toEqual(['main', 'other']);
  await cluster.delete(Prometheus, 'main');
  await cluster.settled();
  expect(await cluster.find(Service, 'prometheus-operated')).toBeDefined();
  await cluster.delete(Service, 'prometheus-operated');
  await cluster.settled();
  expect(await owners()).toEqual(['other']);
  await cluster.delete(Prometheus, 'other');
  await cluster.settled();
  expect(await cluster.find(Service, 'prometheus-operated')).toBeUndefined();
});

test('2D-2 the second run writes nothing', async () => {
  await world.create(monitor('web'), rule('down'));
  await world.createPrometheus();
  const { mark } = world.cluster.requests;
  const runs = await world.runs();
  await world.change({ spec: { scrapeInterval: '30s' }, metadata: { annotations: { 'kubectl.kubernetes.io/note': 'looked at' } } });
  expect(await world.runs()).toBeGreaterThan(runs);
  expect(world.writesSince(mark)).toEqual([]);
});

// #region monitors
test('2D-3 monitors that come, change and go change the configuration, and never the StatefulSet', async () => {
  const { cluster } = world;
  await world.createPrometheus();
  const before = await world.generation();
  expect(await world.jobs()).toEqual([]);
  await world.create(monitor('web'));
  expect(await world.jobs()).toEqual(['serviceMonitor/shop/web/0']);
  await world.create(PodMonitor({ ...labelled('jobs'), spec: { selector: {}, podMetricsEndpoints: [{ port: 'metrics' }] } }));
  expect(await world.jobs()).toEqual(['serviceMonitor/shop/web/0', 'podMonitor/shop/jobs/0']);
  await cluster.patch(ServiceMonitor, 'web', mergePatch({ spec: { endpoints: [{ port: 'web', interval: '7s' }] } }));
  await cluster.settled();
  expect(await world.config()).toContain('scrape_interval: 7s');
  await cluster.patch(ServiceMonitor, 'web', mergePatch({ metadata: { labels: { team: 'b' } } }));
  await cluster.settled();
  expect(await world.jobs()).toEqual(['podMonitor/shop/jobs/0']);
  expect(await world.generation()).toBe(before);
});
// #endregion

test('2D-4 rules fill as many ConfigMaps as they need; their names are part of the StatefulSet, their content is not', async () => {
  const { cluster } = world;
  const names = async () => (await cluster.list(ConfigMap, { labels: { prometheus: 'main' } })).map(({ metadata }) => metadata.name).sort();
  const large = (name: string) => rule(name, 'up == 0', { text: 'x'.repeat(250 * 1024) });
  await world.create(large('a'), large('b'));
  await world.createPrometheus();
  expect(await names()).toEqual(['prometheus-main-rulefiles-0']);
  const before = await world.generation();
  await cluster.patch(PrometheusRule, 'a', mergePatch({ spec: { groups: [{ name: 'a', rules: [{ alert: 'Other', expr: 'up' }] }] } }));
  await cluster.settled();
  expect(await world.generation()).toBe(before);
  await world.create(large('c'), large('d'));
  expect(await names()).toEqual(['prometheus-main-rulefiles-0', 'prometheus-main-rulefiles-1']);
  expect(await world.generation()).toBe((before ?? 0) + 1);
  const [, second] = await cluster.list(ConfigMap, { labels: { prometheus: 'main' } });
  expect(Object.keys(second?.data ?? {})).toEqual([expect.stringMatching(/^shop-d-[0-9a-f-]+\.yaml$/)]);
});

test('2D-4 a rule that no ConfigMap can hold is left out, with an event that says so', async () => {
  await world.create(rule('small'), rule('huge', 'up == 0', { text: 'x'.repeat(600 * 1024) }));
  await world.createPrometheus();
  const { data } = await world.cluster.get(ConfigMap, 'prometheus-main-rulefiles-0');
  expect(Object.keys(data ?? {})).toEqual([expect.stringMatching(/^shop-small-/)]);
  await world.cluster.until(async () => {
    const notes = await world.eventsAbout('PrometheusRule', 'huge', 'InvalidConfiguration');
    expect(notes).toEqual([expect.stringContaining('a ConfigMap holds 524288')]);
  });
});

// #region invalid
test('2D-5 what cannot be used is left out, an event stands on it and a condition names it; the others stay', async () => {
  await world.createPrometheus();
  const bad = monitor('bad', { port: 'web', relabelings: [{ action: 'keep', sourceLabels: ['job'], regex: '(' }] });
  await world.create(
    monitor('good'),
    bad,
    monitor('secret', { port: 'web', basicAuth: { username: { name: 'x', key: 'u' }, password: { name: 'x', key: 'p' } } }),
  );
  expect(await world.jobs()).toEqual(['serviceMonitor/shop/good/0']);
  expect(await world.condition('Reconciled')).toBe(
    'True InvalidConfiguration: left out: ServiceMonitor shop/bad: endpoints[0].relabelings[0]: regex: error parsing regexp: missing closing ): `^(?:()$`; ' +
      'ServiceMonitor shop/secret: endpoints[0].basicAuth.username: there is no Secret shop/x',
  );
  await world.cluster.until(async () => {
    expect(await world.eventsAbout('ServiceMonitor', 'secret', 'InvalidConfiguration')).toEqual([
      'endpoints[0].basicAuth.username: there is no Secret shop/x',
    ]);
  });
  const data = { u: 'YQ==', p: 'Yg==' };
  await world.create(Secret({ metadata: { name: 'x', namespace: 'shop' }, data }));
  expect(await world.jobs()).toEqual(['serviceMonitor/shop/good/0', 'serviceMonitor/shop/secret/0']);
});
// #endregion

test('2D-5 a rule that was stored before there was a check is left out', async () => {
  await world.close();
  world = await World.start({ webhooks: false });
  await world.create(rule('good'), rule('bad', 'sum(up'));
  await world.createPrometheus();
  const { data } = await world.cluster.get(ConfigMap, 'prometheus-main-rulefiles-0');
  expect(Object.keys(data ?? {})).toEqual([expect.stringMatching(/^shop-good-/)]);
  expect(await world.condition('Reconciled')).toContain('PrometheusRule shop/bad: spec.groups[0].rules[0].expr: cannot be parsed');
});

// #region secrets
test('2D-16 a Secret that a selected monitor names counts; one that none names, or only a monitor that is not selected, does not', async () => {
  const { cluster } = world;
  const secret = (name: string, p: string) => Secret({ metadata: { name, namespace: 'shop' }, stringData: { u: 'ann', p } });
  const withAuth = (name: string, of: string) =>
    monitor(name, { port: 'web', basicAuth: { username: { name: of, key: 'u' }, password: { name: of, key: 'p' } } });
  await world.create(secret('named', 'old'), secret('other', 'old'), secret('unselected', 'old'), withAuth('web', 'named'));
  await world.create({ ...withAuth('elsewhere', 'unselected'), metadata: { name: 'elsewhere', namespace: 'shop' } });
  await world.createPrometheus();
  expect(await world.config()).toContain('password: old');
  const runs = await world.runs();
  for (const name of ['other', 'unselected']) await cluster.patch(Secret, name, mergePatch({ stringData: { p: 'new' } }));
  await cluster.settled();
  expect(await world.runs()).toBe(runs);
  await cluster.patch(Secret, 'named', mergePatch({ stringData: { p: 'new' } }));
  await cluster.settled();
  expect(await world.config()).toContain('password: new');
});
// #endregion

test('2D-17 a namespace whose labels change brings its monitors into the selection, and takes them out', async () => {
  const { cluster } = world;
  await world.create(Namespace({ metadata: { name: 'plant' } }), monitor('web'), monitor('pump', { port: 'web' }, 'plant'));
  const selector = { matchLabels: { monitored: 'yes' } };
  await world.createPrometheus({ ...OF_TEAM_A, serviceMonitorNamespaceSelector: selector });
  expect(await world.jobs()).toEqual([]);
  const label = async (value: string | null) => {
    await cluster.patch(Namespace, 'plant', mergePatch({ metadata: { labels: { monitored: value } } }));
    await cluster.settled();
  };
  await label('yes');
  expect(await world.jobs()).toEqual(['serviceMonitor/plant/pump/0']);
  await label(null);
  expect(await world.jobs()).toEqual([]);
});

test('2D-18 an operator with an id looks at the Prometheuses with that id alone, and one without at those without', async () => {
  const { cluster } = world;
  await world.create(Prometheus({ metadata: { name: 'named', annotations: { [CONTROLLER_ID]: 'x' } }, spec: OF_TEAM_A }));
  expect(await world.setNames()).toEqual([]);
  expect((await cluster.get(Prometheus, 'named')).status).toBeUndefined();
  await world.restart({ controllerId: 'x' });
  await world.createPrometheus();
  expect(await world.setNames()).toEqual(['prometheus-named']);
  expect((await cluster.get(Prometheus, 'main')).status).toBeUndefined();
});

test('2D-19 annotations of kubectl stay where they are; that of a rollout restart stays in the template', async () => {
  const { cluster } = world;
  await world.createPrometheus(OF_TEAM_A, { annotations: { 'kubectl.kubernetes.io/x': '1', note: '2' } });
  const { metadata } = await cluster.get(StatefulSet, 'prometheus-main');
  expect(metadata.annotations).toMatchObject({ note: '2' });
  expect(metadata.annotations).not.toHaveProperty(['kubectl.kubernetes.io/x']);
  const annotations = { 'kubectl.kubernetes.io/restartedAt': '2030-01-01T00:00:00Z' };
  await cluster.patch(StatefulSet, 'prometheus-main', mergePatch({ spec: { template: { metadata: { annotations } } } }));
  await world.change({ spec: { retention: '3d' } });
  const { spec } = await cluster.get(StatefulSet, 'prometheus-main');
  expect(spec?.template.metadata?.annotations).toMatchObject(annotations);
  expect(spec?.template.spec?.containers[0]?.args).toContain('--storage.tsdb.retention.time=3d');
});

test('2D-20 without selectors there is an empty Secret, once, and what users write there stays', async () => {
  const { cluster } = world;
  await world.createPrometheus({});
  expect((await cluster.get(Secret, 'prometheus-main')).data).toBeUndefined();
  await cluster.patch(Secret, 'prometheus-main', mergePatch({ stringData: { 'prometheus.yaml.gz': 'mine' } }));
  const written = await cluster.get(Secret, 'prometheus-main');
  await world.change({ spec: { replicas: 2, podMonitorSelector: null } });
  await world.restart();
  expect((await cluster.get(Secret, 'prometheus-main')).metadata.resourceVersion).toBe(written.metadata.resourceVersion);
  await world.change({ spec: OF_TEAM_A });
  expect(await world.config()).toContain('scrape_configs');
  await world.change({ spec: { serviceMonitorSelector: null, podMonitorSelector: null } });
  expect(await world.config()).toContain('scrape_configs');
});

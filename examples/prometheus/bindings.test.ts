import { mergePatch } from '@keelson/testing';
import { Namespace, Secret } from 'keelson/kinds';
import { PodMonitor, Probe, Prometheus, PrometheusRule, ScrapeConfig, ServiceMonitor } from './kinds.js';
import { ALL_OF_TEAM_A, labelled, monitor, probe, rule, scrapeConfig, World } from './prometheus-world.js';
import { CONTROLLER_ID } from './settings.js';

let world: World;
beforeEach(async () => {
  world = await World.start();
});
afterEach(() => world.close());

const SELECTED = [
  [ServiceMonitor, 'web'],
  [PodMonitor, 'jobs'],
  [Probe, 'pages'],
  [ScrapeConfig, 'outside'],
  [PrometheusRule, 'down'],
] as const;
const all = async (): Promise<string[][]> =>
  Promise.all(SELECTED.map(([kind, name]) => world.bindings(kind as typeof ServiceMonitor, name)));
const ofEach = (...bindings: string[]): string[][] => SELECTED.map(() => bindings);
const createAll = () =>
  world.create(
    monitor('web'),
    PodMonitor({ ...labelled('jobs'), spec: { selector: {}, podMetricsEndpoints: [{ port: 'metrics' }] } }),
    probe('pages'),
    scrapeConfig('outside'),
    rule('down'),
  );
const accepted = async (name: string) => {
  const { status } = await world.cluster.get(ServiceMonitor, name);
  return status?.bindings?.[0]?.conditions?.[0];
};
const other = () => world.create(Prometheus({ metadata: { name: 'other' }, spec: ALL_OF_TEAM_A }));

// #region bindings
test('2D-12 whatever a Prometheus selects says so in its status, and does so no longer when it is gone', async () => {
  const { cluster } = world;
  await createAll();
  expect(await all()).toEqual(ofEach());
  await world.createPrometheus(ALL_OF_TEAM_A);
  await other();
  expect(await all()).toEqual(ofEach('shop/main: True', 'shop/other: True'));
  expect((await cluster.get(ServiceMonitor, 'web')).status).toEqual({
    bindings: ['main', 'other'].map((name) => ({
      group: 'monitoring.coreos.com',
      resource: 'prometheuses',
      name,
      namespace: 'shop',
      conditions: [{ type: 'Accepted', status: 'True', observedGeneration: 1, lastTransitionTime: expect.stringMatching(/Z$/) }],
    })),
  });
  await cluster.delete(Prometheus, 'main');
  await cluster.settled();
  expect(await all()).toEqual(ofEach('shop/other: True'));
  // One that waits for its end selects nothing any more: the statuses are cleaned before it is gone.
  await cluster.patch(Prometheus, 'other', mergePatch({ metadata: { finalizers: ['example.com/hold'] } }));
  await cluster.delete(Prometheus, 'other');
  await cluster.settled();
  expect(await all()).toEqual(ofEach());
  expect(await cluster.find(Prometheus, 'other')).toBeDefined();
});
// #endregion

test('2D-12 a Prometheus that went while no operator ran leaves no status behind', async () => {
  await createAll();
  await world.createPrometheus(ALL_OF_TEAM_A);
  await world.stop();
  await world.cluster.delete(Prometheus, 'main');
  await world.restart();
  expect(await all()).toEqual(ofEach());
});

test('2D-5 the status of what is left out says why, and when that began', async () => {
  const { cluster } = world;
  await world.create(monitor('web', { port: 'web', basicAuth: { username: { name: 'x', key: 'u' }, password: { name: 'x', key: 'p' } } }));
  await world.createPrometheus(ALL_OF_TEAM_A);
  await world.create(Prometheus({ metadata: { name: 'slow' }, spec: { ...ALL_OF_TEAM_A, scrapeInterval: '1h' } }));
  const missing = 'InvalidConfiguration: endpoints[0].basicAuth.username: there is no Secret shop/x';
  expect(await world.bindings(ServiceMonitor, 'web')).toEqual([`shop/main: False, ${missing}`, `shop/slow: False, ${missing}`]);
  const first = await accepted('web');
  await world.pass('10s');
  await cluster.patch(ServiceMonitor, 'web', mergePatch({ spec: { endpoints: [{ port: 'web', scrapeTimeout: '5m' }] } }));
  await cluster.settled();
  // Each of them judges by itself.
  const long = 'InvalidConfiguration: endpoints[0].scrapeTimeout: 5m is longer than the interval, 30s';
  expect(await world.bindings(ServiceMonitor, 'web')).toEqual([`shop/main: False, ${long}`, 'shop/slow: True']);
  expect(await accepted('web')).toMatchObject({ lastTransitionTime: first?.lastTransitionTime, observedGeneration: 2 });
  await cluster.patch(ServiceMonitor, 'web', mergePatch({ spec: { endpoints: [{ port: 'web' }] } }));
  await cluster.settled();
  expect(await world.bindings(ServiceMonitor, 'web')).toEqual(['shop/main: True', 'shop/slow: True']);
  expect((await accepted('web'))?.lastTransitionTime).not.toBe(first?.lastTransitionTime);
});

test('labels, namespaces, selectors and Secrets that change are in the statuses', async () => {
  const { cluster } = world;
  const basicAuth = { username: { name: 'x', key: 'u' }, password: { name: 'x', key: 'p' } };
  await world.create(Namespace({ metadata: { name: 'plant' } }), monitor('web', { port: 'web', basicAuth }, 'plant'));
  await world.createPrometheus({ ...ALL_OF_TEAM_A, serviceMonitorNamespaceSelector: { matchLabels: { monitored: 'yes' } } });
  const said = () => world.bindings(ServiceMonitor, 'web', 'plant');
  const web = { name: 'web', namespace: 'plant' };
  expect(await said()).toEqual([]);
  await cluster.patch(Namespace, 'plant', mergePatch({ metadata: { labels: { monitored: 'yes' } } }));
  await cluster.settled();
  expect(await said()).toEqual(['shop/main: False, InvalidConfiguration: endpoints[0].basicAuth.username: there is no Secret plant/x']);
  await world.create(Secret({ metadata: { name: 'x', namespace: 'plant' }, stringData: { u: 'ann', p: 'b' } }));
  expect(await said()).toEqual(['shop/main: True']);
  await cluster.patch(ServiceMonitor, web, mergePatch({ metadata: { labels: { team: 'b' } } }));
  await cluster.settled();
  expect(await said()).toEqual([]);
  await world.change({ spec: { serviceMonitorSelector: { matchLabels: { team: 'b' } } } });
  expect(await said()).toEqual(['shop/main: True']);
});

test('2D-11 2D-18 what a paused Prometheus, or that of another operator, has said stays', async () => {
  const { cluster } = world;
  await createAll();
  await world.createPrometheus(ALL_OF_TEAM_A);
  await world.create(Prometheus({ metadata: { name: 'theirs', annotations: { [CONTROLLER_ID]: 'x' } }, spec: ALL_OF_TEAM_A }));
  expect(await all()).toEqual(ofEach('shop/main: True'));
  await world.restart({ controllerId: 'x' });
  expect(await all()).toEqual(ofEach('shop/main: True', 'shop/theirs: True'));
  await cluster.patch(Prometheus, 'theirs', mergePatch({ spec: { paused: true, serviceMonitorSelector: null } }));
  await cluster.patch(ServiceMonitor, 'web', mergePatch({ metadata: { labels: { team: 'b' } } }));
  await cluster.settled();
  expect(await world.bindings(ServiceMonitor, 'web')).toEqual(['shop/main: True', 'shop/theirs: True']);
  await cluster.patch(Prometheus, 'theirs', mergePatch({ spec: { paused: false } }));
  await cluster.settled();
  expect(await world.bindings(ServiceMonitor, 'web')).toEqual(['shop/main: True']);
});

test('2D-15 a status leads to no run of a Prometheus, nor its own status to one of what it selects; what others write there is mended', async () => {
  const { cluster } = world;
  await createAll();
  await world.createPrometheus(ALL_OF_TEAM_A);
  const runs = async () => [
    await world.runs(),
    await world.metric('controller_runtime_reconcile_total', 'controller="servicemonitor-status"'),
  ];
  const [ofPrometheus = 0, ofMonitor = 0] = await runs();
  await cluster.patchStatus(ServiceMonitor, 'web', { bindings: [] });
  await cluster.until(async () => expect(await world.bindings(ServiceMonitor, 'web')).toEqual(['shop/main: True']));
  await cluster.settled();
  expect(await runs()).toEqual([ofPrometheus, ofMonitor + 1]);
  await cluster.patchStatus(Prometheus, 'main', { shards: 9 });
  await cluster.until(Prometheus, 'main', ({ status }) => status?.shards !== 9);
  await cluster.settled();
  expect(await runs()).toEqual([ofPrometheus + 1, ofMonitor + 1]);
});

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type InProcessCluster, mergePatch, type RunningOperator, TestCluster } from '@keelson/testing';
import { ClusterRole, ClusterRoleBinding, Pod, Secret, Service, ServiceAccount, StatefulSet } from 'keelson/kinds';
import { parse } from 'yaml';
import { Probe, Prometheus, PrometheusRule, ScrapeConfig, ServiceMonitor } from '../../examples/prometheus/kinds.js';
import { operator } from '../../examples/prometheus/prometheus-operator.js';
import { findTool } from '../../scripts/cluster/go-tool.js';
import { DEADLINE_MS } from '../deadline.cjs';
import { DnsServer, whyNoNames } from './examples-prometheus/dns-server.js';
import { PrometheusApi, prometheusProcesses } from './examples-prometheus/prometheus-pods.js';

const [prometheus, promtool] = [findTool('prometheus'), findTool('promtool')];
if (!prometheus.found && process.env['CI']) throw new Error(prometheus.reason);
const suite = prometheus.found ? describe : describe.skip;
const skipped = prometheus.found ? '' : ` [skipped: ${prometheus.reason}]`;
const pathOf = (search: typeof prometheus): string => (search.found ? search.path : '');

suite(`prometheus: real servers as Pods${skipped}`, () => {
  let cluster: InProcessCluster;
  let running: RunningOperator;
  let api: PrometheusApi;
  let dns: DnsServer | undefined;
  beforeAll(async () => {
    dns = whyNoNames === undefined ? await DnsServer.start() : undefined;
    cluster = await TestCluster.start({
      operator,
      namespace: 'shop',
      workloads: { containers: prometheusProcesses(pathOf(prometheus), dns) },
      timeout: DEADLINE_MS,
    });
    running = await cluster.startOperator({ settings: { metrics: { port: 0, secure: false } } });
    await giveAccount();
    await cluster.create(Prometheus, {
      metadata: { name: 'main' },
      spec: {
        serviceMonitorSelector: { matchLabels: { team: 'a' } },
        probeSelector: { matchLabels: { team: 'a' } },
        scrapeConfigSelector: { matchLabels: { team: 'a' } },
        ruleSelector: { matchLabels: { team: 'a' } },
        scrapeInterval: '1s',
        evaluationInterval: '1s',
        terminationGracePeriodSeconds: 5,
        apiserverConfig: {
          host: access.server,
          authorization: { credentials: { name: 'account', key: 'token' } },
          tlsConfig: { ca: { secret: { name: 'account', key: 'ca.crt' } } },
        },
      },
    });
    await cluster.until(Prometheus, 'main', { status: { availableReplicas: 1 } });
    api = new PrometheusApi(cluster, 'prometheus-main-0');
  });
  afterAll(async () => {
    await cluster?.close();
    dns?.close();
  });

  let access: { readonly server: string };
  /** An account that may discover targets, and a Secret that says so to Prometheus: its processes have no files of an account at the usual place. */
  async function giveAccount(): Promise<void> {
    const account = { name: 'prometheus', namespace: 'shop' };
    await cluster.create(ServiceAccount, { metadata: account });
    const metadata = { name: 'discovery' };
    await cluster.create(ClusterRole, {
      metadata,
      rules: [{ apiGroups: [''], resources: ['services', 'endpoints', 'pods'], verbs: ['get', 'list', 'watch'] }],
    });
    await cluster.create(ClusterRoleBinding, {
      metadata,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'discovery' },
      subjects: [{ kind: 'ServiceAccount', ...account }],
    });
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
    const answer = await cluster.client.subresource(ServiceAccount, 'token').create(account, body);
    const { token } = (answer as unknown as { readonly status: { readonly token: string } }).status;
    const config = parse(await cluster.kubeconfig()) as { clusters: { cluster: Record<string, string> }[] };
    const { server = '', 'certificate-authority-data': authority = '' } = config.clusters[0]?.cluster ?? {};
    access = { server };
    const data = { token: Buffer.from(token).toString('base64'), 'ca.crt': authority };
    await cluster.create(Secret, { metadata: { name: 'account', namespace: 'shop' }, data });
  }

  /** Pods behind a Service, and a monitor that selects it. */
  async function monitored(
    app: string,
    image: string,
    { pods = 1, env = {} }: { pods?: number; env?: Record<string, string> } = {},
  ): Promise<void> {
    const labels = { app };
    const ports = [{ name: 'web', containerPort: 8080 }];
    const variables = Object.entries(env).map(([name, value]) => ({ name, value }));
    await cluster.create(StatefulSet, {
      metadata: { name: app },
      spec: {
        serviceName: app,
        replicas: pods,
        podManagementPolicy: 'Parallel',
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: { terminationGracePeriodSeconds: 0, containers: [{ name: 'main', image, ports, env: variables }] },
        },
      },
    });
    await cluster.create(Service, {
      metadata: { name: app, labels },
      spec: { clusterIP: 'None', selector: labels, ports: [{ name: 'web', port: 8080 }] },
    });
    await cluster.create(ServiceMonitor, {
      metadata: { name: app, labels: { team: 'a' } },
      spec: { selector: { matchLabels: labels }, endpoints: [{ port: 'web' }] },
    });
  }

  test('a monitor leads to its targets being scraped, and no Pod of Prometheus is made anew for it', async () => {
    const before = await cluster.get(Pod, 'prometheus-main-0');
    expect(await api.targets()).toEqual([]);
    await monitored('plant', 'example.com/target:1', { pods: 2 });
    await cluster.until(async () => expect(await api.targets()).toEqual(['plant plant-0', 'plant plant-1']));
    await cluster.until(async () => expect(await api.query('sum(pressure{namespace="shop"})')).toEqual([14]));
    expect((await cluster.get(Pod, 'prometheus-main-0')).metadata.uid).toBe(before.metadata.uid);
  });

  test('2D-3 a Probe has a prober asked about its targets, and a ScrapeConfig scrapes what it names', async () => {
    const address = `${await cluster.addressOf(Pod, 'plant-0')}:8080`;
    const metadata = { name: 'plant', labels: { team: 'a' } };
    const targets = { staticConfig: { static: ['https://one.example.com', 'https://two.example.com'] } };
    await cluster.create(Probe, { metadata, spec: { prober: { url: address }, targets } });
    const relabelings = [{ action: 'replace', targetLabel: 'tier', replacement: 'outside' }];
    await cluster.create(ScrapeConfig, { metadata, spec: { jobName: 'listed', staticConfigs: [{ targets: [address] }], relabelings } });
    await cluster.until(async () => {
      expect(await api.query('count by (instance) (pressure{job="probe/shop/plant", namespace="shop"})')).toEqual([1, 1]);
      expect(await api.query('pressure{job="listed", tier="outside"}')).toEqual([7]);
    });
    await cluster.delete(Probe, 'plant');
    await cluster.delete(ScrapeConfig, 'plant');
    await cluster.until(async () => expect(await api.targets()).toHaveLength(2));
  });

  (whyNoNames === undefined ? test : test.skip)(
    `2D-3 a ScrapeConfig finds its targets in DNS, and those that come and go${whyNoNames === undefined ? '' : ` [skipped: ${whyNoNames}]`}`,
    async () => {
      const { names } = dns as DnsServer;
      const [first = '', second = ''] = await Promise.all(['plant-0', 'plant-1'].map((name) => cluster.addressOf(Pod, name)));
      names.set('plant.example.com', { A: [first] });
      names.set('one.example.com', { A: [first] });
      names.set('two.example.com', { A: [second] });
      names.set('_web._tcp.plant.example.com', { SRV: ['one', 'two'].map((name) => ({ target: `${name}.example.com`, port: 8080 })) });
      const looking = (name: string, discovery: { names: string[]; type?: 'A'; port?: number }) =>
        cluster.create(ScrapeConfig, {
          metadata: { name, labels: { team: 'a' } },
          spec: { jobName: name, dnsSDConfigs: [{ ...discovery, refreshInterval: '1s' }] },
        });
      await looking('addresses', { names: ['plant.example.com'], type: 'A', port: 8080 });
      await looking('services', { names: ['_web._tcp.plant.example.com'] });
      await cluster.until(async () => {
        expect(await api.query('count(pressure{job="addresses"})')).toEqual([1]);
        expect(await api.query('count(pressure{job="services", instance=~"(one|two).example.com:8080"})')).toEqual([2]);
      });
      names.set('plant.example.com', { A: [first, second] });
      await cluster.until(async () => expect(await api.query('count(pressure{job="addresses"})')).toEqual([2]));
      for (const name of ['addresses', 'services']) await cluster.delete(ScrapeConfig, name);
      await cluster.until(async () => expect(await api.targets()).toHaveLength(2));
    },
  );

  test('the operator’s own metrics are scraped, and count the runs that led to it', async () => {
    await monitored('prometheus-operator', 'example.com/operator:1', { env: { METRICS_PORT: `${running.ports.metrics}` } });
    await cluster.until(async () => {
      const [runs = 0] = await api.query('sum(controller_runtime_reconcile_total{job="prometheus-operator",controller="prometheus"})');
      expect(runs).toBeGreaterThan(3);
    });
  });

  test('a rule is loaded and evaluated', async () => {
    await cluster.create(PrometheusRule, {
      metadata: { name: 'pressure', labels: { team: 'a' } },
      spec: { groups: [{ name: 'pressure', rules: [{ record: 'shop:pressure:sum', expr: 'sum(pressure{job="plant"})' }] }] },
    });
    await cluster.until(async () => expect(await api.rules()).toEqual(['shop:pressure:sum']));
    await cluster.until(async () => expect(await api.query('shop:pressure:sum')).toEqual([14]));
  });

  test('two shards divide the targets', async () => {
    await cluster.patch(Prometheus, 'main', mergePatch({ spec: { shards: 2 } }));
    await cluster.until(Prometheus, 'main', { status: { availableReplicas: 2 } });
    const other = new PrometheusApi(cluster, 'prometheus-main-shard-1-0');
    await cluster.until(async () => {
      const [mine, theirs] = await Promise.all([api.targets(), other.targets()]);
      expect([...mine, ...theirs].sort()).toEqual(['plant plant-0', 'plant plant-1', 'prometheus-operator prometheus-operator-0']);
    });
    await cluster.patch(Prometheus, 'main', mergePatch({ spec: { shards: 1 } }));
    await cluster.until(async () => expect(await api.targets()).toHaveLength(3));
  });

  test('2D-22 a configuration that Prometheus refuses: the reload answers 500, and what was scraped is scraped still', async () => {
    const isLoaded = (value: 0 | 1) =>
      cluster.until(async () => expect(await api.own('prometheus_config_last_reload_successful')).toBe(value));
    await isLoaded(1);
    const generated = (await cluster.get(Secret, 'prometheus-main')).data?.['prometheus.yaml.gz'] ?? '';
    // Users write the configuration from here on.
    await cluster.patch(
      Prometheus,
      'main',
      mergePatch({ spec: { serviceMonitorSelector: null, probeSelector: null, scrapeConfigSelector: null } }),
    );
    const write = (content: string) => cluster.patch(Secret, 'prometheus-main', mergePatch({ data: { 'prometheus.yaml.gz': content } }));
    await write(gzipSync('scrape_configs: [{}]').toString('base64'));
    await isLoaded(0);
    await cluster.until(async () =>
      expect(await cluster.logsOf('prometheus-main-0', { container: 'config-reloader' })).toContain('answers 500'),
    );
    // Each scrape has a second: one that a busy machine does not answer in time is followed by the next.
    const areScraped = () => cluster.until(async () => expect(await api.targets()).toHaveLength(3));
    await areScraped();
    await write(generated);
    await isLoaded(1);
    await areScraped();
  });
});

suite(`prometheus: promtool${skipped}`, () => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'keelson-promtool-'));
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  const snapshots = ['config', 'targets']
    .map((name) => readFileSync(join(__dirname, `../../examples/prometheus/__snapshots__/${name}.test.ts.snap`), 'utf8'))
    .join('');
  // As jest writes them: a text in quotes within a template literal.
  const goldens = [...snapshots.matchAll(/exports\[`(.+?) 1`\] = `\n"([\s\S]*?)"\n`;/g)].map(([, title = '', text = '']) => [
    title,
    text.replaceAll('\\\\', '\\'),
  ]);

  test('there are configurations to be checked', () => expect(goldens).toHaveLength(7));

  test.each(goldens)('takes %s', (_, text = '') => {
    const file = join(directory, 'prometheus.yaml');
    writeFileSync(file, text);
    const { status, stdout, stderr } = spawnSync(pathOf(promtool), ['check', 'config', '--syntax-only', file], { encoding: 'utf8' });
    expect([status, stdout + stderr]).toEqual([0, expect.stringContaining('SUCCESS')]);
  });
});

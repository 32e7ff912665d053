import type { Probe, ScrapeConfig } from './kinds.js';
import {
  configText,
  type Given,
  onlyScrape,
  planFor,
  probe,
  prometheus,
  rejections,
  scrapeConfig,
  secret,
  serviceMonitor,
  textOf,
} from './prometheus-objects.js';

const SECRETS = [secret('auth', { user: 'ann', password: 'yes', token: 't0ken' }), secret('tls', { 'ca.crt': 'CA' })];
const basicAuth = { username: { name: 'auth', key: 'user' }, password: { name: 'auth', key: 'password' } };
const tlsConfig = { ca: { secret: { name: 'tls', key: 'ca.crt' } } };
const authorization = { type: 'Bearer', credentials: { name: 'auth', key: 'token' } };

// #region goldens
test('the configuration of a Probe', () => {
  expect(configText({ probes: [probe()] })).toMatchSnapshot();
});

test('the configuration of a Probe of Ingresses with everything at once', () => {
  const everything = probe({
    prober: { url: 'blackbox:9115', scheme: 'HTTPS', path: '/ask' },
    module: 'http_2xx',
    jobName: 'pages',
    interval: '1m',
    scrapeTimeout: '10s',
    basicAuth,
    tlsConfig,
    targets: {
      ingress: {
        selector: { matchLabels: { team: 'a' }, matchExpressions: [{ key: 'hidden', operator: 'DoesNotExist' }] },
        namespaceSelector: { any: true },
        relabelingConfigs: [{ action: 'drop', sourceLabels: ['ingress'], regex: 'test-.*' }],
      },
    },
    metricRelabelings: [{ action: 'keep', sourceLabels: ['__name__'], regex: 'probe_.*' }],
    sampleLimit: 100,
  });
  const given = prometheus({ shards: 2, enforcedNamespaceLabel: 'tenant', enforcedTargetLimit: 10 });
  const plan = planFor({ prometheus: given, probes: [everything], secrets: SECRETS });
  expect(plan.rejections).toEqual([]);
  expect(textOf(plan)).toMatchSnapshot();
});

test('the configuration of a ScrapeConfig', () => {
  expect(configText({ scrapeConfigs: [scrapeConfig()] })).toMatchSnapshot();
});

test('the configuration of a ScrapeConfig with everything at once', () => {
  const everything = scrapeConfig({
    jobName: 'outside',
    staticConfigs: [{ targets: ['a:1', 'b:2'], labels: { zone: 'eu' } }],
    fileSDConfigs: [{ files: ['/etc/targets/*.yaml'], refreshInterval: '1m' }],
    httpSDConfigs: [{ url: 'https://targets.example.com/all', refreshInterval: '30s', basicAuth, tlsConfig }],
    dnsSDConfigs: [
      { names: ['_metrics._tcp.example.com', '_stats._tcp.example.com'], refreshInterval: '1m' },
      { names: ['node.example.com'], type: 'A', port: 9100 },
      { names: ['node.example.com'], type: 'AAAA', port: 9100 },
      { names: ['example.com'], type: 'MX', port: 9154 },
      { names: ['example.com'], type: 'NS', port: 9153 },
      { names: ['_metrics._tcp.example.com'], type: 'SRV', port: 0 },
    ],
    kubernetesSDConfigs: [
      { role: 'EndpointSlice', namespaces: { ownNamespace: true, names: ['one'] }, attachMetadata: { node: true } },
      { role: 'Node', apiServer: 'https://10.0.0.2:6443', authorization, tlsConfig },
    ],
    metricsPath: '/stats',
    scheme: 'HTTPS',
    params: { module: ['a'] },
    scrapeInterval: '10s',
    scrapeTimeout: '5s',
    honorLabels: true,
    honorTimestamps: false,
    enableHTTP2: false,
    authorization,
    tlsConfig,
    relabelings: [{ action: 'replace', targetLabel: 'tier', replacement: 'db' }],
    metricRelabelings: [{ action: 'drop', sourceLabels: ['__name__'], regex: 'go_.*' }],
    labelLimit: 50,
  });
  const apiserverConfig = { host: 'https://10.0.0.1:6443' };
  const plan = planFor({
    prometheus: prometheus({ apiserverConfig, overrideHonorLabels: true }),
    scrapeConfigs: [everything],
    secrets: SECRETS,
  });
  expect(plan.rejections).toEqual([]);
  expect(textOf(plan)).toMatchSnapshot();
});
// #endregion

test('what a Probe asks about is divided between shards, not the prober that all of it goes through', () => {
  const { relabel_configs: steps } = onlyScrape({ probes: [probe()], prometheus: prometheus({ shards: 2 }) });
  expect(steps.at(-3)).toMatchObject({ source_labels: ['__param_target', '__tmp_hash'] });
  const { relabel_configs: others } = onlyScrape({ scrapeConfigs: [scrapeConfig()], prometheus: prometheus({ shards: 2 }) });
  expect(others.at(-3)).toMatchObject({ source_labels: ['__address__', '__tmp_hash'] });
});

test('targets of a Probe that are named win over Ingresses, and carry their namespace unless they say another', () => {
  const targets = { staticConfig: { static: ['https://a'], labels: { zone: 'eu' } }, ingress: { selector: {} } };
  const scrape = onlyScrape({ probes: [probe({ targets })] });
  expect(scrape['static_configs']).toEqual([{ targets: ['https://a'], labels: { namespace: 'shop', zone: 'eu' } }]);
  expect(scrape).not.toHaveProperty('kubernetes_sd_configs');
});

test('where selectors of namespaces are ignored, both find targets of the cluster in their own namespace alone', () => {
  const given = prometheus({ ignoreNamespaceSelectors: true });
  const ingress = { selector: {}, namespaceSelector: { any: true } };
  const own = { namespaces: { names: ['shop'] } };
  expect(onlyScrape({ prometheus: given, probes: [probe({ targets: { ingress } })] }).kubernetes_sd_configs).toEqual([
    { role: 'ingress', ...own },
  ]);
  const kubernetesSDConfigs = [{ role: 'Pod' as const, namespaces: { names: ['other'] } }];
  const { kubernetes_sd_configs: found } = onlyScrape({ prometheus: given, scrapeConfigs: [scrapeConfig({ kubernetesSDConfigs })] });
  expect(found).toEqual([{ role: 'pod', ...own }]);
});

test.each<[string, Partial<Probe['spec']>, string]>([
  ['the timeout is too long', { scrapeTimeout: '1h' }, 'scrapeTimeout: 1h is longer than the interval, 30s'],
  [
    'there is no Secret',
    { basicAuth: { username: { name: 'x', key: 'u' }, password: { name: 'x', key: 'p' } } },
    'basicAuth.username: there is no Secret shop/x',
  ],
  [
    'a label has a wrong name',
    { targets: { staticConfig: { static: ['a'], labels: { 'a-b': 'c' } } } },
    'targets.staticConfig.labels: a-b is not a name of a label',
  ],
  [
    'a step is wrong',
    { targets: { ingress: { selector: {}, relabelingConfigs: [{ action: 'keep', regex: '(' }] } } },
    'targets.ingress.relabelingConfigs[0]: regex: error parsing regexp: missing closing ): `^(?:()$`',
  ],
  ['a step for samples is wrong', { metricRelabelings: [{ action: 'replace' }] }, 'metricRelabelings[0]: replace needs a targetLabel'],
  ['it holds a variable of the Pod', { jobName: '$(HOME)' }, '$(HOME) is a variable of the Pod, which a Probe cannot use'],
  ['it names no targets', { targets: {} }, 'targets: names neither staticConfig nor ingress'],
])('2D-5 a Probe is left out when %s', (_, spec, reason) => {
  expectLeftOut({ probes: [probe(spec, 'bad')] }, reason);
});

test.each<[string, Partial<ScrapeConfig['spec']>, string]>([
  ['the timeout is too long', { scrapeInterval: '5s', scrapeTimeout: '6s' }, 'scrapeTimeout: 6s is longer than the interval, 5s'],
  ['a URL is none', { httpSDConfigs: [{ url: 'https://[a' }] }, 'httpSDConfigs[0].url: https://[a is not a URL'],
  [
    'an API server is none',
    { kubernetesSDConfigs: [{ role: 'Pod', apiServer: 'https://a:b' }] },
    'kubernetesSDConfigs[0].apiServer: https://a:b is not a URL',
  ],
  [
    'records of DNS have no port',
    { dnsSDConfigs: [{ names: ['_a._tcp.b'] }, { names: ['a'], type: 'A' }] },
    'dnsSDConfigs[1]: write a port: only records of type SRV have one, not those of type A',
  ],
  [
    'a discovery names what is not there',
    { httpSDConfigs: [{ url: 'https://a', authorization: { type: 'Bearer', credentials: { name: 'x', key: 't' } } }] },
    'httpSDConfigs[0].authorization.credentials: there is no Secret shop/x',
  ],
  [
    'a discovery in Kubernetes names what is not there',
    {
      kubernetesSDConfigs: [
        { role: 'Pod' },
        { role: 'Pod', apiServer: 'https://a', tlsConfig: { ca: { secret: { name: 'x', key: 'c' } } } },
      ],
    },
    'kubernetesSDConfigs[1].tlsConfig.ca: there is no Secret shop/x',
  ],
  [
    'a label has a wrong name',
    { staticConfigs: [{ targets: ['a:1'], labels: { '1a': 'c' } }] },
    'staticConfigs[0].labels: 1a is not a name of a label',
  ],
  ['a step is wrong', { relabelings: [{ action: 'remove' }] }, 'relabelings[0]: there is no action remove'],
  ['it holds a variable of the Pod', { params: { a: ['$(X)'] } }, '$(X) is a variable of the Pod, which a ScrapeConfig cannot use'],
])('2D-5 a ScrapeConfig is left out when %s', (_, spec, reason) => {
  expectLeftOut({ scrapeConfigs: [scrapeConfig(spec, 'bad')] }, reason);
});

function expectLeftOut(given: Given, reason: string): void {
  const all = { ...given, serviceMonitors: [serviceMonitor({}, 'good')], secrets: SECRETS };
  expect(rejections(all)).toEqual([`bad: ${reason}`]);
  expect(configText(all)).toContain('serviceMonitor/shop/good/0');
}

test('files that list targets are denied where files of the container are', () => {
  const scrapeConfigs = [scrapeConfig({ fileSDConfigs: [{ files: ['/a.json'] }] })];
  expect(rejections({ scrapeConfigs })).toEqual([]);
  expect(rejections({ scrapeConfigs, prometheus: prometheus({ arbitraryFSAccessThroughSMs: { deny: true } }) })).toEqual([
    'outside: fileSDConfigs: arbitraryFSAccessThroughSMs denies files of the container',
  ]);
});

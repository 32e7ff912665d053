import type { ServiceEndpoint } from './endpoint-schema.js';
import {
  configText,
  type Given,
  onlyScrape,
  planFor,
  podMonitor,
  prometheus,
  rejections,
  secret,
  serviceMonitor,
  textOf,
} from './prometheus-objects.js';

const endpoint = (part: ServiceEndpoint): Given => ({ serviceMonitors: [serviceMonitor({ endpoints: [part] })] });

const SECRETS = [
  secret('auth', { user: 'ann', password: 'yes', token: 't0ken' }),
  secret('tls', { 'ca.crt': 'CA', 'tls.crt': 'C', 'tls.key': 'K' }),
];

// #region golden
test('the configuration of a ServiceMonitor', () => {
  expect(configText({ serviceMonitors: [serviceMonitor()] })).toMatchSnapshot();
});
// #endregion

test('the configuration of a PodMonitor', () => {
  expect(configText({ podMonitors: [podMonitor()], prometheus: prometheus({ podMonitorSelector: {} }) })).toMatchSnapshot();
});

test('the configuration of everything at once', () => {
  const everything: ServiceEndpoint = {
    port: 'web',
    path: '/stats',
    scheme: 'https',
    params: { module: ['a', 'b'] },
    interval: '10s',
    scrapeTimeout: '5s',
    honorLabels: true,
    honorTimestamps: false,
    followRedirects: false,
    enableHttp2: false,
    basicAuth: { username: { name: 'auth', key: 'user' }, password: { name: 'auth', key: 'password' } },
    tlsConfig: {
      ca: { secret: { name: 'tls', key: 'ca.crt' } },
      cert: { secret: { name: 'tls', key: 'tls.crt' } },
      keySecret: { name: 'tls', key: 'tls.key' },
      serverName: 'web.shop',
    },
    relabelings: [{ action: 'Replace', sourceLabels: ['pod'], regex: '(.*)-\\d+', targetLabel: 'set', replacement: '$1' }],
    metricRelabelings: [{ action: 'drop', sourceLabels: ['__name__'], regex: 'go_.*' }],
  };
  const monitor = serviceMonitor({
    endpoints: [everything],
    selector: {
      matchLabels: { b: '1.0', a: 'x' },
      matchExpressions: [
        { key: 'tier', operator: 'In', values: ['web', 'db'] },
        { key: 'old', operator: 'NotIn', values: ['yes'] },
        { key: 'app.kubernetes.io/name', operator: 'Exists' },
        { key: 'hidden', operator: 'DoesNotExist' },
      ],
    },
    namespaceSelector: { matchNames: ['one', 'two'] },
    jobLabel: 'app',
    targetLabels: ['team'],
    podTargetLabels: ['pod-team'],
    attachMetadata: { node: true },
    sampleLimit: 100,
  });
  const given = prometheus({
    shards: 3,
    scrapeTimeout: '20s',
    externalLabels: { zone: 'eu' },
    replicaExternalLabelName: '',
    enforcedNamespaceLabel: 'tenant',
    enforcedSampleLimit: 1000,
    enforcedTargetLimit: 10,
    apiserverConfig: {
      host: 'https://10.0.0.1:6443',
      authorization: { type: 'Bearer', credentials: { name: 'auth', key: 'token' } },
      tlsConfig: { ca: { secret: { name: 'tls', key: 'ca.crt' } } },
    },
  });
  const plan = planFor({ prometheus: given, serviceMonitors: [monitor], secrets: SECRETS });
  expect(plan.rejections).toEqual([]);
  expect(textOf(plan)).toMatchSnapshot();
  expect(plan.secrets[1]?.data).toEqual({
    'secret_shop_tls_ca.crt': 'Q0E=',
    'secret_shop_tls_tls.crt': 'Qw==',
    'secret_shop_tls_tls.key': 'Sw==',
  });
});

test('the same objects give the same bytes, in whatever order they come', () => {
  const monitors = ['c', 'a', 'b'].map((name) => serviceMonitor({}, name));
  const one = planFor({ serviceMonitors: monitors }).config;
  expect(planFor({ serviceMonitors: monitors.toReversed() }).config).toEqual(one);
});

// #region shards
test('each shard keeps the targets whose hash is its number, unless a monitor hashes by itself or not at all', () => {
  const { relabel_configs: steps } = onlyScrape({ ...endpoint({ port: 'web' }), prometheus: prometheus({ shards: 4 }) });
  expect(steps.slice(-3)).toEqual([
    {
      source_labels: ['__address__', '__tmp_hash'],
      separator: ';',
      regex: '(.+);',
      target_label: '__tmp_hash',
      replacement: '$1',
      action: 'replace',
    },
    { source_labels: ['__tmp_hash'], target_label: '__tmp_hash', modulus: 4, action: 'hashmod' },
    { source_labels: ['__tmp_hash', '__tmp_disable_sharding'], regex: '$(SHARD);|.+;.+', action: 'keep' },
  ]);
});
// #endregion

test.each([
  ['the own one', {}, {}, { namespaces: { names: ['shop'] } }],
  ['named ones', { matchNames: ['a', 'b'] }, {}, { namespaces: { names: ['a', 'b'] } }],
  ['all', { any: true }, {}, {}],
  [
    'the own one, when selectors of namespaces are ignored',
    { any: true },
    { ignoreNamespaceSelectors: true },
    { namespaces: { names: ['shop'] } },
  ],
])('namespaces: %s', (_, namespaceSelector, spec, wanted) => {
  const given = { serviceMonitors: [serviceMonitor({ namespaceSelector })], prometheus: prometheus(spec) };
  expect(onlyScrape(given).kubernetes_sd_configs).toEqual([{ role: 'endpoints', ...wanted }]);
});

test.each([
  [undefined, undefined, undefined],
  [100, undefined, 100],
  [undefined, 50, 50],
  [0, 50, 50],
  [100, 50, 50],
  [10, 50, 10],
])('limits: %s of the monitor and %s enforced are %s', (sampleLimit, enforcedSampleLimit, wanted) => {
  const given = { serviceMonitors: [serviceMonitor({ sampleLimit })], prometheus: prometheus({ enforcedSampleLimit }) };
  expect(onlyScrape(given)['sample_limit']).toBe(wanted);
});

test('an enforced label of the namespace comes after whatever the monitor says', () => {
  const enforced = { target_label: 'tenant', replacement: 'shop' };
  const relabelings = [{ action: 'replace', targetLabel: 'tenant', replacement: 'other' }];
  const given = {
    ...endpoint({ relabelings, metricRelabelings: relabelings }),
    prometheus: prometheus({ enforcedNamespaceLabel: 'tenant' }),
  };
  const { relabel_configs: targets, metric_relabel_configs: samples } = onlyScrape(given);
  expect(targets.at(-4)).toEqual(enforced);
  expect(samples?.at(-1)).toEqual(enforced);
});

test('labels and timestamps of targets are not honored where that is overridden', () => {
  const given = {
    ...endpoint({ honorLabels: true, honorTimestamps: true }),
    prometheus: prometheus({ overrideHonorLabels: true, overrideHonorTimestamps: true }),
  };
  expect(onlyScrape(given)).toMatchObject({ honor_labels: false, honor_timestamps: false });
});

test('a value that YAML could take for something else stays a text', () => {
  const given = {
    ...endpoint({ basicAuth: { username: { name: 'auth', key: 'user' }, password: { name: 'auth', key: 'password' } } }),
    secrets: SECRETS,
  };
  expect(onlyScrape(given)['basic_auth']).toEqual({ username: 'ann', password: 'yes' });
});

const key = (name: string) => ({ name, key: 'x' });
test.each<[string, ServiceEndpoint, string]>([
  [
    'there is no Secret',
    { authorization: { type: 'Bearer', credentials: key('none') } },
    'endpoints[0].authorization.credentials: there is no Secret shop/none',
  ],
  [
    'there is no key',
    { authorization: { type: 'Bearer', credentials: key('auth') } },
    'endpoints[0].authorization.credentials: Secret shop/auth has no key x',
  ],
  [
    'there is no ConfigMap',
    { tlsConfig: { ca: { configMap: key('none') } } },
    'endpoints[0].tlsConfig.ca: there is no ConfigMap shop/none',
  ],
  [
    'a CA is named twice',
    { tlsConfig: { ca: { configMap: key('a'), secret: key('b') } } },
    'endpoints[0].tlsConfig.ca: a Secret and a ConfigMap exclude each other',
  ],
  ['a certificate has no key', { tlsConfig: { certFile: '/x' } }, 'endpoints[0].tlsConfig: a client certificate and its key come together'],
  [
    'there are two ways to ask',
    { basicAuth: { username: key('auth'), password: key('auth') }, authorization: { type: 'Bearer' } },
    'endpoints[0]: basicAuth and authorization exclude each other',
  ],
  [
    'Basic is not written as basicAuth',
    { authorization: { type: 'basic' } },
    'endpoints[0].authorization.type: Basic is written as basicAuth',
  ],
  ['there are two ports', { port: 'web', targetPort: 80 }, 'endpoints[0]: port and targetPort exclude each other'],
  ['the timeout is too long', { scrapeTimeout: '1m30s' }, 'endpoints[0].scrapeTimeout: 1m30s is longer than the interval, 30s'],
  [
    'it holds a variable of the Pod',
    { relabelings: [{ action: 'keep', regex: '$(HOME)' }] },
    'endpoints[0]: $(HOME) is a variable of the Pod, which a ServiceMonitor cannot use',
  ],
  ['an action does not exist', { relabelings: [{ action: 'remove' }] }, 'endpoints[0].relabelings[0]: there is no action remove'],
  [
    'a hash has no modulus',
    { relabelings: [{ action: 'hashmod', targetLabel: 'a' }] },
    'endpoints[0].relabelings[0]: hashmod needs a modulus above 0',
  ],
  ['a target is missing', { relabelings: [{ action: 'replace' }] }, 'endpoints[0].relabelings[0]: replace needs a targetLabel'],
  [
    'a target is not a label',
    { metricRelabelings: [{ action: 'lowercase', targetLabel: 'a-b' }] },
    'endpoints[0].metricRelabelings[0]: a-b is not a name of a label',
  ],
  [
    'a labeldrop says more',
    { relabelings: [{ action: 'labeldrop', regex: 'a', targetLabel: 'b' }] },
    'endpoints[0].relabelings[0]: labeldrop takes a regex alone, not targetLabel',
  ],
])('a monitor is left out when %s', (_, part, reason) => {
  const given = { serviceMonitors: [serviceMonitor({ endpoints: [part] }), serviceMonitor({}, 'good')], secrets: SECRETS };
  expect(rejections(given)).toEqual([`web: ${reason}`]);
  expect(configText(given)).toContain('serviceMonitor/shop/good/0');
});

test('files of the container are denied where that is said, and left to the monitor otherwise', () => {
  const given = endpoint({ bearerTokenFile: '/var/run/secrets/token' });
  expect(onlyScrape(given)['bearer_token_file']).toBe('/var/run/secrets/token');
  const denying = prometheus({ arbitraryFSAccessThroughSMs: { deny: true } });
  expect(rejections({ ...given, prometheus: denying })).toEqual([
    'web: endpoints[0].bearerTokenFile: arbitraryFSAccessThroughSMs denies files of the container',
  ]);
  expect(rejections({ ...endpoint({ tlsConfig: { caFile: '/ca' } }), prometheus: denying })).toHaveLength(1);
});

test('a monitor that is left out leaves nothing of its Secrets behind', () => {
  const tlsConfig = { ca: { secret: { name: 'tls', key: 'ca.crt' } } };
  const plan = planFor({ serviceMonitors: [serviceMonitor({ endpoints: [{ tlsConfig }, { scrapeTimeout: '1h' }] })], secrets: SECRETS });
  expect(plan.rejections).toHaveLength(1);
  expect(plan.secrets[1]?.data).toEqual({});
});

test('a Prometheus that names what is not there fails as a whole', () => {
  const apiserverConfig = { host: 'https://a', tlsConfig: { ca: { secret: key('none') } } };
  expect(() => planFor({ prometheus: prometheus({ apiserverConfig }) })).toThrow(
    'spec.apiserverConfig.tlsConfig.ca: there is no Secret shop/none',
  );
  const web = { tlsConfig: { cert: { secret: { name: 'tls', key: 'tls.crt' } }, keySecret: key('none') } };
  expect(() => planFor({ prometheus: prometheus({ web }), secrets: SECRETS })).toThrow(
    'spec.web.tlsConfig.keySecret: there is no Secret shop/none',
  );
});

test('of several endpoints, the one that names what is not there is named', () => {
  const basicAuth = { username: { name: 'auth', key: 'user' }, password: key('none') };
  const given = { secrets: SECRETS, prometheus: prometheus({ podMonitorSelector: {} }) };
  expect(rejections({ ...given, serviceMonitors: [serviceMonitor({ endpoints: [{ port: 'a' }, { port: 'b', basicAuth }] })] })).toEqual([
    'web: endpoints[1].basicAuth.password: there is no Secret shop/none',
  ]);
  expect(rejections({ ...given, podMonitors: [podMonitor({ podMetricsEndpoints: [{ port: 'a' }, { port: 'b', basicAuth }] })] })).toEqual([
    expect.stringMatching(/: podMetricsEndpoints\[1\]\.basicAuth\.password: there is no Secret shop\/none$/),
  ]);
});

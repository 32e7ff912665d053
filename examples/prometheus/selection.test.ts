import { mergePatch } from '@keelson/testing';
import { Namespace, Secret } from 'keelson/kinds';
import { Probe, ScrapeConfig } from './kinds.js';
import { ALL_OF_TEAM_A, probe, scrapeConfig, World } from './prometheus-world.js';

let world: World;
beforeEach(async () => {
  world = await World.start();
});
afterEach(() => world.close());

test('2D-3 Probes and ScrapeConfigs that come, change and go change the configuration, and never the StatefulSet', async () => {
  const { cluster } = world;
  await world.createPrometheus(ALL_OF_TEAM_A);
  const before = await world.generation();
  await world.create(probe('pages'), scrapeConfig('outside'));
  expect(await world.jobs()).toEqual(['probe/shop/pages', 'scrapeConfig/shop/outside']);
  await cluster.patch(Probe, 'pages', mergePatch({ spec: { interval: '7s' } }));
  await cluster.patch(ScrapeConfig, 'outside', mergePatch({ spec: { scrapeInterval: '8s' } }));
  await cluster.settled();
  expect(await world.config()).toMatch(/interval: 7s[\s\S]*interval: 8s/);
  await cluster.patch(Probe, 'pages', mergePatch({ metadata: { labels: { team: 'b' } } }));
  await cluster.delete(ScrapeConfig, 'outside');
  await cluster.settled();
  expect(await world.jobs()).toEqual([]);
  expect(await world.generation()).toBe(before);
});

test('2D-16 a Secret that a selected Probe or ScrapeConfig names counts, and no other', async () => {
  const { cluster } = world;
  const secret = (name: string) => Secret({ metadata: { name, namespace: 'shop' }, stringData: { u: 'ann', p: 'old' } });
  const basicAuth = (name: string) => ({ basicAuth: { username: { name, key: 'u' }, password: { name, key: 'p' } } });
  await world.create(secret('probed'), secret('listed'), secret('other'));
  await world.create(
    probe('pages', basicAuth('probed')),
    scrapeConfig('outside', { httpSDConfigs: [{ url: 'https://a', ...basicAuth('listed') }] }),
  );
  await world.createPrometheus(ALL_OF_TEAM_A);
  const passwords = async () => [...(await world.config()).matchAll(/password: (\S+)/g)].map(([, value]) => value);
  const change = async (name: string) => {
    await cluster.patch(Secret, name, mergePatch({ stringData: { p: `new-${name}` } }));
    await cluster.settled();
  };
  const runs = await world.runs();
  await change('other');
  expect([await world.runs(), await passwords()]).toEqual([runs, ['old', 'old']]);
  await change('probed');
  await change('listed');
  expect(await passwords()).toEqual(['new-probed', 'new-listed']);
});

test('2D-17 a namespace whose labels change brings Probes and ScrapeConfigs in, and takes them out', async () => {
  const { cluster } = world;
  await world.create(Namespace({ metadata: { name: 'plant' } }), probe('pages', {}, 'plant'), scrapeConfig('outside', {}, 'plant'));
  const monitored = { matchLabels: { monitored: 'yes' } };
  await world.createPrometheus({ ...ALL_OF_TEAM_A, probeNamespaceSelector: monitored, scrapeConfigNamespaceSelector: monitored });
  expect(await world.jobs()).toEqual([]);
  const label = async (value: string | null) => {
    await cluster.patch(Namespace, 'plant', mergePatch({ metadata: { labels: { monitored: value } } }));
    await cluster.settled();
  };
  await label('yes');
  expect(await world.jobs()).toEqual(['probe/plant/pages', 'scrapeConfig/plant/outside']);
  await label(null);
  expect(await world.jobs()).toEqual([]);
});

test.each([['probeSelector'], ['scrapeConfigSelector']])('2D-20 with %s alone the configuration is generated', async (selector) => {
  await world.createPrometheus({ [selector]: {} });
  expect(await world.config()).toContain('scrape_configs');
  expect(await world.condition('Reconciled')).toBe('True NoSelectedResources: no object is selected');
  await world.create(selector === 'probeSelector' ? probe('pages') : scrapeConfig('outside'));
  expect(await world.condition('Reconciled')).toBe('True Reconciled');
});

test('the API server refuses what it can judge by the schema', async () => {
  const refusals: [object, string][] = [
    [probe('bad', { targets: {} }), 'spec.targets: Invalid value: at least one of the fields in [staticConfig ingress] must be set'],
    [probe('bad', { prober: { url: 'http://blackbox' } }), 'spec.prober.url: Invalid value: "http://blackbox"'],
    [scrapeConfig('bad', { scrapeInterval: '1 minute' }), 'spec.scrapeInterval: Invalid value: "1 minute"'],
    [scrapeConfig('bad', { staticConfigs: [{ targets: [] }] }), 'spec.staticConfigs[0].targets: Invalid value: 0'],
    [scrapeConfig('bad', { fileSDConfigs: [{ files: ['/etc/passwd'] }] }), 'spec.fileSDConfigs[0].files[0]: Invalid value'],
    [
      scrapeConfig('bad', { kubernetesSDConfigs: [{ role: 'Pod', tlsConfig: {} }] }),
      'write apiServer: basicAuth, authorization and tlsConfig are for a server that is named',
    ],
    [scrapeConfig('bad', { dnsSDConfigs: [{ names: ['a'], type: 'A' }] }), 'write a port: only records of type SRV have one'],
    [scrapeConfig('bad', { dnsSDConfigs: [{ names: ['a'], type: 'NS', port: 0 }] }), 'write a port: only records of type SRV have one'],
    [scrapeConfig('bad', { dnsSDConfigs: [{ names: [] }] }), 'spec.dnsSDConfigs[0].names: Invalid value: 0'],
    [
      scrapeConfig('bad', { dnsSDConfigs: [{ names: ['a'], type: 'TXT' as never }] }),
      'spec.dnsSDConfigs[0].type: Unsupported value: "TXT"',
    ],
  ];
  for (const [object, message] of refusals) await expect(world.cluster.create(object as never)).rejects.toThrow(message);
  const names = ['_metrics._tcp.example.com'];
  await world.create(scrapeConfig('good', { dnsSDConfigs: [{ names }, { names, type: 'SRV' }, { names, type: 'A', port: 80 }] }));
});

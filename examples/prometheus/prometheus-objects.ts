import { gunzipSync } from 'node:zlib';
import type { Stored } from 'keelson';
import type { Secret } from 'keelson/kinds';
import { parse } from 'yaml';
import type { PodMonitor, Probe, Prometheus, PrometheusRule, ScrapeConfig, ServiceMonitor } from './kinds.js';
import { type Plan, planOf } from './plan.js';
import type { RelabelConfig } from './relabeling.js';

/** Objects for the tests, as the API server returns them. */
function stored<T>(kind: string, name: string, spec: object, namespace = 'shop'): Stored<T> {
  const metadata = { name, namespace, uid: `uid-of-${name}`, resourceVersion: '1', generation: 1 };
  return { apiVersion: 'monitoring.coreos.com/v1', kind, metadata, spec } as unknown as Stored<T>;
}

const ALL = {};
export const prometheus = (spec: Partial<Prometheus['spec']> = {}): Stored<Prometheus> =>
  stored('Prometheus', 'main', {
    version: 'v2.42.0',
    replicas: 1,
    shards: 1,
    paused: false,
    serviceMonitorSelector: ALL,
    scrapeInterval: '30s',
    evaluationInterval: '30s',
    prometheusExternalLabelName: 'prometheus',
    replicaExternalLabelName: 'prometheus_replica',
    overrideHonorLabels: false,
    overrideHonorTimestamps: false,
    ignoreNamespaceSelectors: false,
    podManagementPolicy: 'Parallel',
    minReadySeconds: 0,
    terminationGracePeriodSeconds: 600,
    ...spec,
  });

export const serviceMonitor = (spec: Partial<ServiceMonitor['spec']> = {}, name = 'web'): Stored<ServiceMonitor> =>
  stored('ServiceMonitor', name, { selector: { matchLabels: { app: 'web' } }, endpoints: [{ port: 'web' }], ...spec });

export const podMonitor = (spec: Partial<PodMonitor['spec']> = {}, name = 'jobs'): Stored<PodMonitor> =>
  stored('PodMonitor', name, { selector: { matchLabels: { app: 'jobs' } }, podMetricsEndpoints: [{ port: 'metrics' }], ...spec });

export const probe = (spec: Partial<Probe['spec']> = {}, name = 'pages'): Stored<Probe> =>
  stored('Probe', name, {
    prober: { url: 'blackbox.monitoring.svc:9115', path: '/probe' },
    targets: { staticConfig: { static: ['https://shop.example.com'] } },
    ...spec,
  });

export const scrapeConfig = (spec: Partial<ScrapeConfig['spec']> = {}, name = 'outside'): Stored<ScrapeConfig> =>
  stored('ScrapeConfig', name, { staticConfigs: [{ targets: ['db.example.com:9187'] }], ...spec });

export const prometheusRule = (groups: PrometheusRule['spec']['groups'], name = 'rules'): Stored<PrometheusRule> =>
  stored('PrometheusRule', name, { groups });

export const secret = (name: string, values: Readonly<Record<string, string>>): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace: 'shop' },
  data: Object.fromEntries(Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString('base64')])),
});

export interface Given {
  readonly prometheus?: Prometheus;
  readonly serviceMonitors?: readonly ServiceMonitor[];
  readonly podMonitors?: readonly PodMonitor[];
  readonly probes?: readonly Probe[];
  readonly scrapeConfigs?: readonly ScrapeConfig[];
  readonly rules?: readonly PrometheusRule[];
  readonly secrets?: readonly Secret[];
}

/** The plan when all of this is selected. */
export function planFor({
  prometheus: object = prometheus(),
  serviceMonitors = [],
  podMonitors = [],
  probes = [],
  scrapeConfigs = [],
  rules = [],
  secrets = [],
}: Given): Plan {
  return planOf({
    prometheus: object,
    selected: { serviceMonitors, podMonitors, probes, scrapeConfigs, rules },
    sources: {
      secret: ({ namespace, name }) => secrets.find(({ metadata }) => metadata.name === name && metadata.namespace === namespace),
      configMap: () => undefined,
    },
    images: { prometheusImage: 'quay.io/prometheus/prometheus', configReloaderImage: 'example.com/reloader:1' },
  });
}

/** The configuration as Prometheus loads it. */
export const textOf = ({ config }: Plan): string =>
  gunzipSync(Buffer.from(config?.data?.['prometheus.yaml.gz'] ?? '', 'base64')).toString();
export const configText = (given: Given): string => textOf(planFor(given));

export interface ParsedScrape {
  readonly relabel_configs: readonly RelabelConfig[];
  readonly metric_relabel_configs?: readonly RelabelConfig[];
  readonly kubernetes_sd_configs: readonly object[];
  readonly [field: string]: unknown;
}

/** The only scrape of the configuration, as Prometheus reads it. */
export function onlyScrape(given: Given): ParsedScrape {
  const { scrape_configs: scrapes } = parse(configText(given), { version: '1.1' }) as { readonly scrape_configs: readonly ParsedScrape[] };
  const [scrape] = scrapes;
  if (scrape === undefined || scrapes.length > 1) throw new Error(`there are ${scrapes.length} scrapes: ${rejections(given).join('; ')}`);
  return scrape;
}

/** Objects that are left out, and why. */
export const rejections = (given: Given): string[] =>
  planFor(given).rejections.map(({ object, reason }) => `${object.metadata.name}: ${reason}`);

import { accessOf, defined, InvalidObject } from './assets.js';
import type { ScrapeConfig } from './kinds.js';
import { relabelConfigsOf } from './relabeling.js';
import { type Scrape, type ScrapeContext, scrapeOf } from './scrape.js';
import type { DnsDiscovery, KubernetesDiscovery } from './scrape-config-schema.js';
import { staticTargets } from './static-targets.js';

// #region scrape-config
/** A scrape as its author writes it, of targets inside or outside of the cluster. @throws InvalidObject if Prometheus would refuse it */
export function scrapeConfigScrape(object: ScrapeConfig, context: ScrapeContext): Scrape {
  const { metadata, spec } = object;
  return scrapeOf({
    ...context,
    object,
    jobName: `scrapeConfig/${metadata.namespace}/${metadata.name}`,
    scraping: { ...spec, path: spec.metricsPath, interval: spec.scrapeInterval, enableHttp2: spec.enableHTTP2 },
    discovery: discoveriesOf(object, context),
    steps: [
      ...(spec.jobName === undefined ? [] : [{ target_label: 'job', replacement: spec.jobName }]),
      ...relabelConfigsOf(spec.relabelings, 'relabelings'),
    ],
  });
}
// #endregion

function discoveriesOf(object: ScrapeConfig, context: ScrapeContext): object {
  const { metadata, spec } = object;
  const { prometheus, assets } = context;
  const { namespace = '' } = metadata;
  if (spec.fileSDConfigs !== undefined && prometheus.spec.arbitraryFSAccessThroughSMs?.deny === true)
    throw new InvalidObject('fileSDConfigs: arbitraryFSAccessThroughSMs denies files of the container');
  return defined({
    static_configs: spec.staticConfigs?.map(({ targets, labels = {} }, index) => staticTargets(targets, labels, `staticConfigs[${index}]`)),
    file_sd_configs: spec.fileSDConfigs?.map(({ files, refreshInterval }) => defined({ files, refresh_interval: refreshInterval })),
    http_sd_configs: spec.httpSDConfigs?.map(({ url, refreshInterval, ...access }, index) => ({
      url: checkedUrl(url, `httpSDConfigs[${index}].url`),
      ...defined({ refresh_interval: refreshInterval }),
      ...accessOf(access, assets, { namespace, field: `httpSDConfigs[${index}]` }),
    })),
    dns_sd_configs: spec.dnsSDConfigs?.map((discovery, index) => dnsDiscovery(discovery, `dnsSDConfigs[${index}]`)),
    kubernetes_sd_configs: spec.kubernetesSDConfigs?.map((discovery, index) =>
      clusterDiscovery(discovery, `kubernetesSDConfigs[${index}]`, { ...context, namespace }),
    ),
  });
}

/** The API server asks for the port as well, but not in objects that were stored before it did. Prometheus would refuse all of its configuration. */
function dnsDiscovery({ names, type, port = 0, refreshInterval }: DnsDiscovery, field: string): object {
  if (type !== undefined && type !== 'SRV' && port === 0)
    throw new InvalidObject(`${field}: write a port: only records of type SRV have one, not those of type ${type}`);
  return defined({ names, type, port: port === 0 ? undefined : port, refresh_interval: refreshInterval });
}

function clusterDiscovery(
  { role, namespaces, attachMetadata, apiServer, ...access }: KubernetesDiscovery,
  field: string,
  { prometheus, apiServer: usual, assets, namespace }: ScrapeContext & { readonly namespace: string },
): object {
  const { ownNamespace = false, names = [] } = namespaces ?? {};
  // Prometheus’ own word for its namespace, `own_namespace`, does not go with a named API server.
  const wanted = [...(ownNamespace ? [prometheus.metadata.namespace ?? ''] : []), ...names];
  const places = prometheus.spec.ignoreNamespaceSelectors ? [namespace] : [...new Set(wanted)];
  const server =
    apiServer === undefined
      ? usual
      : { api_server: checkedUrl(apiServer, `${field}.apiServer`), ...accessOf(access, assets, { namespace, field }) };
  return {
    role: role.toLowerCase(),
    ...(places.length === 0 ? {} : { namespaces: { names: places } }),
    ...server,
    ...(attachMetadata?.node === true ? { attach_metadata: { node: true } } : {}),
  };
}

/** A text that no URL can be read from would keep Prometheus from loading all of its configuration. */
function checkedUrl(url: string, field: string): string {
  if (!URL.canParse(url)) throw new InvalidObject(`${field}: ${url} is not a URL`);
  return url;
}

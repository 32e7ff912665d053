import { InvalidObject } from './assets.js';
import { discoveryOf } from './discovery.js';
import type { Probe } from './kinds.js';
import { type RelabelConfig, relabelConfigsOf } from './relabeling.js';
import { type Scrape, type ScrapeContext, scrapeOf } from './scrape.js';
import { selectorSteps } from './selection-steps.js';
import { staticTargets } from './static-targets.js';

// #region probe
/**
 * The scrape of a prober: each target is handed to it as a parameter, and gives its name to the label instance. Shards divide the targets, not the prober,
 * which is the address of all.
 *
 * @throws InvalidObject if Prometheus would refuse it
 */
export function probeScrape(probe: Probe, context: ScrapeContext): Scrape {
  const { metadata, spec } = probe;
  const { discovery, steps } = targetsOf(probe, context);
  return scrapeOf({
    ...context,
    object: probe,
    jobName: `probe/${metadata.namespace}/${metadata.name}`,
    scraping: {
      ...spec,
      ...spec.prober,
      honorTimestamps: true,
      params: spec.module === undefined ? undefined : { module: [spec.module] },
    },
    discovery,
    steps: [...(spec.jobName === undefined ? [] : [{ target_label: 'job', replacement: spec.jobName }]), ...steps],
    hashed: '__param_target',
  });
}
// #endregion

interface Targets {
  readonly discovery: object;
  readonly steps: readonly RelabelConfig[];
}

function targetsOf(probe: Probe, context: ScrapeContext): Targets {
  const { metadata, spec } = probe;
  const { staticConfig, ingress } = spec.targets;
  if (staticConfig !== undefined) {
    const field = 'targets.staticConfig';
    const labels = { namespace: metadata.namespace ?? '', ...staticConfig.labels };
    return {
      discovery: { static_configs: [staticTargets(staticConfig.static ?? [], labels, field)] },
      steps: [
        { source_labels: ['__address__'], target_label: '__param_target' },
        ...proberSteps(spec.prober.url),
        ...relabelConfigsOf(staticConfig.relabelingConfigs, `${field}.relabelingConfigs`),
      ],
    };
  }
  // The schema asks for one of both; an object may be older than it.
  if (ingress === undefined) throw new InvalidObject('targets: names neither staticConfig nor ingress');
  const place = { metadata, spec: { namespaceSelector: ingress.namespaceSelector } };
  return {
    discovery: { kubernetes_sd_configs: [discoveryOf(place, 'ingress', context)] },
    steps: [
      ...selectorSteps(ingress.selector, 'ingress'),
      {
        source_labels: ['__meta_kubernetes_ingress_scheme', '__address__', '__meta_kubernetes_ingress_path'],
        separator: ';',
        regex: '(.+);(.+);(.+)',
        target_label: '__param_target',
        replacement: '$1://$2$3',
        action: 'replace',
      },
      { source_labels: ['__meta_kubernetes_namespace'], target_label: 'namespace' },
      { source_labels: ['__meta_kubernetes_ingress_name'], target_label: 'ingress' },
      { source_labels: ['__address__'], target_label: '__tmp_ingress_address' },
      ...proberSteps(spec.prober.url),
      ...relabelConfigsOf(ingress.relabelingConfigs, 'targets.ingress.relabelingConfigs'),
    ],
  };
}

function proberSteps(url: string): RelabelConfig[] {
  return [
    { source_labels: ['__param_target'], target_label: 'instance' },
    { target_label: '__address__', replacement: url },
  ];
}

import { InvalidObject } from './assets.js';
import { discoveryOf } from './discovery.js';
import type { PodEndpoint, ServiceEndpoint } from './endpoint-schema.js';
import type { PodMonitor, ServiceMonitor } from './kinds.js';
import { type RelabelConfig, relabelConfigsOf } from './relabeling.js';
import { type Scrape, type ScrapeContext, scrapeOf } from './scrape.js';
import { copiedLabels, jobSteps, keep, selectorSteps } from './selection-steps.js';

// #region service-monitor
/** One scrape for each endpoint. @throws InvalidObject if Prometheus would refuse one of them */
export function serviceMonitorScrapes(monitor: ServiceMonitor, context: ScrapeContext): Scrape[] {
  return monitor.spec.endpoints.map((endpoint, index) => {
    const field = `endpoints[${index}]`;
    if (endpoint.port !== undefined && endpoint.targetPort !== undefined)
      throw new InvalidObject(`${field}: port and targetPort exclude each other`);
    checkFiles(endpoint, field, context);
    return scrapeOf({
      ...context,
      object: monitor,
      jobName: jobNameOf('serviceMonitor', monitor, index),
      field,
      scraping: endpoint,
      discovery: { kubernetes_sd_configs: [discoveryOf(monitor, 'endpoints', context)] },
      steps: [
        ...selectorSteps(monitor.spec.selector, 'service'),
        ...portSteps(endpoint),
        ...nodeAndPod(),
        { source_labels: ['__meta_kubernetes_namespace'], target_label: 'namespace' },
        { source_labels: ['__meta_kubernetes_service_name'], target_label: 'service' },
        { source_labels: ['__meta_kubernetes_pod_name'], target_label: 'pod' },
        { source_labels: ['__meta_kubernetes_pod_container_name'], target_label: 'container' },
        { source_labels: ['__meta_kubernetes_pod_phase'], regex: '(Failed|Succeeded)', action: 'drop' },
        ...copiedLabels(monitor.spec.targetLabels, 'service'),
        ...copiedLabels(monitor.spec.podTargetLabels, 'pod'),
        { source_labels: ['__meta_kubernetes_service_name'], target_label: 'job', replacement: '$1' },
        ...jobSteps(monitor.spec.jobLabel, 'service'),
        ...endpointLabel(endpoint.port ?? endpoint.targetPort),
        ...relabelConfigsOf(endpoint.relabelings, `${field}.relabelings`),
      ],
    });
  });
}
// #endregion

export function podMonitorScrapes(monitor: PodMonitor, context: ScrapeContext): Scrape[] {
  const { name, namespace = '' } = monitor.metadata;
  return monitor.spec.podMetricsEndpoints.map((endpoint, index) => {
    const field = `podMetricsEndpoints[${index}]`;
    if (endpoint.port !== undefined && endpoint.portNumber !== undefined)
      throw new InvalidObject(`${field}: port and portNumber exclude each other`);
    return scrapeOf({
      ...context,
      object: monitor,
      jobName: jobNameOf('podMonitor', monitor, index),
      field,
      scraping: endpoint,
      discovery: { kubernetes_sd_configs: [discoveryOf(monitor, 'pod', context)] },
      steps: [
        ...(endpoint.filterRunning === false
          ? []
          : [{ source_labels: ['__meta_kubernetes_pod_phase'], regex: '(Failed|Succeeded)', action: 'drop' }]),
        ...selectorSteps(monitor.spec.selector, 'pod'),
        ...podPortSteps(endpoint),
        { source_labels: ['__meta_kubernetes_namespace'], target_label: 'namespace' },
        { source_labels: ['__meta_kubernetes_pod_container_name'], target_label: 'container' },
        { source_labels: ['__meta_kubernetes_pod_name'], target_label: 'pod' },
        ...copiedLabels(monitor.spec.podTargetLabels, 'pod'),
        { target_label: 'job', replacement: `${namespace}/${name}` },
        ...jobSteps(monitor.spec.jobLabel, 'pod'),
        ...endpointLabel(endpoint.port),
        ...relabelConfigsOf(endpoint.relabelings, `${field}.relabelings`),
      ],
    });
  });
}

const jobNameOf = (kind: string, { metadata: { namespace, name } }: ServiceMonitor | PodMonitor, index: number): string =>
  `${kind}/${namespace}/${name}/${index}`;

function checkFiles({ tlsConfig = {}, bearerTokenFile }: ServiceEndpoint, field: string, { prometheus }: ScrapeContext): void {
  if (prometheus.spec.arbitraryFSAccessThroughSMs?.deny !== true) return;
  const inTls = ['caFile', 'certFile', 'keyFile'].find((path) => path in tlsConfig);
  const found = inTls === undefined ? (bearerTokenFile === undefined ? undefined : 'bearerTokenFile') : `tlsConfig.${inTls}`;
  if (found !== undefined) throw new InvalidObject(`${field}.${found}: arbitraryFSAccessThroughSMs denies files of the container`);
}

function portSteps({ port, targetPort }: ServiceEndpoint): RelabelConfig[] {
  if (port !== undefined) return [keep('__meta_kubernetes_endpoint_port_name', port)];
  if (targetPort === undefined) return [];
  return typeof targetPort === 'number'
    ? [keep('__meta_kubernetes_pod_container_port_number', String(targetPort))]
    : [keep('__meta_kubernetes_pod_container_port_name', targetPort)];
}

function podPortSteps({ port, portNumber }: PodEndpoint): RelabelConfig[] {
  if (port !== undefined) return [keep('__meta_kubernetes_pod_container_port_name', port)];
  return portNumber === undefined ? [] : [keep('__meta_kubernetes_pod_container_port_number', String(portNumber))];
}

function nodeAndPod(): RelabelConfig[] {
  return ['Node', 'Pod'].map((kind) => ({
    source_labels: ['__meta_kubernetes_endpoint_address_target_kind', '__meta_kubernetes_endpoint_address_target_name'],
    separator: ';',
    regex: `${kind};(.*)`,
    replacement: '$1',
    target_label: kind.toLowerCase(),
  }));
}

function endpointLabel(name: string | number | undefined): RelabelConfig[] {
  return name === undefined ? [] : [{ target_label: 'endpoint', replacement: String(name) }];
}

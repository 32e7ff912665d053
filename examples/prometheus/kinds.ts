import { defineCustomResource, type Resource } from 'keelson';
import { boundStatus } from './binding-schema.js';
import { probe } from './probe-schema.js';
import * as schema from './schema.js';
import { scrapeConfig } from './scrape-config-schema.js';

export const GROUP = 'monitoring.coreos.com';
const categories = ['prometheus-operator'];

// #region prometheus
/** Prometheus servers that scrape what the monitors say which they select. */
export const Prometheus = defineCustomResource({
  group: GROUP,
  kind: 'Prometheus',
  plural: 'prometheuses',
  shortNames: ['prom'],
  categories,
  versions: {
    v1: {
      ...schema.prometheus,
      // Pods carry the revision of their StatefulSet as a label, at most 63 characters: `prometheus-`, the name, `-shard-99`, and a hash of eleven.
      rules: [{ rule: 'size(self.metadata.name) <= 32', message: 'the name must have at most 32 characters' }],
      scale: { specReplicasPath: '.spec.shards', statusReplicasPath: '.status.shards', labelSelectorPath: '.status.selector' },
      columns: [
        { name: 'Version', type: 'string', jsonPath: '.spec.version' },
        { name: 'Desired', type: 'integer', jsonPath: '.spec.replicas' },
        { name: 'Ready', type: 'integer', jsonPath: '.status.availableReplicas' },
        { name: 'Reconciled', type: 'string', jsonPath: ".status.conditions[?(@.type == 'Reconciled')].status" },
        { name: 'Available', type: 'string', jsonPath: ".status.conditions[?(@.type == 'Available')].status" },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        { name: 'Paused', type: 'boolean', jsonPath: '.status.paused', priority: 1 },
      ],
    },
  },
});
// #endregion
export interface Prometheus extends Resource<typeof Prometheus> {}

/** How the Pods behind Services are scraped. */
export const ServiceMonitor = defineCustomResource({
  group: GROUP,
  kind: 'ServiceMonitor',
  shortNames: ['smon'],
  categories,
  versions: { v1: { ...schema.serviceMonitor, status: boundStatus } },
});
export interface ServiceMonitor extends Resource<typeof ServiceMonitor> {}

/** How Pods are scraped, without a Service. */
export const PodMonitor = defineCustomResource({
  group: GROUP,
  kind: 'PodMonitor',
  shortNames: ['pmon'],
  categories,
  versions: { v1: { ...schema.podMonitor, status: boundStatus } },
});
export interface PodMonitor extends Resource<typeof PodMonitor> {}

/** Targets of a prober, such as a blackbox exporter: URLs, or the hosts of Ingresses. */
export const Probe = defineCustomResource({
  group: GROUP,
  kind: 'Probe',
  shortNames: ['prb'],
  categories,
  versions: { v1: { ...probe, status: boundStatus } },
});
export interface Probe extends Resource<typeof Probe> {}

/** A scrape of whatever Prometheus can discover, in the cluster or outside of it. */
export const ScrapeConfig = defineCustomResource({
  group: GROUP,
  kind: 'ScrapeConfig',
  shortNames: ['scfg'],
  categories,
  versions: { v1alpha1: { ...scrapeConfig, status: boundStatus } },
});
export interface ScrapeConfig extends Resource<typeof ScrapeConfig> {}

/** Series that are recorded, and alerts. */
export const PrometheusRule = defineCustomResource({
  group: GROUP,
  kind: 'PrometheusRule',
  shortNames: ['promrule'],
  categories,
  versions: { v1: { ...schema.prometheusRule, status: boundStatus } },
});
export interface PrometheusRule extends Resource<typeof PrometheusRule> {}

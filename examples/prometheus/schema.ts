import { k } from 'keelson';
import { z } from 'zod';
import {
  access,
  limits,
  namespaceSelector,
  podEndpoint,
  safeTlsConfig,
  secretKey,
  serviceEndpoint,
  span,
  tlsConfig,
} from './endpoint-schema.js';

const monitor = {
  selector: k.labelSelector().describe('Labels of what is scraped.'),
  namespaceSelector: namespaceSelector.optional().describe('Where it is looked for. Default: in the namespace of the monitor.'),
  jobLabel: z.string().optional().describe('The label of the Service, or Pod, whose value becomes the label job.'),
  podTargetLabels: z.array(z.string()).optional().describe('Labels of the Pod that samples get.'),
  attachMetadata: z.object({ node: z.boolean().optional() }).optional(),
  ...limits,
};

export const serviceMonitor = {
  spec: z.object({
    ...monitor,
    targetLabels: z.array(z.string()).optional().describe('Labels of the Service that samples get.'),
    endpoints: z.array(serviceEndpoint).max(64),
  }),
};

export const podMonitor = { spec: z.object({ ...monitor, podMetricsEndpoints: z.array(podEndpoint).max(64) }) };

const rule = z.object({
  record: z.string().optional().describe('The series that is recorded.'),
  alert: z.string().optional().describe('The alert that is raised.'),
  expr: k.intOrString().describe('PromQL.'),
  for: span().optional(),
  keep_firing_for: span().optional(),
  labels: z.record(z.string(), z.string()).optional(),
  annotations: z.record(z.string(), z.string()).optional(),
});

export const prometheusRule = {
  spec: z.object({
    groups: k
      .listMap(
        z.object({
          name: z.string().min(1),
          interval: span().optional(),
          limit: k.int32().optional(),
          labels: z.record(z.string(), z.string()).optional(),
          rules: z.array(rule).optional(),
        }),
        'name',
      )
      .optional(),
  }),
};

const storage = z.object({
  emptyDir: k.builtin('EmptyDirVolumeSource').optional(),
  volumeClaimTemplate: z
    .object({
      metadata: z
        .object({
          name: z.string().optional(),
          labels: z.record(z.string(), z.string()).optional(),
          annotations: z.record(z.string(), z.string()).optional(),
        })
        .optional(),
      spec: k.builtin('PersistentVolumeClaimSpec'),
    })
    .optional(),
});

const apiserverConfig = z.object({
  host: z.string().describe('Host and port, with the scheme: https://10.0.0.1:6443.'),
  ...access,
  tlsConfig: tlsConfig.optional(),
});

const web = z.object({ tlsConfig: z.object({ cert: safeTlsConfig.shape.cert.unwrap(), keySecret: secretKey }).optional() });

const conditions = k.conditions();

export const prometheus = {
  spec: z.object({
    version: z.string().default('v3.14.0').describe('The tag of the image, unless image is set.'),
    image: z.string().optional(),
    replicas: k.int32().default(1).describe('Pods of each shard, which all scrape the same. Below 0 means 1.'),
    shards: k.int32().default(1).describe('Parts that the targets are divided into. Below 1 means 1.'),
    paused: z.boolean().default(false).describe('No object is written but the status.'),

    serviceMonitorSelector: k
      .labelSelector()
      .optional()
      .describe('Missing: none; {}: all. The same holds for the other selectors of objects.'),
    serviceMonitorNamespaceSelector: k
      .labelSelector()
      .optional()
      .describe('Missing: the namespace of the Prometheus; {}: all. The same holds for the other selectors of namespaces.'),
    podMonitorSelector: k.labelSelector().optional(),
    podMonitorNamespaceSelector: k.labelSelector().optional(),
    probeSelector: k.labelSelector().optional(),
    probeNamespaceSelector: k.labelSelector().optional(),
    scrapeConfigSelector: k.labelSelector().optional(),
    scrapeConfigNamespaceSelector: k.labelSelector().optional(),
    ruleSelector: k.labelSelector().optional(),
    ruleNamespaceSelector: k.labelSelector().optional(),

    scrapeInterval: span().default('30s'),
    scrapeTimeout: span().optional(),
    evaluationInterval: span().default('30s'),
    externalLabels: z.record(z.string(), z.string()).optional(),
    prometheusExternalLabelName: z.string().default('prometheus').describe('The label that names the Prometheus; empty: none.'),
    replicaExternalLabelName: z.string().default('prometheus_replica').describe('The label that names the Pod; empty: none.'),
    overrideHonorLabels: z.boolean().default(false).describe('Monitors may not honor the labels of targets.'),
    overrideHonorTimestamps: z.boolean().default(false).describe('Monitors may not honor the timestamps of targets.'),
    ignoreNamespaceSelectors: z.boolean().default(false).describe('Monitors select in their own namespace only.'),
    enforcedNamespaceLabel: z
      .string()
      .regex(/^[a-zA-Z_][a-zA-Z0-9_]*$/)
      .optional()
      .describe('The label that samples get with the namespace of their monitor, whatever they say. Rules are not rewritten.'),
    enforcedSampleLimit: k.int64().min(0).optional(),
    enforcedTargetLimit: k.int64().min(0).optional(),
    enforcedLabelLimit: k.int64().min(0).optional(),
    enforcedLabelNameLengthLimit: k.int64().min(0).optional(),
    enforcedLabelValueLengthLimit: k.int64().min(0).optional(),
    arbitraryFSAccessThroughSMs: z
      .object({ deny: z.boolean().default(false) })
      .optional()
      .describe('Whether monitors may name files of Prometheus’ own container.'),
    apiserverConfig: apiserverConfig
      .optional()
      .describe('Where targets are discovered. Default: the API server of the Pod, with its account.'),
    web: web.optional(),

    retention: z.string().optional().describe('How long samples are kept. Default: 24h, unless retentionSize is set.'),
    retentionSize: z.string().optional(),
    storage: storage.optional(),
    serviceAccountName: z.string().optional(),
    serviceName: z
      .string()
      .optional()
      .describe('The governing Service, made by the user. Default: prometheus-operated, made by the operator.'),
    podMetadata: z
      .object({ labels: z.record(z.string(), z.string()).optional(), annotations: z.record(z.string(), z.string()).optional() })
      .optional(),
    podManagementPolicy: z.enum(['Parallel', 'OrderedReady']).default('Parallel'),
    minReadySeconds: k.int32().min(0).default(0),
    terminationGracePeriodSeconds: k.int64().min(0).default(600),
    resources: k.builtin('ResourceRequirements').optional(),
    securityContext: k.builtin('PodSecurityContext').optional(),
    nodeSelector: z.record(z.string(), z.string()).optional(),
    tolerations: z.array(k.builtin('Toleration')).optional(),
  }),
  status: z.object({
    paused: z.boolean().optional(),
    replicas: k.int32().optional().describe('Pods of all shards.'),
    updatedReplicas: k.int32().optional(),
    availableReplicas: k.int32().optional(),
    unavailableReplicas: k.int32().optional(),
    shards: k.int32().optional(),
    shardStatuses: k
      .listMap(
        z.object({
          shardID: z.string(),
          replicas: k.int32(),
          updatedReplicas: k.int32(),
          availableReplicas: k.int32(),
          unavailableReplicas: k.int32(),
        }),
        'shardID',
      )
      .optional(),
    selector: z.string().optional(),
    conditions,
  }),
};

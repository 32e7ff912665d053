import { type DeepReadonly, k } from 'keelson';
import { z } from 'zod';
import { access, limits, relabelings, safeTlsConfig, span } from './endpoint-schema.js';

const refreshInterval = span().optional().describe('How often it is asked again. Default: that of Prometheus.');
const server = { ...access, tlsConfig: safeTlsConfig.optional() };

const staticConfigs = z.object({
  targets: k.set(z.string().min(1)).min(1).max(1024).describe('Hosts with their ports.'),
  labels: z.record(z.string(), z.string()).optional(),
});

const fileSDConfigs = z.object({
  files: k
    .set(z.string().regex(/^[^*]*(\*[^/]*)?\.(json|yml|yaml|JSON|YML|YAML)$/))
    .min(1)
    .max(64)
    .describe('Paths in Prometheus’ own container.'),
  refreshInterval,
});

const httpSDConfigs = z.object({
  url: z
    .string()
    .max(2048)
    .regex(/^https?:\/\/[^\s]+$/)
    .describe('Servers that answer with the targets.'),
  refreshInterval,
  ...server,
});

const dnsSDConfigs = z
  .object({
    names: k.set(z.string().min(1).max(255)).min(1).max(64).describe('Domain names that are asked for.'),
    type: z.enum(['A', 'AAAA', 'MX', 'NS', 'SRV']).optional().describe('Which records are asked for. Default: SRV.'),
    port: z.int32().min(0).max(65535).optional().describe('The port of the targets; records of type SRV have their own.'),
    refreshInterval,
  })
  .check(
    k.rule("!has(self.type) || self.type == 'SRV' || (has(self.port) && self.port > 0)", {
      message: 'write a port: only records of type SRV have one',
    }),
  );

const kubernetesSDConfigs = z
  .object({
    role: z.enum(['Pod', 'Endpoints', 'EndpointSlice', 'Ingress', 'Service', 'Node']),
    namespaces: z
      .object({
        ownNamespace: z.boolean().optional().describe('The namespace of the Pods of Prometheus.'),
        names: k.set(z.string()).max(256).optional(),
      })
      .optional()
      .describe('Default: all.'),
    attachMetadata: z.object({ node: z.boolean().optional() }).optional(),
    apiServer: z
      .string()
      .max(2048)
      .regex(/^https?:\/\/[^\s]+$/)
      .optional()
      .describe('Default: apiserverConfig of the Prometheus.'),
    ...server,
  })
  .check(
    k.rule('has(self.apiServer) || !(has(self.basicAuth) || has(self.authorization) || has(self.tlsConfig))', {
      message: 'write apiServer: basicAuth, authorization and tlsConfig are for a server that is named',
    }),
  );

export const scrapeConfig = {
  spec: z.object({
    jobName: z.string().min(1).optional().describe('The label job. Default: scrapeConfig/<namespace>/<name>.'),
    staticConfigs: z.array(staticConfigs).max(64).optional(),
    fileSDConfigs: z.array(fileSDConfigs).max(64).optional(),
    httpSDConfigs: z.array(httpSDConfigs).max(64).optional(),
    dnsSDConfigs: z.array(dnsSDConfigs).max(64).optional(),
    kubernetesSDConfigs: z.array(kubernetesSDConfigs).max(64).optional(),
    metricsPath: z.string().min(1).optional().describe('Default: /metrics.'),
    scheme: z.enum(['http', 'https', 'HTTP', 'HTTPS']).optional(),
    params: z.record(z.string(), z.array(z.string())).optional(),
    scrapeInterval: span().optional().describe('Default: that of the Prometheus.'),
    scrapeTimeout: span().optional().describe('Not longer than the interval.'),
    honorLabels: z.boolean().optional(),
    honorTimestamps: z.boolean().optional(),
    enableHTTP2: z.boolean().optional(),
    ...server,
    relabelings: relabelings.optional(),
    metricRelabelings: relabelings.optional(),
    ...limits,
  }),
};

export type DnsDiscovery = DeepReadonly<z.output<typeof dnsSDConfigs>>;
export type KubernetesDiscovery = DeepReadonly<z.output<typeof kubernetesSDConfigs>>;

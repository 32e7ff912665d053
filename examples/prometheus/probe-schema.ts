import { k } from 'keelson';
import { z } from 'zod';
import { access, limits, namespaceSelector, relabelings, safeTlsConfig, span } from './endpoint-schema.js';

const staticConfig = z.object({
  static: z.array(z.string().min(1)).max(1024).optional().describe('Targets: URLs, or what else the module of the prober takes.'),
  labels: z.record(z.string(), z.string()).optional().describe('Labels that samples get, beside the namespace of the Probe.'),
  relabelingConfigs: relabelings.optional(),
});

const ingress = z.object({
  selector: k.labelSelector().describe('Labels of the Ingresses whose hosts and paths are probed.'),
  namespaceSelector: namespaceSelector.optional().describe('Where they are looked for. Default: in the namespace of the Probe.'),
  relabelingConfigs: relabelings.optional(),
});

const prober = z.object({
  url: z
    .string()
    .max(300)
    .regex(/^(\[[0-9a-fA-F:.]+\]|[a-zA-Z0-9]([a-zA-Z0-9._-]*[a-zA-Z0-9])?)(:[0-9]{1,5})?$/)
    .describe('Host of the prober, with or without its port: blackbox.monitoring.svc:9115. Not its scheme.'),
  scheme: z.enum(['http', 'https', 'HTTP', 'HTTPS']).optional(),
  path: z.string().default('/probe'),
});

export const probe = {
  spec: z.object({
    prober: prober.describe('The server that probes, such as a blackbox exporter.'),
    module: z.string().optional().describe('How it probes.'),
    targets: z
      .object({ staticConfig: staticConfig.optional(), ingress: ingress.optional() })
      .check(k.atLeastOneOf('staticConfig', 'ingress'))
      .describe('Targets. Beside staticConfig, ingress does not count.'),
    jobName: z.string().min(1).optional().describe('The label job. Default: probe/<namespace>/<name>.'),
    interval: span().optional().describe('Default: that of the Prometheus.'),
    scrapeTimeout: span().optional().describe('Not longer than the interval.'),
    ...access,
    tlsConfig: safeTlsConfig.optional(),
    metricRelabelings: relabelings.optional(),
    ...limits,
  }),
};

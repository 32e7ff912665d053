import { type DeepReadonly, k } from 'keelson';
import { z } from 'zod';

/** As Prometheus writes spans: `30s`, `1h30m`. */
export const span = () =>
  z
    .string()
    .max(32)
    .regex(/^(0|(([0-9]+)y)?(([0-9]+)w)?(([0-9]+)d)?(([0-9]+)h)?(([0-9]+)m)?(([0-9]+)s)?(([0-9]+)ms)?)$/);

export const secretKey = k.builtin('SecretKeySelector');

const secretOrConfigMap = z.object({ secret: secretKey.optional(), configMap: k.builtin('ConfigMapKeySelector').optional() });

const safeTls = {
  ca: secretOrConfigMap.optional().describe('The authority that the target’s certificate is checked against.'),
  cert: secretOrConfigMap.optional().describe('The client certificate that is shown to the target.'),
  keySecret: secretKey.optional().describe('The key of the client certificate.'),
  serverName: z.string().optional(),
  insecureSkipVerify: z.boolean().optional(),
};
/** TLS whose files come from Secrets and ConfigMaps. */
export const safeTlsConfig = z.object(safeTls);
/** TLS whose files may also be named by their paths in Prometheus’ own container. */
export const tlsConfig = z.object({
  ...safeTls,
  caFile: z.string().optional(),
  certFile: z.string().optional(),
  keyFile: z.string().optional(),
});

export const basicAuth = z.object({ username: secretKey, password: secretKey });

export const authorization = z.object({
  type: z.string().default('Bearer').describe('Not `Basic`, which basicAuth is for.'),
  credentials: secretKey.optional(),
});

const LABEL = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

/** One step that changes labels. The operator checks what a schema cannot: a monitor with a bad step is left out, not refused. */
export const relabeling = z.object({
  action: z
    .string()
    .default('replace')
    .describe('replace, keep, drop, hashmod, labelmap, labeldrop, labelkeep, lowercase, uppercase, keepequal or dropequal.'),
  sourceLabels: z.array(z.string().regex(LABEL)).max(64).optional(),
  separator: z.string().optional(),
  targetLabel: z.string().optional(),
  regex: z.string().max(4096).optional(),
  modulus: k.int64().min(0).optional(),
  replacement: z.string().optional(),
});

/** Steps that change labels: of targets before they are scraped, or of samples before they are stored. */
export const relabelings = z.array(relabeling).max(64);

/** Credentials of the client. */
export const access = { basicAuth: basicAuth.optional(), authorization: authorization.optional() };

export const namespaceSelector = z.object({ any: z.boolean().optional(), matchNames: z.array(z.string()).optional() });

/** How one port is scraped: the same for Services and for Pods. */
const scraping = {
  path: z.string().optional().describe('Default: /metrics.'),
  scheme: z.enum(['http', 'https']).optional(),
  params: z.record(z.string(), z.array(z.string())).optional(),
  interval: span().optional().describe('Default: that of the Prometheus.'),
  scrapeTimeout: span().optional().describe('Not longer than the interval.'),
  honorLabels: z.boolean().optional().describe('Labels of the target win over those that Prometheus adds.'),
  honorTimestamps: z.boolean().optional(),
  followRedirects: z.boolean().optional(),
  enableHttp2: z.boolean().optional(),
  ...access,
  relabelings: relabelings.optional().describe('Change the labels of targets before they are scraped.'),
  metricRelabelings: relabelings.optional().describe('Change the labels of samples before they are stored.'),
};

const portName = z.string().optional().describe('Name of a port.');

export const serviceEndpoint = z.object({
  ...scraping,
  port: portName,
  targetPort: k.intOrString().optional().describe('Name or number of a port of the Pod; not beside port.'),
  tlsConfig: tlsConfig.optional(),
  bearerTokenFile: z.string().optional().describe('Path in Prometheus’ own container.'),
});

export const podEndpoint = z.object({
  ...scraping,
  port: portName,
  portNumber: k.port().optional().describe('Number of a port; not beside port.'),
  filterRunning: z.boolean().optional().describe('Leaves out Pods that have ended. Default: true.'),
  tlsConfig: safeTlsConfig.optional(),
});

/** Limits of one scrape; 0 and missing mean none. */
export const limits = {
  sampleLimit: k.int64().min(0).optional(),
  targetLimit: k.int64().min(0).optional(),
  labelLimit: k.int64().min(0).optional(),
  labelNameLengthLimit: k.int64().min(0).optional(),
  labelValueLengthLimit: k.int64().min(0).optional(),
};

export type TlsConfig = DeepReadonly<z.output<typeof tlsConfig>>;
export type BasicAuth = DeepReadonly<z.output<typeof basicAuth>>;
export type Authorization = DeepReadonly<z.output<typeof authorization>>;
export type Relabeling = DeepReadonly<z.output<typeof relabeling>>;
export type ServiceEndpoint = DeepReadonly<z.output<typeof serviceEndpoint>>;
export type PodEndpoint = DeepReadonly<z.output<typeof podEndpoint>>;
export type LimitName = keyof typeof limits;

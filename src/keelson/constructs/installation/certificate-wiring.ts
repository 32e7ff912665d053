import { DNS_1123_SUBDOMAIN } from '@keelson/kubernetes/apimachinery';
import type { Construct } from 'constructs';
import {
  type InstallationNames,
  type OperatorModel,
  RUNTIME_CONTRACT,
  type RuntimeSettings,
  selfManagedCertificate,
} from '../../definition/index.js';
import { ConstructError, isName } from '../object/index.js';
import { base64Pem } from './ca-bundle.js';
import type { WebhookPlace } from './webhook-place.js';

/** A cert-manager issuer that exists already. */
export interface IssuerReference {
  readonly name: string;
  /** @default 'Issuer' */
  readonly kind?: 'Issuer' | 'ClusterIssuer' | undefined;
  /**
   * API group, for external issuers.
   * @default 'cert-manager.io'
   */
  readonly group?: string | undefined;
}

export interface CertManagerSource {
  readonly certManager: {
    /**
     * The issuer. It must write `ca.crt` into the Secret (CA, self-signed and Vault issuers do, ACME does not): that is the CA that is injected.
     * @default - a CA of the operator's own: a self-signed Issuer, a CA Certificate, and an Issuer that signs with it
     */
    readonly issuer?: IssuerReference | undefined;
    /**
     * Life of the serving certificate, as a Go duration.
     * @default '2160h' - 90 days
     */
    readonly duration?: string | undefined;
    /**
     * How long before its end it is renewed, as a Go duration.
     * @default '720h' - a third of the life
     */
    readonly renewBefore?: string | undefined;
  };
}

export interface SecretSource {
  readonly secret: {
    /** Name of the `kubernetes.io/tls` Secret in the operator's namespace. A ServiceMonitor of secure metrics reads the CA from its key `ca.crt`. */
    readonly name: string;
    /** The CA that signed it, as PEM or as base64 of PEM. */
    readonly caBundle: string;
  };
}

/** Where the certificate of the webhook server comes from. */
export type CertificateSource = 'selfManaged' | CertManagerSource | SecretSource;

/** Facts about the certificate that the other parts need. */
export interface CertificateWiring {
  readonly source: CertificateSource;
  readonly secretName: string;
  /** Names that the API server and Prometheus call the operator by; IP addresses among them where the webhooks' URL has one. */
  readonly dnsNames: readonly string[];
  /** `<namespace>/<name>` of the Certificate whose CA cert-manager injects. */
  readonly caInjection: string | undefined;
  /** Base64 of a PEM bundle, for `clientConfig`. */
  readonly caBundle: string | undefined;
  readonly settings: NonNullable<RuntimeSettings['certificates']>;
}

interface Installation {
  readonly namespace: string;
  readonly model: OperatorModel;
  readonly names: InstallationNames;
  readonly hasWebhookServer: boolean;
  readonly metrics: { readonly secure: boolean } | undefined;
  readonly webhookUrl: WebhookPlace | undefined;
}

export const CERT_MANAGER_INJECTION = 'cert-manager.io/inject-ca-from';

export function certificateWiring(scope: Construct, installation: Installation, source: CertificateSource): CertificateWiring {
  checkSource(scope, source);
  const { names, namespace, webhookUrl } = installation;
  // Another certificate is shown to the API server then, and ours is not what it must trust.
  const isShown = webhookUrl?.caBundle === undefined;
  const webhookNames = webhookUrl === undefined ? serviceDnsNames(names.webhookService, namespace) : [webhookUrl.host];
  const dnsNames = [
    ...(installation.hasWebhookServer ? webhookNames : []),
    ...(installation.metrics?.secure === true ? serviceDnsNames(names.metricsService, namespace) : []),
  ];
  const mounted = { mode: 'mounted', directory: RUNTIME_CONTRACT.certificateDirectory } as const;
  if (source === 'selfManaged') {
    const settings = selfManagedCertificate(installation.model, names, { dnsNames, isShown });
    return { source, secretName: names.certificate, dnsNames, caInjection: undefined, caBundle: webhookUrl?.caBundle, settings };
  }
  if ('certManager' in source) {
    const caInjection = isShown ? `${namespace}/${names.certificate}` : undefined;
    return { source, secretName: names.certificate, dnsNames, caInjection, caBundle: webhookUrl?.caBundle, settings: mounted };
  }
  const caBundle = webhookUrl?.caBundle ?? base64Pem(scope, source.secret.caBundle, 'certificates.secret.caBundle');
  return { source, secretName: source.secret.name, dnsNames, caInjection: undefined, caBundle, settings: mounted };
}

/** The API server calls `<service>.<namespace>.svc`; the longer name serves clients that resolve by search path. */
function serviceDnsNames(service: string, namespace: string): string[] {
  return [`${service}.${namespace}.svc`, `${service}.${namespace}.svc.cluster.local`];
}

/** The types say most of it; what untyped code passes would end as a TypeError. */
function checkSource(scope: Construct, source: CertificateSource): void {
  if (source === 'selfManaged') return;
  if (typeof source !== 'object' || source === null || Number('certManager' in source) + Number('secret' in source) !== 1) {
    throw new ConstructError(
      scope,
      `certificates is ${JSON.stringify(source)}; write 'selfManaged', { certManager: {} } or { secret: { name, caBundle } }`,
    );
  }
  if ('secret' in source) {
    if (isName(DNS_1123_SUBDOMAIN, source.secret.name)) return;
    throw new ConstructError(scope, `certificates.secret.name: '${source.secret.name}' must be ${DNS_1123_SUBDOMAIN.says}`);
  }
  checkDurations(scope, source.certManager);
}

const DEFAULT_DURATION = '2160h';
const DEFAULT_RENEW_BEFORE = '720h';

/** How long the serving certificate lives, and how long before its end it is renewed; as Go durations. */
export function certificateDurations({ duration, renewBefore }: CertManagerSource['certManager']): {
  readonly duration: string;
  readonly renewBefore: string;
} {
  return { duration: duration ?? DEFAULT_DURATION, renewBefore: renewBefore ?? DEFAULT_RENEW_BEFORE };
}

/** Seconds before the end of the certificate at which cert-manager renews it; `undefined` if another source does. */
export function renewBeforeSeconds({ source }: CertificateWiring): number | undefined {
  return source === 'selfManaged' || !('certManager' in source)
    ? undefined
    : goSeconds(certificateDurations(source.certManager).renewBefore);
}

/** cert-manager's own bounds. Its webhook would refuse the Certificate, but only where it runs already. */
function checkDurations(scope: Construct, options: CertManagerSource['certManager']): void {
  const spans = certificateDurations(options);
  const [life, rest] = (['duration', 'renewBefore'] as const).map((option) => {
    const seconds = goSeconds(spans[option]);
    if (seconds !== undefined) return seconds;
    throw new ConstructError(
      scope,
      `certificates.certManager.${option}: '${spans[option]}' is not a Go duration; write hours, such as 2160h`,
    );
  }) as [number, number];
  if (life < 3600)
    throw new ConstructError(scope, `certificates.certManager.duration is ${spans.duration}; cert-manager issues for 1h or more`);
  if (rest < 300 || rest >= life) {
    throw new ConstructError(
      scope,
      `certificates.certManager.renewBefore is ${spans.renewBefore}; write 5m or more, and less than the duration (${spans.duration})`,
    );
  }
}

const SECONDS: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1, ms: 1e-3, us: 1e-6, µs: 1e-6, ns: 1e-9 };

function goSeconds(duration: string): number | undefined {
  if (!/^(\d+(\.\d+)?(h|ms|m|s|us|µs|ns))+$/.test(duration)) return undefined;
  const parts = duration.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s|us|µs|ns)/g);
  return [...parts].reduce((sum, [, amount, unit = '']) => sum + Number(amount) * (SECONDS[unit] ?? 0), 0);
}

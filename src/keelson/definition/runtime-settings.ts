import { DNS_1123_LABEL, isIPText, OperatorError, obeys } from '@keelson/kubernetes/apimachinery';
import { type InstanceSelector, selectorProblem } from './instances/index.js';

/**
 * The contract between the manifests and the process, each value once.
 *
 * Flow: the constructs write a {@link RuntimeSettings} into the pod as environment variables ({@link runtimeEnvironment}); the runtime reads it
 * back ({@link runtimeSettingsOf}). Ports, paths and directories that both sides need stand in {@link RUNTIME_CONTRACT}.
 * Guarantees: `runtimeSettingsOf(runtimeEnvironment(settings))` equals `settings`; an environment without any of our variables (a process on a
 * laptop) yields the defaults: all namespaces, no leader election, no webhooks' certificate.
 * Errors: a variable that cannot be read is a {@link RuntimeSettingsError} that names it.
 */

export const RUNTIME_CONTRACT = {
  /** Ports of the pod. They are above 1024: an unprivileged user may open them. */
  ports: { metrics: 8080, secureMetrics: 8443, health: 8081, webhook: 9443 },
  /** Names of the container ports; probes, Services and monitors refer to the port by name. */
  portNames: { metrics: 'metrics', health: 'health', webhook: 'webhook' },
  /** Ports of the Services. Admission calls go to 443 unless the configuration names another port. */
  servicePorts: { metrics: 8080, secureMetrics: 8443, webhook: 443 },
  paths: {
    startup: '/startupz',
    liveness: '/healthz',
    readiness: '/readyz',
    metrics: '/metrics',
    journal: '/journal',
    conversion: '/convert',
  },
  /** Where the certificate's Secret is mounted when the process does not issue the certificate itself. */
  certificateDirectory: '/var/run/keelson/certificates',
  /** Keys of the certificate's Secret (type `kubernetes.io/tls`, with the CA beside it, as cert-manager writes it). */
  certificateFiles: { certificate: 'tls.crt', key: 'tls.key', authority: 'ca.crt' },
  /** Where the authority of the webhooks' clients is mounted, and its file. */
  clientAuthority: { directory: '/var/run/keelson/client-authority', file: 'ca.crt' },
  temporaryDirectory: '/tmp',
  /**
   * Seconds that the process takes at most to drain after SIGTERM, and how much longer the kubelet waits: a process that is killed while it
   * drains keeps its Lease until it expires.
   */
  shutdown: { drainSeconds: 25, marginSeconds: 5 },
  /**
   * Share of the container's memory limit that V8's old space may take. The rest is for what is beside it: 55 to 70 MiB of code, buffers of reviews, the young
   * generation. With a larger share, reviews that are made to cost much memory fill the container before they fill the heap.
   */
  heapShareOfMemoryLimit: 0.7,
  env: {
    podName: 'POD_NAME',
    podNamespace: 'POD_NAMESPACE',
    instance: 'KEELSON_INSTANCE',
    watchNamespaces: 'KEELSON_WATCH_NAMESPACES',
    selector: 'KEELSON_SELECTOR',
    fieldSelector: 'KEELSON_FIELD_SELECTOR',
    leaseName: 'KEELSON_LEASE_NAME',
    logLevel: 'KEELSON_LOG_LEVEL',
    drainSeconds: 'KEELSON_DRAIN_SECONDS',
    listenAddress: 'KEELSON_LISTEN_ADDRESS',
    healthPort: 'KEELSON_HEALTH_PORT',
    metricsPort: 'KEELSON_METRICS_PORT',
    metricsSecure: 'KEELSON_METRICS_SECURE',
    profiles: 'KEELSON_PROFILES',
    journal: 'KEELSON_JOURNAL',
    paused: 'KEELSON_PAUSED',
    webhookPort: 'KEELSON_WEBHOOK_PORT',
    webhookClientAuthorityFile: 'KEELSON_WEBHOOK_CLIENT_AUTHORITY_FILE',
    certificates: 'KEELSON_CERTIFICATES',
    certificateSecret: 'KEELSON_CERTIFICATE_SECRET',
    certificateDirectory: 'KEELSON_CERTIFICATE_DIRECTORY',
    certificateDnsNames: 'KEELSON_CERTIFICATE_DNS_NAMES',
    mutatingConfiguration: 'KEELSON_MUTATING_CONFIGURATION',
    validatingConfiguration: 'KEELSON_VALIDATING_CONFIGURATION',
    conversionCrds: 'KEELSON_CONVERSION_CRDS',
    storedVersions: 'KEELSON_STORED_VERSIONS',
  },
} as const;

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * The process issues and rotates the certificate, keeps it in a Secret and writes the CA into the configurations named here.
 */
export interface SelfManagedCertificateSettings {
  readonly mode: 'selfManaged';
  readonly secretName: string;
  /** Subject alternative names of the serving certificate: DNS names and IP addresses. */
  readonly dnsNames: readonly string[];
  readonly mutatingConfiguration?: string | undefined;
  readonly validatingConfiguration?: string | undefined;
  /** Names of the CRDs whose conversion clause needs the CA. */
  readonly conversionCrds: readonly string[];
}

/**
 * Another tool keeps the certificate fresh in a mounted Secret.
 */
export interface MountedCertificateSettings {
  readonly mode: 'mounted';
  readonly directory: string;
}

export interface RuntimeSettings {
  /** Name of this installation; objects that the process itself makes are named after it. */
  readonly instance?: string | undefined;
  /** Namespaces whose objects the controllers see; `undefined`: all. */
  readonly watchNamespaces?: readonly string[] | undefined;
  /** Labels of the objects that the controllers are for, for example `class=internal`; `undefined`: all. Another installation is for the others. */
  readonly selector?: string | undefined;
  /** Fields of the objects that the controllers are for, for example `spec.className=internal`; `undefined`: all. */
  readonly fieldSelector?: string | undefined;
  /** Name of the Lease in the process's own namespace; `undefined`: no leader election. */
  readonly leaseName?: string | undefined;
  readonly logLevel: LogLevel;
  readonly drainSeconds: number;
  /** IP address at which probes, metrics, webhooks and endpoints listen, for example `127.0.0.1`. @defaultValue all addresses, as a Pod needs it */
  readonly listenAddress?: string | undefined;
  readonly healthPort: number;
  /** `undefined`: no metrics server. `secure`: HTTPS, and the caller is authenticated and authorized by the API server. */
  readonly metrics?: { readonly port: number; readonly secure: boolean } | undefined;
  /** Heap snapshots and CPU profiles, for whom the API server lets read their paths; only with secure metrics. @defaultValue false */
  readonly profiles?: boolean | undefined;
  /** The last runs of each object are kept in memory, for whom the API server lets read `/journal` of secure metrics. @defaultValue false */
  readonly journal?: boolean | undefined;
  /** No object is reconciled; those that are deleted are finalized, and webhooks are answered. @defaultValue false */
  readonly paused?: boolean | undefined;
  readonly webhookPort: number;
  /**
   * File with certificates in PEM: webhooks and conversions are answered only to clients with a certificate that one of them has signed. The file is read again
   * every minute. @defaultValue none: API servers show no certificate unless they are configured to
   */
  readonly webhookClientAuthorityFile?: string | undefined;
  readonly certificates?: SelfManagedCertificateSettings | MountedCertificateSettings | undefined;
  /** Names of the CRDs whose stored objects the leader brings to the storage version. @defaultValue none */
  readonly storedVersions?: readonly string[] | undefined;
}

export const RUNTIME_DEFAULTS: RuntimeSettings = {
  logLevel: 'info',
  drainSeconds: RUNTIME_CONTRACT.shutdown.drainSeconds,
  healthPort: RUNTIME_CONTRACT.ports.health,
  metrics: { port: RUNTIME_CONTRACT.ports.metrics, secure: false },
  webhookPort: RUNTIME_CONTRACT.ports.webhook,
};

/**
 * An environment variable of the contract holds something that cannot be used.
 */
class RuntimeSettingsError extends OperatorError {
  readonly actor = 'admin';
  readonly code = 'KEELSON_RUNTIME_SETTINGS';
}

const ENV = RUNTIME_CONTRACT.env;

/**
 * The environment that carries the settings into the pod. Settings equal to their default are left out: manifests stay short.
 */
export function runtimeEnvironment(settings: RuntimeSettings): Record<string, string> {
  const { metrics } = settings;
  const pairs: (readonly [string, string | undefined])[] = [
    [ENV.instance, settings.instance],
    [ENV.watchNamespaces, settings.watchNamespaces?.join(',')],
    [ENV.selector, settings.selector],
    [ENV.fieldSelector, settings.fieldSelector],
    [ENV.leaseName, settings.leaseName],
    [ENV.logLevel, unlessDefault(settings.logLevel, RUNTIME_DEFAULTS.logLevel)],
    [ENV.drainSeconds, unlessDefault(settings.drainSeconds, RUNTIME_DEFAULTS.drainSeconds)],
    [ENV.listenAddress, settings.listenAddress],
    [ENV.healthPort, unlessDefault(settings.healthPort, RUNTIME_DEFAULTS.healthPort)],
    [ENV.metricsPort, metrics === undefined ? '0' : unlessDefault(metrics.port, RUNTIME_DEFAULTS.metrics?.port)],
    [ENV.metricsSecure, metrics?.secure === true ? 'true' : undefined],
    [ENV.profiles, settings.profiles === true ? 'true' : undefined],
    [ENV.journal, settings.journal === true ? 'true' : undefined],
    [ENV.paused, settings.paused === true ? 'true' : undefined],
    [ENV.webhookPort, unlessDefault(settings.webhookPort, RUNTIME_DEFAULTS.webhookPort)],
    [ENV.webhookClientAuthorityFile, settings.webhookClientAuthorityFile],
    [ENV.storedVersions, (settings.storedVersions ?? []).length === 0 ? undefined : settings.storedVersions?.join(',')],
    ...certificateEnvironment(settings.certificates),
  ];
  return Object.fromEntries(pairs.filter((pair): pair is readonly [string, string] => pair[1] !== undefined));
}

function certificateEnvironment(certificates: RuntimeSettings['certificates']): (readonly [string, string | undefined])[] {
  if (certificates === undefined) return [];
  if (certificates.mode === 'mounted') {
    return [
      [ENV.certificates, 'mounted'],
      [ENV.certificateDirectory, certificates.directory],
    ];
  }
  return [
    [ENV.certificates, 'selfManaged'],
    [ENV.certificateSecret, certificates.secretName],
    [ENV.certificateDnsNames, certificates.dnsNames.join(',')],
    [ENV.mutatingConfiguration, certificates.mutatingConfiguration],
    [ENV.validatingConfiguration, certificates.validatingConfiguration],
    [ENV.conversionCrds, certificates.conversionCrds.length === 0 ? undefined : certificates.conversionCrds.join(',')],
  ];
}

/**
 * Reads the settings out of an environment, the inverse of {@link runtimeEnvironment}.
 *
 * @throws RuntimeSettingsError naming the variable, what it holds and what it may hold.
 */
export function runtimeSettingsOf(environment: Readonly<Record<string, string | undefined>>): RuntimeSettings {
  const read = (name: string): string | undefined => (environment[name] === '' ? undefined : environment[name]);
  const metricsPort = integer(read, ENV.metricsPort, RUNTIME_CONTRACT.ports.metrics, 65_535);
  const level = read(ENV.logLevel) ?? RUNTIME_DEFAULTS.logLevel;
  if (!isLogLevel(level)) throw invalid(ENV.logLevel, level, `one of ${LOG_LEVELS.join(', ')}`);
  const watched = namespaces(read(ENV.watchNamespaces));
  const listenAddress = read(ENV.listenAddress);
  if (listenAddress !== undefined && !isIPText(listenAddress))
    throw invalid(ENV.listenAddress, listenAddress, 'an IP address, for example 127.0.0.1');
  return {
    ...present('instance', read(ENV.instance)),
    ...present('watchNamespaces', watched),
    ...selectors(read),
    ...present('leaseName', read(ENV.leaseName)),
    ...present('listenAddress', listenAddress),
    logLevel: level,
    drainSeconds: integer(read, ENV.drainSeconds, RUNTIME_DEFAULTS.drainSeconds, 86_400),
    healthPort: integer(read, ENV.healthPort, RUNTIME_DEFAULTS.healthPort, 65_535),
    ...(metricsPort === 0 ? {} : { metrics: { port: metricsPort, secure: boolean(read, ENV.metricsSecure) } }),
    ...(boolean(read, ENV.profiles) ? { profiles: true } : {}),
    ...(boolean(read, ENV.journal) ? { journal: true } : {}),
    ...(boolean(read, ENV.paused) ? { paused: true } : {}),
    webhookPort: integer(read, ENV.webhookPort, RUNTIME_DEFAULTS.webhookPort, 65_535),
    ...present('webhookClientAuthorityFile', read(ENV.webhookClientAuthorityFile)),
    ...present('storedVersions', read(ENV.storedVersions) === undefined ? undefined : list(read(ENV.storedVersions))),
    ...present('certificates', certificatesOf(read)),
  };
}

/** Variables with our prefix that are unknown: a misspelt one would change nothing, without a word. Those of Services with our prefix are left out. */
export function unknownVariables(environment: Readonly<Record<string, string | undefined>>): string[] {
  const known: ReadonlySet<string> = new Set(Object.values(ENV));
  return Object.entries(environment).flatMap(([name, value = '']) => {
    const isOfService = /_SERVICE_(HOST|PORT)|_PORT_\d+_/.test(name) || /^(tcp|udp|sctp):/.test(value);
    return name.startsWith('KEELSON_') && !known.has(name) && !isOfService ? [name] : [];
  });
}

function certificatesOf(read: (name: string) => string | undefined): RuntimeSettings['certificates'] {
  const mode = read(ENV.certificates);
  if (mode === undefined) return undefined;
  if (mode === 'mounted') return { mode, directory: read(ENV.certificateDirectory) ?? RUNTIME_CONTRACT.certificateDirectory };
  if (mode !== 'selfManaged') throw invalid(ENV.certificates, mode, 'selfManaged or mounted');
  const secretName = read(ENV.certificateSecret);
  if (secretName === undefined)
    throw invalid(ENV.certificateSecret, '', `the name of a Secret, because ${ENV.certificates} is selfManaged`);
  return {
    mode,
    secretName,
    dnsNames: list(read(ENV.certificateDnsNames)),
    ...present('mutatingConfiguration', read(ENV.mutatingConfiguration)),
    ...present('validatingConfiguration', read(ENV.validatingConfiguration)),
    conversionCrds: list(read(ENV.conversionCrds)),
  };
}

function unlessDefault(value: string | number, byDefault: string | number | undefined): string | undefined {
  return value === byDefault ? undefined : String(value);
}

function present<TKey extends string, TValue>(key: TKey, value: TValue | undefined): { [K in TKey]?: TValue } {
  return value === undefined ? {} : ({ [key]: value } as { [K in TKey]?: TValue });
}

function list(value: string | undefined): string[] {
  return (value ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** Nothing but commas would be all namespaces, but a user who writes something means some. */
function namespaces(text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined;
  const names = list(text);
  const wrong = names.length === 0 ? text : names.find((name) => !obeys(DNS_1123_LABEL, name));
  if (wrong !== undefined)
    throw invalid(ENV.watchNamespaces, wrong, `names of namespaces, with commas between them: ${DNS_1123_LABEL.says}`);
  return names;
}

/** Which fields the controllers' kinds have is checked where the controllers are known. */
function selectors(read: (name: string) => string | undefined): InstanceSelector {
  const found = { ...present('selector', read(ENV.selector)), ...present('fieldSelector', read(ENV.fieldSelector)) };
  const problem = selectorProblem(found, []);
  if (problem !== undefined)
    throw new RuntimeSettingsError(`environment variable ${ENV[problem.part]}: '${problem.found}' ${problem.message}`);
  return found;
}

function integer(read: (name: string) => string | undefined, name: string, byDefault: number, maximum: number): number {
  const text = read(name);
  if (text === undefined) return byDefault;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > maximum) throw invalid(name, text, `a whole number from 0 to ${maximum}`);
  return value;
}

function boolean(read: (name: string) => string | undefined, name: string): boolean {
  const text = read(name) ?? 'false';
  if (text !== 'true' && text !== 'false') throw invalid(name, text, 'true or false');
  return text === 'true';
}

function isLogLevel(value: string): value is LogLevel {
  return (LOG_LEVELS as readonly string[]).includes(value);
}

function invalid(name: string, found: string, wanted: string): RuntimeSettingsError {
  return new RuntimeSettingsError(`environment variable ${name}: '${found}' is not usable; set ${wanted}`);
}

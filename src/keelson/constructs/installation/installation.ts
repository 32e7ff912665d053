import { DNS_1123_LABEL, obeys } from '@keelson/kubernetes/apimachinery';
import { Chart } from 'cdk8s';
import type { Construct } from 'constructs';
import {
  type CustomResourceModel,
  convertedResources,
  hasWebhookServer,
  type InstallationNames,
  installationLabels,
  installationNames,
  installationSelector,
  instanceLabels,
  isSelective,
  type LabelSelectorModel,
  type LogLevel,
  type OperatorModel,
  RUNTIME_CONTRACT,
  RUNTIME_DEFAULTS,
  type RuntimeSettings,
  runtimeEnvironment,
  storedVersionNames,
} from '../../definition/index.js';
import { ConstructError } from '../object/index.js';
import { type CertificateWiring, certificateWiring } from './certificate-wiring.js';
import { checkPorts, checkSettings } from './installation-checks.js';
import type { ClientAuthoritySource, OperatorScope, OperatorSettings, ServiceAccountReference } from './operator-settings.js';
import { type WebhookPlace, webhookPlaceOf } from './webhook-place.js';

/**
 * One installation of an operator: its settings with every default filled in, and the names that follow from them. {@link installationOf} makes one,
 * `Operator` exposes its own as `installation`.
 */
export interface Installation {
  /** The operator, as `defineOperator` returned it. */
  readonly model: OperatorModel;
  readonly name: string;
  /** Namespace that the process runs in. */
  readonly namespace: string;
  /** Namespaces whose objects the controllers see. */
  readonly scope: OperatorScope;
  /** Labels of the objects that it is for; `undefined`: all. */
  readonly selectsLabels: string | undefined;
  /** Labels of the objects that webhooks with `ofInstance` are called for; `undefined`: all. */
  readonly webhookSelector: LabelSelectorModel | undefined;
  /** Fields of the objects that it is for; `undefined`: all. */
  readonly selectsFields: string | undefined;
  readonly names: InstallationNames;
  /** Labels of every object of the installation. */
  readonly labels: Readonly<Record<string, string>>;
  /** Selects the pods; never changes, because a Deployment's selector cannot. */
  readonly selector: Readonly<Record<string, string>>;
  /** Custom resources whose versions the process converts. */
  readonly conversions: readonly CustomResourceModel[];
  /** `true` if the API server calls the process: it has webhooks or conversions. */
  readonly hasWebhookServer: boolean;
  /** `undefined` without a metrics endpoint. */
  readonly metrics: { readonly secure: boolean; readonly port: number; readonly readers: readonly ServiceAccountReference[] } | undefined;
  readonly ports: { readonly health: number; readonly webhook: number };
  /** Servers of the operator's own. */
  readonly endpoints: readonly EndpointInstallation[];
  /** `undefined` if nothing is served over TLS. */
  readonly certificates: CertificateWiring | undefined;
  /** `undefined` if webhooks answer every client. */
  readonly webhookClientAuthority: ClientAuthoritySource | undefined;
  /** The URL that webhooks and conversions are called by; `undefined` with a Service. */
  readonly webhookUrl: WebhookPlace | undefined;
  /** `undefined` without leader election. */
  readonly leaseName: string | undefined;
  readonly logLevel: LogLevel;
  /** Names of the CRDs whose stored objects are brought to the storage version. */
  readonly storedVersions: readonly string[];
}

/** An endpoint with the name of its Service. */
export interface EndpointInstallation {
  readonly name: string;
  readonly port: number;
  readonly serviceName: string;
}

/** Props of a construct that belongs to an installation. */
export interface InstallationPart {
  /** The installation that the part belongs to: `installationOf(chart, settings)`, or `operator.installation` of an `Operator`. Parts that belong together share one. */
  readonly installation: Installation;
}

/** Longest suffix that a Service of the installation gets; a Service's name is one DNS label. */
function longestSuffix({ endpoints = [] }: OperatorModel): number {
  return Math.max('-webhook'.length, ...endpoints.map(({ name }) => name.length + 1));
}

/**
 * Checks the settings of an installation and fills in their defaults, once for all of its parts.
 *
 * @example
 * ```ts
 * const installation = installationOf(chart, { operator, namespace: 'memcached-system' });
 * new OperatorRbac(chart, 'rbac', { installation });
 * new OperatorDeployment(chart, 'deployment', { installation, image: 'registry.example.com/memcached-operator:1.0.0' });
 * ```
 *
 * @param scope construct that errors name; the namespace of its chart is the default
 * @throws ConstructError if a setting cannot be used
 */
export function installationOf(scope: Construct, settings: OperatorSettings): Installation {
  checkSettings(scope, settings);
  const { operator: model } = settings;
  const name = settings.name ?? model.name;
  const longest = 63 - longestSuffix(model);
  if (!obeys(DNS_1123_LABEL, name) || !/^[a-z]/.test(name) || name.length > longest) {
    throw new ConstructError(
      scope,
      `the operator's name '${name}' must be at most ${longest} lower case letters, digits and dashes, beginning with a letter: its Services are named after it`,
    );
  }
  const namespace = namespaceOf(scope, settings);
  const conversions = convertedResources(model);
  const isCalled = hasWebhookServer(model);
  const metrics = metricsOf(settings.metrics);
  const names = installationNames(name, model);
  const webhookUrl = webhookPlaceOf(scope, settings.webhooks);
  if (webhookUrl !== undefined && !isCalled)
    throw new ConstructError(scope, `webhooks.url is set, but operator ${model.name} has no webhooks and no conversions; leave it out`);
  const resolved = { model, name, namespace, names, conversions, hasWebhookServer: isCalled, metrics, webhookUrl };
  const installation: Installation = {
    ...resolved,
    scope: settings.scope ?? 'Cluster',
    selectsLabels: notEmpty(settings.selector),
    webhookSelector: settings.webhookSelector ?? instanceLabels(settings),
    selectsFields: notEmpty(settings.fieldSelector),
    labels: { ...installationLabels(name, model, 'cdk8s'), ...settings.labels },
    selector: installationSelector(name, model),
    ports: {
      health: settings.ports?.health ?? RUNTIME_CONTRACT.ports.health,
      webhook: settings.ports?.webhook ?? RUNTIME_CONTRACT.ports.webhook,
    },
    endpoints: (model.endpoints ?? []).map((endpoint) => ({
      name: endpoint.name,
      port: endpoint.port,
      serviceName: `${name}-${endpoint.name}`,
    })),
    certificates:
      isCalled || metrics?.secure === true ? certificateWiring(scope, resolved, settings.certificates ?? 'selfManaged') : undefined,
    webhookClientAuthority: isCalled ? settings.webhookClientAuthority : undefined,
    leaseName: leaseNameOf(settings.leaderElection ?? true, name),
    logLevel: settings.logLevel ?? RUNTIME_DEFAULTS.logLevel,
    storedVersions: storedVersionsOf(settings),
  };
  checkPorts(scope, installation);
  checkClientAuthority(scope, installation);
  return installation;
}

/**
 * The installation that a part is given.
 *
 * @throws ConstructError if untyped code passes none
 */
export function installationOfPart(scope: Construct, { installation }: InstallationPart): Installation {
  if (typeof installation?.name === 'string') return installation;
  throw new ConstructError(
    scope,
    'installation is missing; pass installationOf(chart, { operator, … }), or operator.installation of an Operator',
  );
}

/** Settings that the Deployment hands to the process. */
export function runtimeSettingsFor(resolved: Installation, drainSeconds: number): RuntimeSettings {
  return {
    instance: resolved.name,
    watchNamespaces: resolved.scope === 'Cluster' ? undefined : [...resolved.scope.namespaces].sort(),
    selector: resolved.selectsLabels,
    fieldSelector: resolved.selectsFields,
    leaseName: resolved.leaseName,
    logLevel: resolved.logLevel,
    drainSeconds,
    healthPort: resolved.ports.health,
    metrics: resolved.metrics === undefined ? undefined : { port: resolved.metrics.port, secure: resolved.metrics.secure },
    webhookPort: resolved.ports.webhook,
    webhookClientAuthorityFile:
      resolved.webhookClientAuthority === undefined
        ? undefined
        : `${RUNTIME_CONTRACT.clientAuthority.directory}/${RUNTIME_CONTRACT.clientAuthority.file}`,
    certificates: resolved.certificates?.settings,
    storedVersions: resolved.storedVersions,
  };
}

/**
 * The environment variables of the process, for one that no Deployment starts: outside the cluster, or under a manager of your own.
 *
 * @example
 * ```ts
 * const installation = installationOf(chart, { operator, namespace: 'memcached-dev', webhooks: { url: 'https://10.0.0.5:9443' } });
 * for (const [name, value] of Object.entries(environmentOf(installation))) console.log(`export ${name}='${value}'`);
 * ```
 */
export function environmentOf(installation: Installation): Readonly<Record<string, string>> {
  const settings = runtimeSettingsFor(installation, RUNTIME_CONTRACT.shutdown.drainSeconds);
  return { [RUNTIME_CONTRACT.env.podNamespace]: installation.namespace, ...runtimeEnvironment(settings) };
}

/** API servers can be given client certificates for admission webhooks, and not for conversion: its webhook would be asked in vain. */
function checkClientAuthority(scope: Construct, { webhookClientAuthority, conversions }: Installation): void {
  const [converted] = conversions;
  if (webhookClientAuthority === undefined || converted === undefined) return;
  throw new ConstructError(
    scope,
    `webhookClientAuthority: API servers show no certificate when they ask for a conversion, and ${converted.kind} has versions that are converted; leave it out, and let a NetworkPolicy guard the port`,
  );
}

/** Stored objects of all namespaces and classes are rewritten: an installation for some of them leaves that to another. */
function storedVersionsOf(settings: OperatorSettings): readonly string[] {
  const { operator, scope = 'Cluster', storedVersions = scope === 'Cluster' && !isSelective(settings) } = settings;
  return storedVersions ? storedVersionNames(operator) : [];
}

/** A chart has the empty text for what is not given. */
function notEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

function namespaceOf(scope: Construct, settings: OperatorSettings): string {
  const given = typeof settings.namespace === 'object' ? settings.namespace.name : settings.namespace;
  const namespace = given ?? Chart.of(scope).namespace;
  if (typeof namespace !== 'string' || !obeys(DNS_1123_LABEL, namespace)) {
    const found = namespace === undefined ? 'no namespace' : `the namespace '${String(namespace)}'`;
    throw new ConstructError(
      scope,
      `${found}: webhooks, bindings and certificates name the operator's namespace; set namespace here or on the chart to ${DNS_1123_LABEL.says}`,
    );
  }
  return namespace;
}

function metricsOf(metrics: OperatorSettings['metrics']): Installation['metrics'] {
  if (metrics === false) return undefined;
  const { secure = true, port, readers = [] } = metrics ?? {};
  return { secure, port: port ?? (secure ? RUNTIME_CONTRACT.ports.secureMetrics : RUNTIME_CONTRACT.ports.metrics), readers };
}

function leaseNameOf(election: boolean | { readonly leaseName: string }, name: string): string | undefined {
  if (typeof election === 'object') return election.leaseName;
  return election ? name : undefined;
}

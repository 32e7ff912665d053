import { Chart } from 'cdk8s';
import type { Construct } from 'constructs';
import {
  type CustomResourceModel,
  type LogLevel,
  type OperatorModel,
  RUNTIME_CONTRACT,
  RUNTIME_DEFAULTS,
  type RuntimeSettings,
} from '../definition/index.js';
import { DNS_1123_LABEL, obeys } from '../kubernetes/index.js';
import { type CertificateWiring, certificateWiring } from './certificate-wiring.js';
import { ConstructError } from './construct-error.js';
import { checkPorts, checkSettings } from './installation-checks.js';
import type { OperatorScope, OperatorSettings, ServiceAccountReference } from './operator-settings.js';

/** The settings with every default filled in, and the names that follow from them. */
export interface ResolvedOperator {
  readonly model: OperatorModel;
  readonly name: string;
  readonly namespace: string;
  readonly scope: OperatorScope;
  readonly names: OperatorNames;
  readonly labels: Readonly<Record<string, string>>;
  /** Selects the pods; never changes, because a Deployment's selector cannot. */
  readonly selector: Readonly<Record<string, string>>;
  readonly conversions: readonly CustomResourceModel[];
  readonly hasWebhookServer: boolean;
  readonly metrics: { readonly secure: boolean; readonly port: number; readonly readers: readonly ServiceAccountReference[] } | undefined;
  readonly ports: { readonly health: number; readonly webhook: number };
  /** Absent when nothing is served over TLS. */
  readonly certificates: CertificateWiring | undefined;
  readonly leaseName: string | undefined;
  readonly logLevel: LogLevel;
}

export interface OperatorNames {
  readonly runtimeRole: string;
  readonly metricsReader: string;
  readonly webhookService: string;
  readonly metricsService: string;
  readonly certificate: string;
  readonly mutatingConfiguration: string | undefined;
  readonly validatingConfiguration: string | undefined;
}

/** Longest suffix that a Service of the installation gets; a Service's name is one DNS label. */
const LONGEST_SUFFIX = '-webhook'.length;

/** @throws ConstructError when the name or the namespace cannot be used */
export function resolveOperator(scope: Construct, settings: OperatorSettings): ResolvedOperator {
  checkSettings(scope, settings);
  const { operator: model } = settings;
  const name = settings.name ?? model.name;
  if (!obeys(DNS_1123_LABEL, name) || !/^[a-z]/.test(name) || name.length > 63 - LONGEST_SUFFIX) {
    throw new ConstructError(
      scope,
      `the operator's name '${name}' must be at most ${63 - LONGEST_SUFFIX} lower case letters, digits and dashes, beginning with a letter: its Services are named after it`,
    );
  }
  const namespace = namespaceOf(scope, settings);
  const conversions = model.customResources.filter((resource) => resource.conversions !== undefined);
  const hasWebhookServer = model.webhooks.length > 0 || conversions.length > 0;
  const metrics = metricsOf(settings.metrics);
  const names = namesOf(name, model);
  const resolved = { model, name, namespace, names, conversions, hasWebhookServer, metrics };
  const installation: ResolvedOperator = {
    ...resolved,
    scope: settings.scope ?? 'Cluster',
    labels: labelsOf(name, settings),
    selector: { 'app.kubernetes.io/instance': name, 'app.kubernetes.io/name': model.name },
    ports: {
      health: settings.ports?.health ?? RUNTIME_CONTRACT.ports.health,
      webhook: settings.ports?.webhook ?? RUNTIME_CONTRACT.ports.webhook,
    },
    certificates:
      hasWebhookServer || metrics?.secure === true ? certificateWiring(scope, resolved, settings.certificates ?? 'selfManaged') : undefined,
    leaseName: leaseNameOf(settings.leaderElection ?? true, name),
    logLevel: settings.logLevel ?? RUNTIME_DEFAULTS.logLevel,
  };
  checkPorts(scope, installation);
  return installation;
}

/** What the process is told about itself. */
export function runtimeSettingsFor(resolved: ResolvedOperator, drainSeconds: number): RuntimeSettings {
  return {
    instance: resolved.name,
    watchNamespaces: resolved.scope === 'Cluster' ? undefined : [...resolved.scope.namespaces].sort(),
    leaseName: resolved.leaseName,
    logLevel: resolved.logLevel,
    drainSeconds,
    healthPort: resolved.ports.health,
    metrics: resolved.metrics === undefined ? undefined : { port: resolved.metrics.port, secure: resolved.metrics.secure },
    webhookPort: resolved.ports.webhook,
    certificates: resolved.certificates?.settings,
  };
}

function namesOf(name: string, model: OperatorModel): OperatorNames {
  const has = (type: 'mutating' | 'validating'): boolean => model.webhooks.some((webhook) => webhook.type === type);
  return {
    runtimeRole: `${name}-runtime`,
    metricsReader: `${name}-metrics-reader`,
    webhookService: `${name}-webhook`,
    metricsService: `${name}-metrics`,
    certificate: `${name}-certificate`,
    mutatingConfiguration: has('mutating') ? name : undefined,
    validatingConfiguration: has('validating') ? name : undefined,
  };
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

function metricsOf(metrics: OperatorSettings['metrics']): ResolvedOperator['metrics'] {
  if (metrics === false) return undefined;
  const { secure = true, port, readers = [] } = metrics ?? {};
  return { secure, port: port ?? (secure ? RUNTIME_CONTRACT.ports.secureMetrics : RUNTIME_CONTRACT.ports.metrics), readers };
}

function leaseNameOf(election: boolean | { readonly leaseName: string }, name: string): string | undefined {
  if (typeof election === 'object') return election.leaseName;
  return election ? name : undefined;
}

function labelsOf(name: string, { operator, labels }: OperatorSettings): Record<string, string> {
  return {
    'app.kubernetes.io/component': 'operator',
    'app.kubernetes.io/instance': name,
    'app.kubernetes.io/managed-by': 'cdk8s',
    'app.kubernetes.io/name': operator.name,
    ...labels,
  };
}

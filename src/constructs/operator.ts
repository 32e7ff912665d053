import type { ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import { AggregatedRoles } from './aggregated-roles.js';
import { addWarning } from './construct-warnings.js';
import { CustomResourceDefinition } from './custom-resource-definition.js';
import { GrafanaDashboard, type GrafanaDashboardProps } from './grafana-dashboard.js';
import { OperatorDeployment } from './operator-deployment.js';
import { OperatorPodDisruptionBudget, type OperatorPodDisruptionBudgetProps } from './operator-disruption-budget.js';
import { OperatorNamespace, type OperatorNamespaceProps } from './operator-namespace.js';
import { OperatorNetworkPolicy, type OperatorNetworkPolicyProps } from './operator-network-policy.js';
import type { OperatorPodProps } from './operator-pod-props.js';
import { OperatorRbac, type OperatorRbacProps } from './operator-rbac.js';
import type { OperatorServiceAccount } from './operator-service-account.js';
import { OperatorServiceMonitor, type OperatorServiceMonitorProps } from './operator-service-monitor.js';
import { MetricsService, WebhookService } from './operator-services.js';
import type { NamedReference, OperatorSettings } from './operator-settings.js';
import { type ResolvedOperator, resolveOperator } from './resolved-operator.js';
import { ValidatingPolicies } from './validating-policies.js';
import { WebhookCertificates } from './webhook-certificates.js';
import { WebhookConfigurations, type WebhookConfigurationsProps } from './webhook-configurations.js';

/** What a part takes beside the settings of the installation. */
type OptionsOf<TProps extends OperatorSettings> = Omit<TProps, keyof OperatorSettings>;

export interface OperatorCrdOptions {
  /**
   * Where the CRDs are put, for example a chart of their own: their life is longer than the operator's (H50).
   * @default - this construct
   */
  readonly scope?: Construct | undefined;
  /**
   * `drop` leaves descriptions out of the schemas.
   * @default 'keep'
   */
  readonly descriptions?: 'keep' | 'drop' | undefined;
  /** @default - none */
  readonly metadata?: Pick<ApiObjectMetadata, 'labels' | 'annotations'> | undefined;
}

export interface OperatorProps
  extends OperatorPodProps,
    Pick<OperatorRbacProps, 'extraRules'>,
    Pick<WebhookConfigurationsProps, 'exemptNamespaces'> {
  /**
   * Whether the Namespace is created here.
   * @default false - it usually belongs to the platform
   */
  readonly createNamespace?: boolean | OptionsOf<OperatorNamespaceProps> | undefined;
  /**
   * The CRDs of the operator's custom resources; `false` leaves them to somebody else.
   * @default true
   */
  readonly crds?: boolean | OperatorCrdOptions | undefined;
  /**
   * ClusterRoles that extend admin, edit and view to the custom resources.
   * @default true
   */
  readonly aggregateRoles?: boolean | undefined;
  /** @default false */
  readonly networkPolicy?: boolean | OptionsOf<OperatorNetworkPolicyProps> | undefined;
  /** @default - when there is more than one replica */
  readonly podDisruptionBudget?: boolean | OptionsOf<OperatorPodDisruptionBudgetProps> | undefined;
  /**
   * Needs the Prometheus operator's CRDs in the cluster.
   * @default false
   */
  readonly serviceMonitor?: boolean | OptionsOf<OperatorServiceMonitorProps> | undefined;
  /** @default false */
  readonly grafanaDashboard?: boolean | OptionsOf<GrafanaDashboardProps> | undefined;
}

/**
 * Everything that an operator needs in a cluster, in the order in which it can be applied: Namespace, CRDs, ServiceAccount and roles, policies,
 * Services, certificates, Deployment, webhook configurations. Samples that are created after it come last.
 *
 * Each part is a construct of its own and a property here: `ApiObject.of(operator.deployment).addJsonPatch(…)` changes what no option reaches.
 * `ApiObject.of(operator)` is the Deployment.
 */
export class Operator extends Construct implements NamedReference {
  readonly name: string;
  readonly namespace: string;
  readonly namespaceResource: OperatorNamespace | undefined;
  /** By name (`<plural>.<group>`); empty with `crds: false`. */
  readonly crds: ReadonlyMap<string, CustomResourceDefinition>;
  readonly rbac: OperatorRbac;
  /** Who the process is at the API server; bind more roles to it. */
  readonly serviceAccount: OperatorServiceAccount;
  /** By name of the CRD; empty with `aggregateRoles: false`. */
  readonly aggregatedRoles: ReadonlyMap<string, AggregatedRoles>;
  readonly policies: ValidatingPolicies | undefined;
  readonly webhookService: WebhookService | undefined;
  readonly metricsService: MetricsService | undefined;
  readonly certificates: WebhookCertificates | undefined;
  readonly networkPolicy: OperatorNetworkPolicy | undefined;
  readonly deployment: OperatorDeployment;
  readonly podDisruptionBudget: OperatorPodDisruptionBudget | undefined;
  readonly serviceMonitor: OperatorServiceMonitor | undefined;
  readonly grafanaDashboard: GrafanaDashboard | undefined;
  readonly webhooks: WebhookConfigurations | undefined;
  readonly #resolved: ResolvedOperator;

  constructor(scope: Construct, id: string, props: OperatorProps) {
    super(scope, id);
    const settings = settingsOf(props);
    const resolved = resolveOperator(this, settings);
    this.#resolved = resolved;
    this.name = resolved.name;
    this.namespace = resolved.namespace;
    this.namespaceResource = optional(
      props.createNamespace,
      (options) => new OperatorNamespace(this, 'namespace', { ...settings, ...options }),
    );
    this.crds = props.crds === false ? new Map() : this.#crds(typeof props.crds === 'object' ? props.crds : {});
    this.rbac = new OperatorRbac(this, 'rbac', { ...settings, serviceAccount: props.serviceAccount, extraRules: props.extraRules });
    this.serviceAccount = this.rbac.serviceAccount;
    this.aggregatedRoles = (props.aggregateRoles ?? true) ? this.#aggregatedRoles() : new Map();
    this.policies =
      resolved.model.policies.length === 0
        ? undefined
        : new ValidatingPolicies(this, 'policies', { operator: resolved.model, labels: resolved.labels });
    this.webhookService = resolved.hasWebhookServer ? new WebhookService(this, 'webhook-service', settings) : undefined;
    this.metricsService = resolved.metrics === undefined ? undefined : new MetricsService(this, 'metrics-service', settings);
    this.certificates = resolved.certificates === undefined ? undefined : new WebhookCertificates(this, 'certificates', settings);
    this.networkPolicy = optional(
      props.networkPolicy,
      (options) => new OperatorNetworkPolicy(this, 'network-policy', { ...settings, ...options }),
    );
    this.deployment = new OperatorDeployment(this, 'deployment', { ...props, serviceAccount: this.serviceAccount });
    this.node.defaultChild = this.deployment;
    if (this.namespaceResource?.podSecurity === 'restricted') this.#warnOfPodSecurity();
    this.podDisruptionBudget = optional(
      props.podDisruptionBudget ?? this.deployment.replicas > 1,
      (options) => new OperatorPodDisruptionBudget(this, 'pod-disruption-budget', { ...settings, ...options }),
    );
    this.serviceMonitor = optional(
      props.serviceMonitor,
      (options) => new OperatorServiceMonitor(this, 'service-monitor', { ...settings, ...options }),
    );
    this.grafanaDashboard = optional(
      props.grafanaDashboard,
      (options) => new GrafanaDashboard(this, 'grafana-dashboard', { ...settings, ...options }),
    );
    this.webhooks =
      resolved.model.webhooks.length === 0
        ? undefined
        : new WebhookConfigurations(this, 'webhooks', { ...settings, exemptNamespaces: props.exemptNamespaces });
  }

  #warnOfPodSecurity(): void {
    for (const problem of this.deployment.restrictedProblems) {
      addWarning(
        this.deployment,
        `${problem}, or the namespace, which enforces Pod Security 'restricted', lets no pod in; mend it, or lower the level: ` +
          "createNamespace: { podSecurity: 'baseline' }",
      );
    }
  }

  #crds(options: OperatorCrdOptions): ReadonlyMap<string, CustomResourceDefinition> {
    const { certificates, names, namespace, labels } = this.#resolved;
    const scope = options.scope ?? this;
    const entries = this.#resolved.model.customResources.map((definition) => {
      const conversion = { serviceName: names.webhookService, serviceNamespace: namespace, caBundle: certificates?.caBundle };
      const crd = new CustomResourceDefinition(scope, `${definition.plural}.${definition.group}`, {
        definition,
        descriptions: options.descriptions,
        metadata: { ...options.metadata, labels: { ...labels, ...options.metadata?.labels } },
        ...(definition.conversions === undefined ? {} : { conversionWebhook: conversion, caInjection: certificates?.caInjection }),
      });
      return [crd.name, crd] as const;
    });
    return new Map(entries);
  }

  #aggregatedRoles(): ReadonlyMap<string, AggregatedRoles> {
    const { model, labels } = this.#resolved;
    const scope = new Construct(this, 'aggregated-roles');
    return new Map(
      model.customResources.map((definition) => {
        const name = `${definition.plural}.${definition.group}`;
        return [name, new AggregatedRoles(scope, name, { definition, labels })] as const;
      }),
    );
  }
}

/** `true` and an object switch a part on. */
function optional<TOptions extends object, TPart>(
  choice: boolean | TOptions | undefined,
  create: (options: TOptions | Record<string, never>) => TPart,
): TPart | undefined {
  if (choice === undefined || choice === false) return undefined;
  return create(choice === true ? {} : choice);
}

/** The settings that all parts share, without what belongs to single parts. */
function settingsOf(props: OperatorProps): OperatorSettings {
  const { operator, name, namespace, scope, leaderElection, certificates, metrics, ports, logLevel, labels } = props;
  return { operator, name, namespace, scope, leaderElection, certificates, metrics, ports, logLevel, labels };
}

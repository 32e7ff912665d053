import { type ApiObjectMetadata, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import type { OpenApiDocument } from '../../definition/index.js';
import { OperatorRbac, type OperatorRbacProps, type OperatorServiceAccount } from '../access/index.js';
import { AggregatedRoles, CustomResourceDefinition, UserRoles } from '../custom-resource/index.js';
import {
  OperatorDeployment,
  OperatorPodDisruptionBudget,
  type OperatorPodDisruptionBudgetProps,
  type OperatorPodProps,
} from '../deployment/index.js';
import {
  conversionTargetOf,
  type Installation,
  type InstallationPart,
  installationOf,
  type NamedReference,
  type OperatorSettings,
} from '../installation/index.js';
import {
  Alerts,
  type AlertsProps,
  GrafanaDashboard,
  type GrafanaDashboardProps,
  OperatorServiceMonitor,
  type OperatorServiceMonitorProps,
} from '../monitoring/index.js';
import {
  EndpointService,
  MetricsService,
  OperatorNetworkPolicy,
  type OperatorNetworkPolicyProps,
  WebhookService,
} from '../network/index.js';
import { addWarning, joinCharts, setCluster } from '../object/index.js';
import {
  MutatingPolicies,
  type MutatingPoliciesProps,
  ValidatingPolicies,
  WebhookCertificates,
  WebhookConfigurations,
  type WebhookConfigurationsProps,
} from '../webhooks/index.js';
import { OperatorNamespace, type OperatorNamespaceProps } from './operator-namespace.js';

/** Props of a part beside its installation. */
type OptionsOf<TProps extends InstallationPart> = Omit<TProps, keyof InstallationPart>;

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
  /**
   * OpenAPI documents of an API server, parsed, that the descriptions of built-in types are taken from.
   * @default - none
   */
  readonly builtinDescriptions?: readonly OpenApiDocument[] | undefined;
  /** @default - none */
  readonly metadata?: Pick<ApiObjectMetadata, 'labels' | 'annotations'> | undefined;
}

export interface OperatorProps
  extends OperatorSettings,
    OperatorPodProps,
    Pick<OperatorRbacProps, 'extraRules'>,
    Pick<MutatingPoliciesProps, 'kubernetes'>,
    Pick<WebhookConfigurationsProps, 'exemptNamespaces'> {
  /**
   * The cluster that the charts of this operator are applied to, see {@link setCluster}. Charts of one cluster may not write the same object twice.
   * @default - this chart and that of `crds.scope` are checked together, and apart from other charts of the app
   */
  readonly cluster?: string | undefined;
  /**
   * Whether the Namespace is created here.
   * @default false - it usually belongs to the platform
   */
  readonly createNamespace?: boolean | OptionsOf<OperatorNamespaceProps> | undefined;
  /**
   * The CRDs of the operator's custom resources; `false` leaves them to another installation.
   * @default true
   */
  readonly crds?: boolean | OperatorCrdOptions | undefined;
  /**
   * ClusterRoles that extend admin, edit and view to the custom resources.
   * @default true
   */
  readonly aggregateRoles?: boolean | undefined;
  /**
   * Roles on the custom resources for you to bind, see {@link UserRoles}. `true`: ClusterRoles, and with `scope: { namespaces }` Roles in these namespaces.
   * @default false
   */
  readonly userRoles?: boolean | { readonly namespaces: readonly string[] } | undefined;
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
  /**
   * Alerts about the operator. Needs the Prometheus operator's CRDs in the cluster.
   * @default - none
   */
  readonly alerts?: OptionsOf<AlertsProps> | undefined;
}

/**
 * Everything that an operator needs in a cluster, in the order in which it can be applied: Namespace, CRDs, ServiceAccount and roles, policies,
 * Services, certificates, Deployment, webhook configurations. Samples that are created after it come last.
 *
 * Each part is a construct of its own and a property here: `ApiObject.of(operator.deployment).addJsonPatch(…)` changes what no option reaches.
 * `ApiObject.of(operator)` is the Deployment.
 *
 * @example
 * ```ts
 * const app = new App();
 * const chart = new Chart(app, 'memcached-operator', { namespace: 'memcached-system' });
 * new Operator(chart, 'operator', { operator, image: 'registry.example.com/memcached-operator:1.0.0', replicas: 2 });
 * app.synth();
 * ```
 */
export class Operator extends Construct implements NamedReference {
  readonly name: string;
  readonly namespace: string;
  readonly namespaceResource: OperatorNamespace | undefined;
  /** By name (`<plural>.<group>`); empty with `crds: false`. */
  readonly crds: ReadonlyMap<string, CustomResourceDefinition>;
  readonly rbac: OperatorRbac;
  /** The identity of the process at the API server; bind more roles to it. */
  readonly serviceAccount: OperatorServiceAccount;
  /** By name of the CRD; empty with `aggregateRoles: false`. */
  readonly aggregatedRoles: ReadonlyMap<string, AggregatedRoles>;
  /** By name of the CRD; empty without `userRoles`. */
  readonly userRoles: ReadonlyMap<string, UserRoles>;
  readonly policies: ValidatingPolicies | undefined;
  readonly mutatingPolicies: MutatingPolicies | undefined;
  readonly webhookService: WebhookService | undefined;
  readonly metricsService: MetricsService | undefined;
  /** By name of the endpoint; empty without endpoints. */
  readonly endpointServices: ReadonlyMap<string, EndpointService>;
  readonly certificates: WebhookCertificates | undefined;
  readonly networkPolicy: OperatorNetworkPolicy | undefined;
  readonly deployment: OperatorDeployment;
  readonly podDisruptionBudget: OperatorPodDisruptionBudget | undefined;
  readonly serviceMonitor: OperatorServiceMonitor | undefined;
  readonly grafanaDashboard: GrafanaDashboard | undefined;
  readonly alerts: Alerts | undefined;
  readonly webhooks: WebhookConfigurations | undefined;
  /** The settings with every default filled in; parts of your own that belong to the operator take it too. */
  readonly installation: Installation;

  constructor(scope: Construct, id: string, props: OperatorProps) {
    super(scope, id);
    const { storedVersions = props.crds === false ? false : undefined } = props;
    const installation = installationOf(this, { ...props, storedVersions });
    this.#assignCluster(props);
    const { model, metrics, certificates, hasWebhookServer } = installation;
    const shared = { installation };
    this.installation = installation;
    this.name = installation.name;
    this.namespace = installation.namespace;
    // In the order in which the objects can be applied.
    this.namespaceResource = this.#part('namespace', OperatorNamespace, props.createNamespace);
    this.crds = props.crds === false ? new Map() : this.#crds(typeof props.crds === 'object' ? props.crds : {});
    this.rbac = new OperatorRbac(this, 'rbac', { installation, serviceAccount: props.serviceAccount, extraRules: props.extraRules });
    this.serviceAccount = this.rbac.serviceAccount;
    this.aggregatedRoles = (props.aggregateRoles ?? true) ? this.#aggregatedRoles() : new Map();
    this.userRoles = this.#userRoles(props.userRoles ?? false);
    const { labels } = installation;
    this.policies = model.policies.length === 0 ? undefined : new ValidatingPolicies(this, 'policies', { operator: model, labels });
    this.mutatingPolicies =
      model.mutatingPolicies === undefined
        ? undefined
        : new MutatingPolicies(this, 'mutating-policies', { operator: model, labels, kubernetes: props.kubernetes });
    this.webhookService =
      hasWebhookServer && installation.webhookUrl === undefined ? new WebhookService(this, 'webhook-service', shared) : undefined;
    this.metricsService = metrics === undefined ? undefined : new MetricsService(this, 'metrics-service', shared);
    this.endpointServices = new Map(
      installation.endpoints.map(({ name }) => [name, new EndpointService(this, `endpoint-${name}`, { installation, endpoint: name })]),
    );
    this.certificates = certificates === undefined ? undefined : new WebhookCertificates(this, 'certificates', shared);
    this.networkPolicy = this.#part('network-policy', OperatorNetworkPolicy, props.networkPolicy);
    this.deployment = new OperatorDeployment(this, 'deployment', { ...props, installation, serviceAccount: this.serviceAccount });
    this.node.defaultChild = this.deployment;
    if (this.namespaceResource?.podSecurity === 'restricted') this.#warnOfPodSecurity();
    const budget = props.podDisruptionBudget ?? this.deployment.replicas > 1;
    this.podDisruptionBudget = this.#part('pod-disruption-budget', OperatorPodDisruptionBudget, budget);
    this.serviceMonitor = this.#part('service-monitor', OperatorServiceMonitor, props.serviceMonitor);
    this.grafanaDashboard = this.#part('grafana-dashboard', GrafanaDashboard, props.grafanaDashboard);
    this.alerts = props.alerts === undefined ? undefined : new Alerts(this, 'alerts', { ...props.alerts, installation });
    const { exemptNamespaces } = props;
    this.webhooks =
      model.webhooks.length === 0 ? undefined : new WebhookConfigurations(this, 'webhooks', { installation, exemptNamespaces });
  }

  /** A part that a boolean or its options switch on. */
  #part<TOptions extends object, TPart>(
    id: string,
    Part: PartClass<TOptions, TPart>,
    choice: boolean | TOptions | undefined,
  ): TPart | undefined {
    if (choice === undefined || choice === false) return undefined;
    return new Part(this, id, { ...(choice === true ? ({} as TOptions) : choice), installation: this.installation });
  }

  #assignCluster({ cluster, crds }: OperatorProps): void {
    const chart = Chart.of(this);
    const crdChart = typeof crds === 'object' && crds.scope !== undefined ? Chart.of(crds.scope) : chart;
    if (crdChart !== chart) joinCharts(chart, crdChart);
    if (cluster !== undefined) for (const each of [chart, crdChart]) setCluster(each, cluster);
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
    const { certificates, labels } = this.installation;
    const scope = options.scope ?? this;
    const entries = this.installation.model.customResources.map((definition) => {
      const crd = new CustomResourceDefinition(scope, `${definition.plural}.${definition.group}`, {
        definition,
        descriptions: options.descriptions,
        builtinDescriptions: options.builtinDescriptions,
        metadata: { ...options.metadata, labels: { ...labels, ...options.metadata?.labels } },
        ...(definition.conversions === undefined
          ? {}
          : { conversionWebhook: conversionTargetOf(this.installation), caInjection: certificates?.caInjection }),
      });
      return [crd.name, crd] as const;
    });
    return new Map(entries);
  }

  #userRoles(choice: boolean | { readonly namespaces: readonly string[] }): ReadonlyMap<string, UserRoles> {
    if (choice === false) return new Map();
    const { model, labels, scope: watched } = this.installation;
    const scope = new Construct(this, 'user-roles');
    const namespaces = choice === true ? (watched === 'Cluster' ? undefined : [...watched.namespaces].sort()) : choice.namespaces;
    return new Map(
      model.customResources.map((definition) => {
        const name = `${definition.plural}.${definition.group}`;
        const places = namespaces === undefined || definition.scope === 'Cluster' ? {} : { namespaces };
        return [name, new UserRoles(scope, name, { definition, labels, ...places })] as const;
      }),
    );
  }

  #aggregatedRoles(): ReadonlyMap<string, AggregatedRoles> {
    const { model, labels } = this.installation;
    const scope = new Construct(this, 'aggregated-roles');
    return new Map(
      model.customResources.map((definition) => {
        const name = `${definition.plural}.${definition.group}`;
        return [name, new AggregatedRoles(scope, name, { definition, labels })] as const;
      }),
    );
  }
}

/** A part whose options all have defaults. */
type PartClass<TOptions extends object, TPart> = new (scope: Construct, id: string, props: TOptions & InstallationPart) => TPart;

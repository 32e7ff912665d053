/**
 * `keelson/constructs`: definitions as cdk8s constructs. {@link Operator} writes everything that an operator needs in a cluster; each of its parts can be
 * used alone.
 */
export { OperatorRbac, type OperatorRbacProps, OperatorServiceAccount, type OperatorServiceAccountProps } from './access/index.js';
export {
  type AggregatedRole,
  AggregatedRoles,
  type AggregatedRolesProps,
  CustomResource,
  CustomResourceDefinition,
  type CustomResourceDefinitionProps,
  type CustomResourceProps,
  type DefinitionOf,
  UserRoles,
  type UserRolesProps,
} from './custom-resource/index.js';
export {
  type EnvironmentValue,
  OperatorDeployment,
  type OperatorDeploymentProps,
  OperatorPodDisruptionBudget,
  type OperatorPodDisruptionBudgetProps,
  type OperatorPodProps,
  type OperatorProbes,
} from './deployment/index.js';
export {
  type CertificateSource,
  type CertificateWiring,
  type CertManagerSource,
  type ClientAuthoritySource,
  conversionTargetOf,
  type EndpointInstallation,
  environmentOf,
  type Installation,
  type InstallationNames,
  type InstallationPart,
  type IssuerReference,
  installationOf,
  type MetricsSettings,
  type NamedReference,
  type OperatorScope,
  type OperatorSettings,
  type SecretSource,
  type ServiceAccountReference,
  type WebhookPlace,
  type WebhookReach,
} from './installation/index.js';
export {
  type ComposedObject,
  type ComposedOptions,
  composed,
  escapeHelmTemplate,
  findResource,
  helmEscapeResolver,
} from './manifests/index.js';
export {
  Alerts,
  type AlertsProps,
  GrafanaDashboard,
  type GrafanaDashboardProps,
  OperatorServiceMonitor,
  type OperatorServiceMonitorProps,
} from './monitoring/index.js';
export {
  EndpointService,
  type EndpointServiceProps,
  MetricsService,
  OperatorNetworkPolicy,
  type OperatorNetworkPolicyProps,
  type OperatorServiceProps,
  WebhookService,
} from './network/index.js';
export {
  ConstructError,
  type ConstructWarning,
  ManifestObject,
  type ManifestObjectProps,
  SHOWN_WARNINGS_CONTEXT,
  setCluster,
  WARNING_METADATA,
  warningsOf,
} from './object/index.js';
export { Operator, type OperatorCrdOptions, OperatorNamespace, type OperatorNamespaceProps, type OperatorProps } from './operator/index.js';
export {
  type KubernetesMinor,
  MutatingPolicies,
  type MutatingPoliciesProps,
  ValidatingPolicies,
  type ValidatingPoliciesProps,
  WebhookCertificates,
  type WebhookCertificatesProps,
  WebhookConfigurations,
  type WebhookConfigurationsProps,
} from './webhooks/index.js';

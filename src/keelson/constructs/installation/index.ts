/** One installation of an operator, resolved once from its settings and shared by all of its parts. Way in: {@link installationOf}. */

export type { InstallationNames } from '../../definition/index.js';
export {
  CERT_MANAGER_INJECTION,
  type CertificateSource,
  type CertificateWiring,
  type CertManagerSource,
  certificateDurations,
  type IssuerReference,
  renewBeforeSeconds,
  type SecretSource,
} from './certificate-wiring.js';
export {
  type EndpointInstallation,
  environmentOf,
  type Installation,
  type InstallationPart,
  installationOf,
  installationOfPart,
  runtimeSettingsFor,
} from './installation.js';
export { installedManifest } from './installed-manifest.js';
export type {
  ClientAuthoritySource,
  MetricsSettings,
  NamedReference,
  OperatorScope,
  OperatorSettings,
  ServiceAccountReference,
} from './operator-settings.js';
export { partMetadata } from './part-metadata.js';
export { conversionTargetOf, webhookClientOf } from './webhook-client.js';
export type { WebhookPlace, WebhookReach } from './webhook-place.js';

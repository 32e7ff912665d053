/**
 * The objects of an installation as plain data: ServiceAccount, roles, policies, Services and webhook configurations, with their names. The constructs write
 * these objects, and a TestCluster creates them.
 */
export { selfManagedCertificate, selfManagedPermissions } from './certificates.js';
export type { InstalledObject } from './installed-object.js';
export {
  convertedResources,
  hasWebhookServer,
  type InstallationNames,
  installationLabels,
  installationNames,
  installationSelector,
  storedVersionNames,
} from './names.js';
export { serviceAccountObject, serviceObject, webhookServiceObject } from './objects.js';
export { type InstalledPolicy, mutatingPolicies, validatingPolicies } from './policies.js';
export { type GrantedRole, type InstalledRoles, installedRoles, type RolesOptions, roleObjects } from './roles.js';
export { alwaysExempt, neededToStart } from './starting-kinds.js';
export { exemptNamespaces, foreignKinds, type WebhookConfigurationOptions, webhookConfiguration } from './webhook-configurations.js';

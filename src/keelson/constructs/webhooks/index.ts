/** Admission: webhook configurations, the certificate that webhooks are served with, policies in CEL. Way in: {@link WebhookConfigurations}. */
export { type KubernetesMinor, MutatingPolicies, type MutatingPoliciesProps } from './mutating-policies.js';
export { ValidatingPolicies, type ValidatingPoliciesProps } from './validating-policies.js';
export { WebhookCertificates, type WebhookCertificatesProps } from './webhook-certificates.js';
export { WebhookConfigurations, type WebhookConfigurationsProps } from './webhook-configurations.js';

import type { KubernetesObject } from '@keelson/kubernetes/apimachinery';
import {
  type CustomResourceModel,
  customResourceDefinitionManifest,
  hasWebhookServer,
  type InstalledObject,
  installationLabels,
  installationSelector,
  installedRoles,
  mutatingPolicies,
  type OperatorModel,
  permissionsOf,
  RUNTIME_CONTRACT,
  roleObjects,
  selfManagedCertificate,
  selfManagedPermissions,
  serviceAccountObject,
  validatingPolicies,
  webhookConfiguration,
  webhookServiceObject,
} from 'keelson/internal/definition';
import type { OperatorNames } from '../installed-operator.js';
import { clientConfig, type WebhookTarget } from './operator-webhooks.js';

/** The objects that the operator's manifests install, except those that run it (Deployment, disruption budget, network policy, metrics Service). */
export function operatorObjects(
  operator: OperatorModel,
  names: OperatorNames,
  target: WebhookTarget | undefined,
): readonly KubernetesObject[] {
  const { name, namespace } = names;
  const labels = installationLabels(name, operator, 'keelson');
  const service = { name: names.webhookService, namespace, labels };
  const policies = [...validatingPolicies(operator), ...mutatingPolicies(operator, 'v1')];
  const objects = [
    serviceAccountObject({ name, namespace, labels }),
    ...roleObjects(rolesOf(operator, names, labels)),
    ...(target === undefined || !hasWebhookServer(operator) ? [] : [webhookServiceObject(service, installationSelector(name, operator))]),
    ...policies.flatMap(({ policy, binding }) => [policy, binding]),
    ...(target === undefined ? [] : webhookConfigurations(operator, names, target)),
  ];
  return objects as readonly object[] as readonly KubernetesObject[];
}

/** The roles of an installation without options. */
function rolesOf(
  operator: OperatorModel,
  names: OperatorNames,
  labels: Readonly<Record<string, string>>,
): ReturnType<typeof installedRoles> {
  const { name, namespace } = names;
  const permissions = permissionsOf(operator, {
    scope: 'Cluster',
    leaderElection: { leaseName: name },
    // Metrics are served over TLS, so that every operator has a certificate.
    certificates: selfManagedPermissions(selfManagedCertificate(operator, names, { dnsNames: [] })),
    secureMetrics: true,
    // The process of a test does not migrate stored objects: it needs no rights for it.
    storedVersions: [],
  });
  return installedRoles({ name, namespace, names, labels, serviceAccount: name, permissions, metricsReaders: [] });
}

function webhookConfigurations(operator: OperatorModel, names: OperatorNames, target: WebhookTarget): readonly InstalledObject[] {
  const configured = { mutating: names.mutatingConfiguration, validating: names.validatingConfiguration };
  return (['mutating', 'validating'] as const).flatMap((type) => {
    const name = configured[type];
    if (name === undefined) return [];
    const call = (path: string): object => clientConfig(target, names, path);
    return [webhookConfiguration(type, name, { model: operator, namespace: names.namespace, scope: 'Cluster', clientConfig: call })];
  });
}

/** The definition; its objects are converted by the webhook, or (without one) as they are. */
export function definitionOf(
  resource: CustomResourceModel,
  webhook: { readonly names: OperatorNames; readonly target: WebhookTarget } | undefined,
): KubernetesObject {
  if (webhook === undefined || resource.conversions === undefined)
    return customResourceDefinitionManifest(resource, { conversionWebhook: false }) as unknown as KubernetesObject;
  const { serviceName, serviceNamespace } = { serviceName: webhook.names.webhookService, serviceNamespace: webhook.names.namespace };
  const manifest = customResourceDefinitionManifest(resource, {
    conversionWebhook: { serviceName, serviceNamespace },
  }) as unknown as KubernetesObject & {
    readonly spec: { readonly conversion: { readonly webhook: object } };
  };
  const conversion = manifest.spec.conversion;
  const called = { ...conversion.webhook, clientConfig: clientConfig(webhook.target, webhook.names, RUNTIME_CONTRACT.paths.conversion) };
  return { ...manifest, spec: { ...manifest.spec, conversion: { ...conversion, webhook: called } } } as KubernetesObject;
}

import {
  type CustomResourceModel,
  customResourceDefinitionManifest,
  type OperatorModel,
  RUNTIME_CONTRACT,
} from '../../../definition/index.js';
import type { KubernetesObject } from '../../../kubernetes/index.js';
import { hasWebhookServer, type OperatorNames, operatorLabels } from '../operator-names.js';
import { operatorRoles } from './operator-roles.js';
import { clientConfig, mutatingPolicies, validatingPolicies, type WebhookTarget, webhookConfigurations } from './operator-webhooks.js';

/** The objects that the operator's manifests install, except those that run it (Deployment, disruption budget, network policy, metrics Service). */
export function operatorObjects(
  operator: OperatorModel,
  names: OperatorNames,
  target: WebhookTarget | undefined,
): readonly KubernetesObject[] {
  const { name, namespace } = names;
  const labels = operatorLabels(operator);
  const account = {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name, namespace, labels },
    automountServiceAccountToken: true,
  };
  return [
    account,
    ...operatorRoles(operator, names),
    ...(target === undefined || !hasWebhookServer(operator) ? [] : [webhookService(operator, names)]),
    ...validatingPolicies(operator),
    ...mutatingPolicies(operator),
    ...(target === undefined ? [] : webhookConfigurations(operator, names, target)),
  ];
}

function webhookService(operator: OperatorModel, { webhookService: name, namespace }: OperatorNames): KubernetesObject {
  const { servicePorts, portNames } = RUNTIME_CONTRACT;
  const port = { name: 'https', port: servicePorts.webhook, protocol: 'TCP', targetPort: portNames.webhook };
  const selector = { 'app.kubernetes.io/instance': operator.name, 'app.kubernetes.io/name': operator.name };
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace, labels: operatorLabels(operator) },
    spec: { ports: [port], selector },
  } as KubernetesObject;
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

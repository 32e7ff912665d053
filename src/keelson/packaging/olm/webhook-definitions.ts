import type { Json } from '@keelson/kubernetes/apimachinery';
import { RUNTIME_CONTRACT } from '../../definition/index.js';
import { PackageError } from '../errors.js';
import { fieldsAt, listAt, textAt } from './bundle-contents.js';
import { type InstalledObjects, PROBE } from './installed-objects.js';

/** Fields that a webhook of a ClusterServiceVersion has as the configuration has them. */
const SAME = [
  'rules',
  'failurePolicy',
  'matchPolicy',
  'objectSelector',
  'sideEffects',
  'timeoutSeconds',
  'admissionReviewVersions',
  'reinvocationPolicy',
] as const;

/**
 * `spec.webhookdefinitions`: OLM makes the configurations, the Service and the certificate from it.
 *
 * @throws PackageError for a webhook that is narrower than OLM can say: it would be called more often
 */
export function webhookDefinitions({ webhooks, crds, deployments }: InstalledObjects): readonly object[] {
  const deploymentName = textAt(deployments[0], 'metadata', 'name');
  const common = { deploymentName, containerPort: RUNTIME_CONTRACT.servicePorts.webhook, targetPort: RUNTIME_CONTRACT.ports.webhook };
  const admission = webhooks.map(({ type, webhook }) => {
    checkNarrowing(webhook);
    const fields = fieldsAt(webhook);
    const path = textAt(webhook, 'clientConfig', 'service', 'path');
    return {
      type: `${type}AdmissionWebhook`,
      generateName: textAt(webhook, 'name'),
      ...common,
      ...(path === '' ? {} : { webhookPath: path }),
      ...Object.fromEntries(SAME.flatMap((field) => (fields[field] === undefined ? [] : [[field, fields[field]] as const]))),
    };
  });
  const converted = crds.filter((crd) => textAt(crd, 'spec', 'conversion', 'strategy') === 'Webhook');
  if (converted.length === 0) return admission;
  const conversion = {
    type: 'ConversionWebhook',
    generateName: `conversion.${textAt(converted[0], 'spec', 'group')}`,
    ...common,
    webhookPath: textAt(converted[0], 'spec', 'conversion', 'webhook', 'clientConfig', 'service', 'path'),
    conversionCRDs: converted.map((crd) => textAt(crd, 'metadata', 'name')),
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  };
  return [...admission, conversion];
}

function checkNarrowing(webhook: Json): void {
  const name = textAt(webhook, 'name');
  if (listAt(webhook, 'matchConditions').length > 0)
    throw new PackageError(`olmBundle: webhook ${name} has match conditions, which OLM cannot carry; judge in the handler instead`);
  const selector = fieldsAt(webhook, 'namespaceSelector');
  if (Object.keys(selector).length > 0 && !isWatchedNamespaces(selector))
    throw new PackageError(
      `olmBundle: webhook ${name} has a namespace selector, which OLM replaces with that of the OperatorGroup; leave it out, or judge in the handler`,
    );
}

/** The namespaces that the operator watches: OLM says the same with a selector of its own. */
function isWatchedNamespaces(selector: object): boolean {
  const [only, second] = listAt(selector, 'matchExpressions');
  return second === undefined && Array.isArray(only?.['values']) && only['values'].every((value) => value === PROBE);
}

import { type ConversionWebhookTarget, RUNTIME_CONTRACT } from '../../definition/index.js';
import type { Installation } from './installation.js';

/** `clientConfig` of a webhook that the process serves at a path. */
export function webhookClientOf({ webhookUrl, names, namespace, certificates }: Installation, path: string): object {
  const port = RUNTIME_CONTRACT.servicePorts.webhook;
  const place =
    webhookUrl === undefined ? { service: { name: names.webhookService, namespace, path, port } } : { url: `${webhookUrl.url}${path}` };
  return { ...place, caBundle: certificates?.caBundle };
}

/**
 * Where the CRDs of the installation are converted, for a `CustomResourceDefinition` that is used alone.
 *
 * @example
 * ```ts
 * const installation = installationOf(chart, { operator, namespace: 'memcached-dev' });
 * new CustomResourceDefinition(chart, 'crd', { definition: Memcached.customResource, conversionWebhook: conversionTargetOf(installation) });
 * ```
 */
export function conversionTargetOf({ webhookUrl, names, namespace, certificates }: Installation): ConversionWebhookTarget {
  const caBundle = certificates?.caBundle;
  return webhookUrl === undefined
    ? { serviceName: names.webhookService, serviceNamespace: namespace, caBundle }
    : { url: webhookUrl.url, caBundle };
}

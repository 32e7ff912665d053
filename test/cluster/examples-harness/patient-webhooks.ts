import { mergePatch, type TestCluster } from '@keelson/testing';
import { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from 'keelson/kinds';

/**
 * Gives each webhook of a cluster as long as the API server allows. An operator in the process of a test answers in milliseconds, but while that process waits for
 * a CPU for five seconds, the default, nobody answers.
 */
export async function letWebhooksTakeTheirTime<T extends Pick<TestCluster, 'list' | 'patch'>>(cluster: T): Promise<T> {
  for (const kind of [MutatingWebhookConfiguration, ValidatingWebhookConfiguration] as const)
    for (const { metadata, webhooks = [] } of await cluster.list(kind)) {
      const patient = webhooks.map((webhook) => ({ ...webhook, timeoutSeconds: 30 }));
      await cluster.patch(kind, metadata.name, mergePatch({ webhooks: patient }));
    }
  return cluster;
}

import { validating } from 'keelson';
import { pathsOf, servesWebhooks } from '../../../src/runtime/host/webhook-serving.js';
import { Metrics } from '../../../src/runtime/telemetry/index.js';
import { Cache } from '../admission/kinds.js';

const webhook = validating(Cache, () => []);

test.each([
  ['webhooks and conversions', { webhooks: [webhook], customResources: [Cache.customResource] }, [webhook.path, '/convert']],
  ['conversions alone', { webhooks: [], customResources: [Cache.customResource] }, ['/convert']],
  ['nothing', { webhooks: [], customResources: [{ ...Cache.customResource, conversions: undefined }] }, []],
] as const)('metrics tell apart where an operator with %s is called', async (_, parts, paths) => {
  const operator = parts as unknown as Parameters<typeof pathsOf>[0];
  expect([pathsOf(operator), servesWebhooks(operator)]).toEqual([paths, paths.length > 0]);
  const metrics = await Metrics.create({ processMetrics: false });
  const observer = metrics.webhookObserver(pathsOf(operator));
  for (const path of paths) {
    observer.started(path);
    observer.finished(path, 200, 0.1);
  }
  const { body } = await metrics.text();
  for (const path of paths) expect(body).toContain(`controller_runtime_webhook_requests_total{webhook="${path}",code="200"} 1`);
  expect(body).not.toContain('webhook="other"');
});

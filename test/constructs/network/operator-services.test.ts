import { Chart, Testing } from 'cdk8s';
import { installationOf, MetricsService, WebhookService } from 'keelson/constructs';
import { plainOperator } from '../models';

test('a Service without pods that would answer is refused', () => {
  const chart = new Chart(Testing.app(), 'chart', { namespace: 'system' });
  const installation = installationOf(chart, { operator: plainOperator, metrics: false });
  expect(() => new WebhookService(chart, 'webhooks', { installation })).toThrow(/no webhooks and no conversions/);
  expect(() => new MetricsService(chart, 'metrics', { installation })).toThrow(/metrics is false/);
});

import { type App, Chart } from 'cdk8s';
import { CustomResource, Operator } from 'keelson/constructs';
import { CronJob } from './cron-job.js';
import { operator } from './cronjob-operator.js';

/** The operator with all that it needs. */
export function operatorChart(app: App): Chart {
  const chart = new Chart(app, 'cronjob-operator', { namespace: 'cronjob-system' });
  const image = 'registry.example.com/cronjob-operator:0.1.0';
  new Operator(chart, 'operator', { operator, image, createNamespace: true, replicas: 2 });
  return chart;
}

/** A file of its own: the API server takes a CronJob only when it serves the kind and the webhooks answer. */
export function samplesChart(app: App): Chart {
  const chart = new Chart(app, 'cronjob-samples', { namespace: 'default' });
  const containers = [{ name: 'hello', image: 'busybox:1.37', command: ['echo', 'hello'] }];
  new CustomResource(chart, 'sample', {
    definition: CronJob,
    metadata: { name: 'hello' },
    spec: {
      schedule: { minute: '*/5' },
      concurrencyPolicy: 'Forbid',
      startingDeadlineSeconds: 60,
      jobTemplate: { spec: { backoffLimit: 2, template: { spec: { containers } } } },
    },
  });
  return chart;
}

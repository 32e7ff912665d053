import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Namespace, ServiceAccount } from 'keelson/kinds/core/v1';
import { CronJob } from '../../examples/cronjob/cron-job.js';
import { Workplace } from '../cli/keelson-process.js';
import { keptPort } from '../kept-port.js';
import { describeCluster } from './harness/index.js';
import { startOnPool } from './harness/pool-test-cluster.js';
import { retryRefused } from './harness/retry-refused.js';

const ROOT = join(__dirname, '../..');
const OPERATOR = [join(ROOT, 'examples/cronjob/cronjob-operator.ts'), '--run', join(ROOT, 'examples/cronjob/operator.ts')];

const jobTemplate = { spec: { template: { spec: { containers: [{ name: 'a', image: 'busybox:1.37' }] } } } };
const cronJob = (name: string, minute: string) => ({
  metadata: { name, namespace: 'default' },
  spec: { schedule: { minute }, jobTemplate },
});

/** A session of `keelson dev` against a kube-apiserver, which runs the operator with and without a way back to it. */
describeCluster('keelson dev --context', () => {
  test('serves webhooks and conversions by URL under the rights of the account, and takes back what it made', async () => {
    const workplace = new Workplace();
    await using cluster = await startOnPool({});
    try {
      writeFileSync(join(workplace.directory, 'kubeconfig'), await cluster.kubeconfig());
      const port = await keptPort();
      const dev = (...args: readonly string[]) =>
        workplace.start(['dev', ...OPERATOR, '--context', 'keelson', '--kubeconfig', 'kubeconfig', '--yes', ...args]);

      const first = dev('--webhook-url', `https://127.0.0.1:${port}`);
      await first.shows(/cronjob-operator is ready after/);
      // The operator has just changed what its webhooks are trusted by and what the definition converts by: the server takes it up a moment later.
      const fresh = { codes: [500, 503] };
      await expect(retryRefused(() => cluster.create(CronJob, cronJob('wrong', '61')), fresh)).rejects.toThrow('spec.schedule');
      const created = await retryRefused(() => cluster.create(CronJob, cronJob('right', '*/5')), fresh);
      // Filled in by the webhook.
      expect(created).toMatchObject({ spec: { jobTemplate: { spec: { template: { spec: { restartPolicy: 'OnFailure' } } } } } });
      expect(await retryRefused(() => cluster.get(CronJob.versions.v1, { name: 'right', namespace: 'default' }), fresh)).toMatchObject({
        spec: { schedule: '*/5 * * * *' },
      });
      await first.shows(/CronJob default\/right {2}\w+=/);
      expect([await first.interrupt(), first.text]).toEqual([0, expect.anything()]);

      const place = { name: 'cronjob-operator', namespace: 'cronjob-operator-system' };
      await expect(cluster.get(ServiceAccount, place)).rejects.toMatchObject({ code: 'KEELSON_API_NOT_FOUND' });
      await cluster.get(Namespace, place.namespace);
      // Nothing checks and nothing converts any more, and nothing is in the way, once the server has seen that the webhooks are gone.
      const gone = { codes: [500, 503] };
      await retryRefused(() => cluster.create(CronJob, cronJob('wrong', '61')), gone);
      await expect(
        retryRefused(() => cluster.get(CronJob.versions.v1, { name: 'right', namespace: 'default' }), gone),
      ).rejects.toMatchObject({
        code: 'KEELSON_API_NOT_FOUND',
      });

      const second = dev();
      await second.shows(/its webhooks are not installed: defaulting\.cronjobs\.batch\.example\.com, validating/);
      await second.shows(/CronJob is served as v2 alone/);
      await second.shows(/cronjob-operator is ready after/);
      await second.shows(/CronJob default\/right {2}\w+=/);
      expect(await second.interrupt()).toBe(0);
      await expect(cluster.get(ServiceAccount, place)).rejects.toMatchObject({ code: 'KEELSON_API_NOT_FOUND' });
    } finally {
      await workplace.close();
    }
  });
});

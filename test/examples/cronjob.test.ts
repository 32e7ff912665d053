import { TestCluster } from '@keelson/testing';
import { Pod } from 'keelson/kinds';
import { operator } from '../../examples/cronjob/cronjob-operator.js';
import { cronJobSuite } from '../cluster/examples-cronjob/suite.js';

describe('in the process', () => {
  cronJobSuite(async () => {
    const cluster = await TestCluster.start({ operator, workloads: true, namespace: 'shop' });
    const failing = cluster.pods.holdBack({ image: 'bad:1' }, { before: 'completed' });
    return {
      cluster,
      hold: (image) => cluster.pods.holdBack({ image }, { before: 'completed' }),
      fail: async (job) => {
        const podsOf = () => cluster.list(Pod, { labels: { 'batch.kubernetes.io/job-name': job } });
        await cluster.until(async () => (await podsOf())[0]?.status?.phase === 'Running');
        for (const { metadata } of await podsOf()) await cluster.pods.fail(metadata.name);
      },
      // Lists are not streamed.
      age: () => void cluster.faults.fail({ verb: 'watch', status: 422, times: 4 }),
      close: async () => {
        failing.release();
        await cluster.close();
      },
    };
  });
});

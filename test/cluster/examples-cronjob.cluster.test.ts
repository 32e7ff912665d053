import { operator } from '../../examples/cronjob/cronjob-operator.js';
import { cronJobSuite } from './examples-cronjob/suite.js';
import { describeCluster } from './harness/index.js';
import { startOnPool } from './harness/pool-test-cluster.js';
import { NodePlayer } from './node-player.js';

describeCluster(
  'cronjob on a real control plane',
  () => {
    cronJobSuite(async () => {
      const cluster = await startOnPool({ mode: 'cluster', operator, namespace: 'shop' });
      const player = new NodePlayer(cluster.client);
      await player.start();
      return {
        cluster,
        hold: (image) => {
          player.held.add(image);
          return { release: () => void player.held.delete(image) };
        },
        fail: async () => undefined,
        close: async () => {
          await player.stop();
          await cluster.close();
        },
      };
    });
  },
  { controllerManager: true },
);

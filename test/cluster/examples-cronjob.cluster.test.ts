import { TestCluster } from 'keelson/testing';
import { operator } from '../../examples/cronjob/cronjob-operator.js';
import { cronJobSuite } from './examples-cronjob/suite.js';
import { describeCluster, requiredBinaries } from './harness/index.js';
import { NodePlayer } from './node-player.js';

describeCluster(
  'cronjob on a real control plane',
  () => {
    cronJobSuite(async () => {
      const cluster = await TestCluster.start({
        server: 'kube-apiserver',
        mode: 'cluster',
        binaries: requiredBinaries().directory,
        operator,
        namespace: 'shop',
        // Lists are asked for page by page here; in the process they are streamed.
        apiServerFlags: ['--feature-gates=WatchList=false', '--enable-admission-plugins=OwnerReferencesPermissionEnforcement'],
      });
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

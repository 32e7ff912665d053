import { TestCluster } from '@keelson/testing';
import { keptPort } from '../../kept-port.js';
import { outside, playOutside } from './webhook-url-story.js';

test('a process outside the cluster is called by URL, with a certificate of its own for an address', async () => {
  const operator = outside(await keptPort(), await keptPort());
  await using cluster = await TestCluster.start({ manifests: operator.manifests });
  await playOutside(cluster, operator);
});

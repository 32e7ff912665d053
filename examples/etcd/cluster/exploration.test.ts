import { explore } from '@keelson/testing';
import { Pod } from 'keelson/kinds';
import { operator } from '../etcd-operator.js';
import { EtcdCluster } from './etcd-cluster.js';
import { FakeMembers } from './fake-members.js';

const persistentVolumeClaimSpec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } as const;

// #region explore
test.each([
  ['without volumes', {}],
  ['with volumes', { persistentVolumeClaimSpec }],
])('members %s: whatever goes wrong, it ends as if nothing had', async (name, pod) => {
  let members = new FakeMembers();
  await explore(operator, {
    name,
    externals: () => {
      members = new FakeMembers();
      return { etcd: members.etcd };
    },
    story: ({ apply, change, disturb }) => [
      disturb('members run in the Pods', ({ cluster }) => members.follow(() => cluster.list(Pod))),
      apply(EtcdCluster({ metadata: { name: 'a' }, spec: { size: 1, version: '3.5.35', pod } })),
      change(EtcdCluster, 'a', { spec: { size: 3 } }),
      disturb('one Pod of three is lost', async (stage) => {
        // A cluster of two members cannot spare one: etcd itself is lost then.
        await stage.until('three voters serve', async () => (await members.voters()) === 3);
        const [lost] = await stage.cluster.list(Pod, { labels: { etcd_cluster: 'a' } });
        if (lost !== undefined) await stage.cluster.delete(Pod, lost.metadata.name);
      }),
      change(EtcdCluster, 'a', { spec: { version: '3.6.16' } }),
      change(EtcdCluster, 'a', { spec: { size: 1 } }),
    ],
    invariant: async () => {
      expect(members.fake.clusters.size).toBeLessThanOrEqual(1);
    },
    workloads: true,
    // Names of members follow from the uid of their cluster and the ids of other members, which are others in each run.
    ignore: [
      'metadata.annotations.*',
      'metadata.labels.etcd_node',
      'spec.containers.*.args',
      'spec.initContainers.*.command',
      'spec.hostname',
      'spec.volumes.*.persistentVolumeClaim',
      'status.clusterID',
      'status.conditions.*.message',
      'status.members',
    ],
    // A cluster that is made at once as it ended is not followed. And where a user does not wait, a size changes before a member has been replaced: other Pods come and go.
    judges: { fresh: false, made: false, deleted: false },
    // A few, and others in each build (KEELSON_EXPLORE_FROM); thousands now and then (KEELSON_EXPLORE_SEEDS).
    seeds: 2,
  });
});
// #endregion

import type { Stored } from 'keelson';
import type { EtcdCluster } from './etcd-cluster.js';
import type { SeenMember, SeenPod } from './seen.js';

/** Objects for the tests, as the API server returns them. */
export const CLUSTER_ID = '4711';
export const NOW = new Date('2030-01-01T00:10:00Z');

export function etcdCluster(
  spec: Partial<EtcdCluster['spec']> = {},
  status: Partial<NonNullable<EtcdCluster['status']>> = {},
): Stored<EtcdCluster> {
  return {
    apiVersion: 'etcd.database.coreos.com/v1beta2',
    kind: 'EtcdCluster',
    metadata: {
      name: 'ring',
      namespace: 'shop',
      uid: 'uid-of-ring',
      resourceVersion: '1',
      generation: 1,
      creationTimestamp: '2030-01-01T00:00:00Z',
    },
    spec: {
      size: 3,
      repository: 'quay.io/coreos/etcd',
      version: '3.6.16',
      paused: false,
      ...spec,
      pod: { busyboxImage: 'busybox:1.28.0-glibc', DNSTimeoutInSecond: 0, ClusterDomain: '', ...spec.pod },
    },
    status: { clusterID: CLUSTER_ID, ...status },
  };
}

export const urlOf = (name: string): string => `http://${name}.ring.shop.svc:2380`;

/** A voter that has started. */
export function member(name: string, change: Partial<SeenMember> = {}): SeenMember {
  return { id: idOf(name), name, peerUrl: urlOf(name), isStarted: true, isLearner: false, ...change };
}

export const idOf = (name: string): string => `id-of-${name}`;

/** A Pod that is ready, and whose process follows `leader`. */
export function pod(name: string, change: Partial<SeenPod> = {}): SeenPod {
  return {
    name,
    createdAt: new Date('2030-01-01T00:00:00Z'),
    isFinished: false,
    isScheduled: true,
    isReady: true,
    unreadySince: new Date('2030-01-01T00:00:00Z'),
    hasClaim: false,
    version: '3.6.16',
    initialCluster: '',
    policy: '',
    answer: { clusterId: CLUSTER_ID, memberId: idOf(name), leader: idOf('a'), version: '3.6.16', raftIndex: 100, raftAppliedIndex: 100 },
    ...change,
  };
}

/** A Pod whose process does not answer since `at`. */
export function silent(name: string, at = '2030-01-01T00:09:30Z', change: Partial<SeenPod> = {}): SeenPod {
  return pod(name, { isReady: false, unreadySince: new Date(at), answer: undefined, ...change });
}

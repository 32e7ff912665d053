import type { ConditionInput } from 'keelson';
import type { Certificates } from '../certificates/certificates.js';
import type { EtcdCluster } from './etcd-cluster.js';
import { CLIENT_PORT, clientServiceName, type Named, selectorLabels } from './names.js';
import { type Plan, quorumOf, type Stage } from './plan.js';
import { policyHash } from './pod-policy.js';
import type { Seen, SeenMember, SeenPod } from './seen.js';
import { plainVersion } from './version.js';

export type ClusterStatus = Omit<NonNullable<EtcdCluster['status']>, 'conditions'>;
type Judged = Named & Pick<EtcdCluster, 'spec' | 'status'>;

/** The status of a cluster without its conditions. */
export function statusOf(cluster: Judged, seen: Seen, { stage, message }: Plan, { until }: Certificates = {}): ClusterStatus {
  const { status: last = {}, spec } = cluster;
  const clusterID = last.clusterID ?? seen.list?.clusterId;
  const pods = seen.pods.filter(({ terminatingSince }) => terminatingSince === undefined);
  const namesOf = (wanted: boolean): string[] =>
    pods
      .filter(({ isReady }) => isReady === wanted)
      .map(({ name }) => name)
      .sort();
  const currentVersion = commonVersion(pods) ?? last.currentVersion;
  const target = plainVersion(spec.version);
  const isFailed = stage === 'NoData' || stage === 'ForeignMembers';
  return {
    phase: isFailed ? 'Failed' : clusterID === undefined ? 'Creating' : 'Running',
    ...(isFailed ? { reason: message } : {}),
    controlPaused: spec.paused,
    size: seen.list?.members.length ?? last.size ?? 0,
    selector: Object.entries(selectorLabels(cluster))
      .map(([label, value]) => `${label}=${value}`)
      .join(','),
    serviceName: clientServiceName(cluster),
    clientPort: CLIENT_PORT,
    members: { ready: namesOf(true), unready: namesOf(false) },
    ...(currentVersion === undefined ? {} : { currentVersion }),
    ...(stage === 'Upgrading' ? { targetVersion: target } : {}),
    ...(clusterID === undefined ? {} : { clusterID }),
    ...(until === undefined ? {} : { certificatesUntil: until.toISOString() }),
  };
}

/** The version of all Pods, once each of them has shown that it runs it. */
function commonVersion(pods: readonly SeenPod[]): string | undefined {
  const [first] = pods;
  return pods.every(({ version, answer }) => version === first?.version && answer?.version === version) ? first?.version : undefined;
}

/** `Scaling`, `Upgrading` and `Recovering` are there while it happens. */
export function conditionsOf(cluster: Judged, seen: Seen, plan: Plan): ConditionInput[] {
  const { stage, message } = plan;
  const available = availability(seen, stage);
  const isReady = stage === 'Stable' && available.status === true && seen.pods.every((pod) => pod.isReady);
  const going = ({ Scaling: 'Scaling', Upgrading: 'Upgrading', UpgradeRefused: 'Upgrading', Recovering: 'Recovering' } as const)[
    stage as 'Scaling'
  ];
  const isRefused = stage === 'UpgradeRefused';
  return [
    available,
    { type: 'Ready', status: isReady, reason: isReady ? 'MembersReady' : reasonOf(stage), message },
    ...(going === undefined ? [] : [{ type: going, status: !isRefused, reason: isRefused ? 'Refused' : 'InProgress', message }]),
    ...policyCondition(cluster, seen),
  ];
}

/** Whether members, and the operator, can know each other. */
export function certificateConditions({ spec }: Judged, { problem, waiting, until }: Certificates): ConditionInput[] {
  if (spec.TLS === undefined) return [];
  if (problem !== undefined) return [{ type: 'CertificatesValid', status: false, ...problem }];
  if (waiting !== undefined) return [{ type: 'CertificatesValid', status: true, reason: 'RestartDue', message: waiting }];
  return [{ type: 'CertificatesValid', status: true, reason: 'Valid', message: until === undefined ? '' : `until ${until.toISOString()}` }];
}

function reasonOf(stage: Stage): string {
  return stage === 'Stable' ? 'PodsNotReady' : stage;
}

/** A quorum takes part. */
function availability({ pods, list }: Seen, stage: Stage): ConditionInput {
  const byName = new Map(pods.map((pod) => [pod.name, pod]));
  const isHealthy = ({ name, id }: SeenMember): boolean =>
    byName.get(name)?.answer?.memberId === id && byName.get(name)?.answer?.leader !== undefined;
  const voters = list?.members.filter(({ isLearner }) => !isLearner) ?? [];
  const healthy = voters.filter(isHealthy).length;
  if (voters.length > 0 && healthy >= quorumOf(voters.length))
    return {
      type: 'Available',
      status: true,
      reason: 'ClusterAvailable',
      message: `${healthy} of ${voters.length} voting members take part`,
    };
  if (pods.some(({ answer }) => answer?.leader !== undefined))
    return { type: 'Available', status: 'Unknown', reason: 'ListUnknown', message: 'the list of members could not be read' };
  if (stage === 'CertificatesInvalid')
    return { type: 'Available', status: 'Unknown', reason: stage, message: 'members cannot be asked: see the condition CertificatesValid' };
  if (stage === 'Creating') return { type: 'Available', status: false, reason: 'Creating', message: 'the first member starts' };
  return {
    type: 'Available',
    status: false,
    reason: stage === 'NoData' ? 'NoData' : 'LostQuorum',
    message: 'no majority of the members takes part',
  };
}

/** Pods are not made anew because the spec says something else about them. */
function policyCondition(cluster: Judged, { pods }: Seen): ConditionInput[] {
  const wanted = policyHash(cluster);
  const others = pods
    .filter(({ policy }) => policy !== wanted)
    .map(({ name }) => name)
    .sort();
  if (pods.length === 0) return [];
  if (others.length === 0) return [{ type: 'PodPolicyApplied', status: true, reason: 'AllPods' }];
  const message = `${others.join(', ')} were made with another spec.pod or spec.repository, and stay; Pods made later have the new one`;
  return [{ type: 'PodPolicyApplied', status: false, reason: 'NewPodsOnly', message }];
}

import type { Stored } from 'keelson';
import type { PersistentVolumeClaim, Pod } from 'keelson/kinds';
import type { EtcdStatus, EtcdTls } from '../client/api.js';
import type { ClusterContext } from './access.js';
import type { EtcdCluster } from './etcd-cluster.js';
import { clientUrl, MEMBER_ANNOTATION, POLICY_ANNOTATION, podNameOf, SEED, selectorLabels, VERSION_ANNOTATION } from './names.js';
import { initialClusterOf } from './pods.js';
import { type Answer, memberList, type Seen, type SeenClaim, type SeenMembers, type SeenPod } from './seen.js';

/** The objects of a cluster at a moment. */
export interface Objects {
  readonly cluster: Stored<EtcdCluster>;
  readonly pods: readonly Stored<Pod>[];
  readonly claims: readonly Stored<PersistentVolumeClaim>[];
}

/** As the API server has them now; undefined if the cluster is gone, or being deleted. */
export async function objectsNow({ object, clusters, podsNow, claimsNow }: ClusterContext): Promise<Objects | undefined> {
  const cluster = await clusters.get(object.metadata.name);
  if (cluster?.metadata.uid !== object.metadata.uid || cluster.metadata.deletionTimestamp !== undefined) return undefined;
  const labels = selectorLabels(object);
  const isOwn = ({ metadata }: Pod | PersistentVolumeClaim): boolean =>
    metadata.ownerReferences?.some(({ uid, controller }) => controller === true && uid === object.metadata.uid) === true;
  const [pods, claims] = await Promise.all([podsNow.list({ labels }), claimsNow.list({ labels })]);
  return { cluster, pods: pods.filter(isOwn), claims: claims.filter(isOwn) };
}

/** Asks each member how it is, and those that know a leader for the list. */
export async function look(context: ClusterContext, { cluster, pods, claims }: Objects, tls: EtcdTls | undefined): Promise<Seen> {
  const answers = new Map(await Promise.all(pods.map(async (pod) => [pod.metadata.name, await answerOf(context, pod, tls)] as const)));
  // The list comes last: a Pod that is not in it is not of a member, since members are listed before their Pods are made.
  const voters = pods.filter(({ metadata: { name } }) => {
    const answer = answers.get(name);
    return answer?.leader !== undefined && !answer.isLearner;
  });
  const endpoints = voters.map(({ metadata: { name } }) => clientUrl(cluster, name));
  const list = endpoints.length === 0 ? undefined : await listOf(context, endpoints, tls);
  return { pods: pods.map((pod) => seenPod(pod, answers.get(pod.metadata.name))), claims: claims.map(seenClaim), list };
}

const timeoutMs = ({ config }: ClusterContext): number => config.callTimeoutSeconds * 1_000;

async function answerOf(
  context: ClusterContext,
  { metadata: { name }, status }: Stored<Pod>,
  tls: EtcdTls | undefined,
): Promise<EtcdStatus | undefined> {
  if (status?.phase !== 'Running') return undefined;
  const { object, etcd, signal, log } = context;
  try {
    return await etcd.status({ endpoints: [clientUrl(object, name)], tls }, { signal, timeoutMs: timeoutMs(context) });
  } catch (error) {
    log.debug('a member does not answer', { pod: name, error });
    return undefined;
  }
}

async function listOf(context: ClusterContext, endpoints: readonly string[], tls: EtcdTls | undefined): Promise<SeenMembers | undefined> {
  const { etcd, signal, log } = context;
  try {
    const { clusterId, members } = await etcd.members({ endpoints, tls }, { signal, timeoutMs: timeoutMs(context) });
    return {
      clusterId,
      members: members.map(({ id, name, peerUrls, isLearner }) => ({
        id,
        name: podNameOf(peerUrls) ?? name ?? id,
        peerUrl: peerUrls[0] ?? '',
        isStarted: name !== undefined,
        isLearner,
      })),
    };
  } catch (error) {
    log.warn('the members could not be listed', { endpoints, error });
    return undefined;
  }
}

function seenPod(pod: Stored<Pod>, answer: Answer | undefined): SeenPod {
  const { metadata, spec, status } = pod;
  const condition = (type: string) => status?.conditions?.find((one) => one.type === type);
  const createdAt = new Date(metadata.creationTimestamp ?? 0);
  const ready = condition('Ready');
  return {
    name: metadata.name,
    createdAt,
    ...(metadata.deletionTimestamp === undefined ? {} : { terminatingSince: new Date(metadata.deletionTimestamp) }),
    isFinished: status?.phase === 'Failed' || status?.phase === 'Succeeded',
    isScheduled: spec.nodeName !== undefined && spec.nodeName !== '',
    isReady: ready?.status === 'True',
    unreadySince: ready?.status === 'False' && ready.lastTransitionTime !== undefined ? new Date(ready.lastTransitionTime) : createdAt,
    problem: problemOf(pod),
    hasClaim: spec.volumes?.some(({ persistentVolumeClaim }) => persistentVolumeClaim !== undefined) === true,
    version: metadata.annotations?.[VERSION_ANNOTATION] ?? '',
    initialCluster: normalized(initialClusterOf(pod)),
    policy: metadata.annotations?.[POLICY_ANNOTATION] ?? '',
    answer,
  };
}

function normalized(text: string): string {
  return memberList(
    text.split(',').map((entry) => {
      const at = entry.indexOf('=');
      return { name: entry.slice(0, at), peerUrl: entry.slice(at + 1) };
    }),
  );
}

/** Why a Pod is not ready, in the words of the scheduler or the kubelet. */
function problemOf({ status }: Pod): string | undefined {
  const unscheduled = status?.conditions?.find(({ type, status: is }) => type === 'PodScheduled' && is === 'False');
  if (unscheduled !== undefined) return unscheduled.message ?? unscheduled.reason;
  const [container] = status?.containerStatuses?.filter(({ name }) => name === 'etcd') ?? [];
  const waiting = container?.state?.waiting;
  if (waiting?.reason !== undefined && waiting.reason !== 'ContainerCreating' && waiting.reason !== 'PodInitializing')
    return waiting.message === undefined ? waiting.reason : `${waiting.reason}: ${waiting.message}`;
  return status?.phase === 'Failed' ? (status.message ?? status.reason) : undefined;
}

function seenClaim({ metadata }: Stored<PersistentVolumeClaim>): SeenClaim {
  return {
    name: metadata.name,
    isTerminating: metadata.deletionTimestamp !== undefined,
    member: metadata.annotations?.[MEMBER_ANNOTATION] ?? SEED,
  };
}

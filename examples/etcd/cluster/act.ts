import type { EtcdTarget, EtcdTls } from '../client/api.js';
import { type EtcdRefusal, isEtcdError } from '../client/errors.js';
import type { ClusterContext } from './access.js';
import type { Objects } from './look.js';
import { clientUrl, VERSION_ANNOTATION } from './names.js';
import type { Action } from './plan.js';
import { claimFor, imageOf, podFor } from './pods.js';
import type { Seen } from './seen.js';

/** Refusals of a change that has to wait: etcd is asked again in a later run. */
const NOT_YET: readonly EtcdRefusal[] = [
  'UnhealthyCluster',
  'LearnerNotReady',
  'TooManyLearners',
  'NotEnoughStartedMembers',
  'PeerUrlsExist',
  'NoLeader',
  'NotLeader',
  'BadLeaderTransferee',
];

/** The state that an action was decided from. */
export interface Looked {
  readonly objects: Objects;
  readonly seen: Seen;
  /** The operator's own. */
  readonly tls: EtcdTls | undefined;
}

// #region act
/**
 * Carries out an action.
 *
 * @returns false where etcd says "not yet", or what happened is not known: the next run looks, and decides anew
 */
export async function act(context: ClusterContext, action: Action, looked: Looked): Promise<boolean> {
  try {
    await perform(context, action, looked);
    return true;
  } catch (error) {
    const isPassing =
      isEtcdError(error) && (error.mayHaveHappened || error.code !== 'Refused' || NOT_YET.includes(error.reason ?? 'Other'));
    if (!isPassing) throw error;
    context.log.info('etcd does not do this yet', { action: action.do, error });
    return false;
  }
}
// #endregion

async function perform(context: ClusterContext, action: Action, looked: Looked): Promise<void> {
  const { etcd, events, signal } = context;
  const { cluster, pods, claims } = looked.objects;
  const options = { signal };
  switch (action.do) {
    case 'create-pod': {
      const { name, member, version, state, initialCluster } = action;
      const claim = claimFor(cluster, name, member);
      if (claim !== undefined && !claims.some(({ metadata }) => metadata.name === name)) await context.claims.create(claim);
      await context.pods.create(podFor(cluster, { name, version, state, initialCluster }));
      if (state === 'new') events.normal('New Member Added', `New member ${name} added to cluster`);
      return;
    }
    case 'delete-pod': {
      const uid = pods.find(({ metadata }) => metadata.name === action.name)?.metadata.uid;
      await context.pods.delete(action.name, { uid });
      return;
    }
    case 'delete-claim': {
      const uid = claims.find(({ metadata }) => metadata.name === action.name)?.metadata.uid;
      await context.claims.delete(action.name, { uid });
      return;
    }
    case 'add-learner':
      await etcd.addLearner(targetOf(looked), [action.peerUrl], options);
      return;
    case 'promote':
      await etcd.promoteMember(targetOf(looked), action.id, options);
      events.normal('New Member Added', `New member ${action.name} added to cluster`);
      return;
    case 'move-leader':
      await etcd.moveLeader(targetOf(looked, action.from), action.id, options);
      return;
    case 'remove-member':
      if (action.why !== 'ScaleIn') events.normal('Replacing Dead Member', `The dead member ${action.name} is being replaced`);
      await etcd.removeMember(targetOf(looked, undefined, action.name), action.id, options).catch((error: unknown) => {
        if (!isEtcdError(error, 'Refused', 'MemberNotFound')) throw error;
      });
      events.normal('Member Removed', `Existing member ${action.name} removed from the cluster`);
      return;
    case 'upgrade-pod': {
      const { name, version } = action;
      const pod = pods.find(({ metadata }) => metadata.name === name);
      if (pod === undefined) return;
      const containers = pod.spec.containers.map((one) => (one.name === 'etcd' ? { ...one, image: imageOf(cluster, version) } : one));
      await context.pods.patch(pod, { metadata: { annotations: { [VERSION_ANNOTATION]: version } }, spec: { containers } });
      events.normal('Member Upgraded', `Member ${name} upgraded from ${pod.metadata.annotations?.[VERSION_ANNOTATION]} to ${version}`);
      return;
    }
  }
}

/** Voters that take part; a change goes through one that stays. */
function targetOf({ objects, seen: { pods, list }, tls }: Looked, only?: string, without?: string): EtcdTarget {
  const learners = new Set(list?.members.filter(({ isLearner }) => isLearner).map(({ name }) => name));
  const names = pods.flatMap(({ name, answer }) => (answer?.leader !== undefined && !learners.has(name) && name !== without ? [name] : []));
  const endpoints = names.filter((name) => only === undefined || name === only).map((name) => clientUrl(objects.cluster, name));
  return { endpoints, tls };
}

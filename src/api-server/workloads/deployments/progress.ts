import type { Deployment, ReplicaSet } from '@keelson/kubernetes/kinds';
import { millisecondsOf } from '../objects/index.js';
import { maxUnavailable } from './fenceposts.js';
import { type ReplicaSets, totalSize } from './scaling.js';

export type DeploymentStatus = NonNullable<Deployment['status']>;
export type DeploymentCondition = NonNullable<DeploymentStatus['conditions']>[number];

/** No deadline: what a client means by the largest number that there is. */
const NO_DEADLINE = 2 ** 31 - 1;

export interface News extends Pick<DeploymentCondition, 'reason' | 'message'> {
  readonly type: string;
  readonly status: string;
}

export function deadlineOf({ spec: { progressDeadlineSeconds } }: Deployment): number | undefined {
  return progressDeadlineSeconds === NO_DEADLINE ? undefined : progressDeadlineSeconds;
}

export function conditionIn({ conditions = [] }: DeploymentStatus, type: string): DeploymentCondition | undefined {
  return conditions.find((condition) => condition.type === type);
}

/** A condition that says the same for the same reason stays as it is. */
export function withCondition(status: DeploymentStatus, news: News, time: string): DeploymentStatus {
  const known = conditionIn(status, news.type);
  if (known !== undefined && known.status === news.status && known.reason === news.reason) return status;
  const lastTransitionTime = known?.status === news.status ? known.lastTransitionTime : time;
  return withoutCondition(status, news.type, { ...news, lastUpdateTime: time, lastTransitionTime });
}

function withoutCondition(status: DeploymentStatus, type: string, instead?: DeploymentCondition): DeploymentStatus {
  const others = (status.conditions ?? []).filter((condition) => condition.type !== type);
  return { ...status, conditions: instead === undefined ? others : [...others, instead] };
}

export function isComplete({ spec: { replicas = 1 }, metadata }: Deployment, status: DeploymentStatus): boolean {
  const { updatedReplicas = 0, replicas: total = 0, availableReplicas = 0, observedGeneration = 0 } = status;
  return (
    updatedReplicas === replicas && total === replicas && availableReplicas === replicas && observedGeneration >= (metadata.generation ?? 0)
  );
}

/** Counts the Pods, and whether they are enough. */
export function countedStatus(deployment: Deployment, { current, old }: ReplicaSets, time: string): DeploymentStatus {
  const all = current === undefined ? old : [...old, current];
  const sum = (count: (status: NonNullable<ReplicaSet['status']>) => number | undefined): number =>
    all.reduce((total, { status }) => total + ((status && count(status)) ?? 0), 0);
  const availableReplicas = sum((status) => status.availableReplicas);
  const status: DeploymentStatus = {
    observedGeneration: deployment.metadata.generation,
    replicas: sum((one) => one.replicas),
    updatedReplicas: current?.status?.replicas ?? 0,
    readyReplicas: sum((one) => one.readyReplicas),
    availableReplicas,
    terminatingReplicas: terminatingReplicas(all),
    unavailableReplicas: Math.max(0, totalSize(all) - availableReplicas),
    collisionCount: deployment.status?.collisionCount,
    conditions: deployment.status?.conditions ?? [],
  };
  const isEnough = availableReplicas >= (deployment.spec.replicas ?? 1) - maxUnavailable(deployment);
  const news: News = isEnough
    ? { type: 'Available', status: 'True', reason: 'MinimumReplicasAvailable', message: 'Deployment has minimum availability.' }
    : {
        type: 'Available',
        status: 'False',
        reason: 'MinimumReplicasUnavailable',
        message: 'Deployment does not have minimum availability.',
      };
  return withCondition(status, news, time);
}

/** Undefined as long as a ReplicaSet has not counted its own. */
function terminatingReplicas(all: readonly ReplicaSet[]): number | undefined {
  let total = 0;
  for (const { status } of all) {
    if (status?.terminatingReplicas === undefined && (status?.observedGeneration ?? 0) !== 0) return undefined;
    total += status?.terminatingReplicas ?? 0;
  }
  return total;
}

/** The counted status with the conditions of a rollout. */
export function rolloutStatus(
  deployment: Deployment,
  sets: ReplicaSets,
  now: { readonly date: Date; readonly time: string },
): DeploymentStatus {
  const counted = countedStatus(deployment, sets, now.time);
  return withReplicaFailure(withProgress(deployment, { counted, current: sets.current }, now), sets);
}

function withProgress(
  deployment: Deployment,
  { counted, current }: { readonly counted: DeploymentStatus; readonly current: ReplicaSet | undefined },
  { date, time }: { readonly date: Date; readonly time: string },
): DeploymentStatus {
  const deadline = deadlineOf(deployment);
  if (deadline === undefined) return withoutCondition(counted, 'Progressing');
  const known = conditionIn(deployment.status ?? {}, 'Progressing');
  if (counted.replicas === counted.updatedReplicas && known?.reason === 'NewReplicaSetAvailable') return counted;
  const what = current === undefined ? `Deployment "${deployment.metadata.name}"` : `ReplicaSet "${current.metadata.name}"`;
  const progressing = (reason: string, message: string): News => ({ type: 'Progressing', status: 'True', reason, message });
  if (isComplete(deployment, counted))
    return withCondition(counted, progressing('NewReplicaSetAvailable', `${what} has successfully progressed.`), time);
  if (hasProgressed(deployment.status ?? {}, counted)) {
    const lastTransitionTime = known?.status === 'True' ? known.lastTransitionTime : time;
    const news = progressing('ReplicaSetUpdated', `${what} is progressing.`);
    // Anew each time: the deadline counts from here.
    return withoutCondition(counted, 'Progressing', { ...news, lastUpdateTime: time, lastTransitionTime });
  }
  if (!isTimedOut(counted, deadline, date)) return counted;
  const news: News = {
    type: 'Progressing',
    status: 'False',
    reason: 'ProgressDeadlineExceeded',
    message: `${what} has timed out progressing.`,
  };
  return withCondition(counted, news, time);
}

function hasProgressed(before: DeploymentStatus, after: DeploymentStatus): boolean {
  const updated = (status: DeploymentStatus): number => status.updatedReplicas ?? 0;
  const old = (status: DeploymentStatus): number => (status.replicas ?? 0) - updated(status);
  return (
    updated(after) > updated(before) ||
    old(after) < old(before) ||
    (after.readyReplicas ?? 0) > (before.readyReplicas ?? 0) ||
    (after.availableReplicas ?? 0) > (before.availableReplicas ?? 0)
  );
}

function isTimedOut(status: DeploymentStatus, deadline: number, now: Date): boolean {
  const condition = conditionIn(status, 'Progressing');
  if (condition === undefined || condition.reason === 'NewReplicaSetAvailable') return false;
  if (condition.reason === 'ProgressDeadlineExceeded') return true;
  return millisecondsOf(condition.lastUpdateTime) + deadline * 1000 < now.getTime();
}

function withReplicaFailure(status: DeploymentStatus, { current, old }: ReplicaSets): DeploymentStatus {
  const failures = [...(current === undefined ? [] : [current]), ...old].flatMap((replicaSet) =>
    (replicaSet.status?.conditions ?? []).filter(({ type }) => type === 'ReplicaFailure'),
  );
  const [failure] = failures;
  if (failure === undefined) return withoutCondition(status, 'ReplicaFailure');
  const { lastTransitionTime = '', ...news } = failure;
  return withCondition(status, news as News, lastTransitionTime);
}

/** Milliseconds after which the rollout has to be judged again by its deadline. */
export function deadlineCheckMs(deployment: Deployment, status: DeploymentStatus, now: Date): number | undefined {
  const deadline = deadlineOf(deployment);
  const condition = conditionIn(status, 'Progressing');
  if (deadline === undefined || condition === undefined || isComplete(deployment, status)) return undefined;
  if (condition.reason === 'ProgressDeadlineExceeded') return undefined;
  // A second more: times have whole seconds.
  return Math.max(0, millisecondsOf(condition.lastUpdateTime) + deadline * 1000 - now.getTime()) + 1000;
}

import type { EtcdCluster } from './etcd-cluster.js';
import { nextName, peerUrl, SEED, seedName } from './names.js';
import { memberList, type Seen, type SeenClaim, type SeenMember, type SeenPod } from './seen.js';
import { pathProblem, plainVersion } from './version.js';

/** One thing to do. At most one is done in a run. */
export type Action =
  | {
      readonly do: 'create-pod';
      readonly name: string;
      readonly state: 'new' | 'existing';
      readonly initialCluster: string;
      readonly member: string;
      readonly version: string;
    }
  | { readonly do: 'delete-pod'; readonly name: string; readonly why: string }
  | { readonly do: 'delete-claim'; readonly name: string }
  | { readonly do: 'add-learner'; readonly name: string; readonly peerUrl: string }
  | { readonly do: 'promote'; readonly name: string; readonly id: string }
  | { readonly do: 'move-leader'; readonly from: string; readonly to: string; readonly id: string }
  | { readonly do: 'remove-member'; readonly name: string; readonly id: string; readonly why: 'Dead' | 'ScaleIn' | 'NeverStarted' }
  | { readonly do: 'upgrade-pod'; readonly name: string; readonly version: string };

/** The stage that a cluster is at. */
export type Stage =
  | 'Paused'
  | 'CertificatesInvalid'
  | 'Creating'
  | 'Stable'
  | 'Recovering'
  | 'Scaling'
  | 'Upgrading'
  | 'UpgradeRefused'
  | 'LostQuorum'
  | 'NoData'
  | 'ForeignMembers';

export interface Plan {
  readonly stage: Stage;
  /** For people. */
  readonly message: string;
  /** Absent: nothing, or it is waited for something. */
  readonly action?: Action | undefined;
}

export interface Limits {
  /** Why members cannot know each other, or be known: nothing is changed meanwhile. @defaultValue they can */
  readonly certificateProblem?: string | undefined;
  /** A member that neither answers nor is ready for so long is given up. */
  readonly deadAfterMs: number;
}

/** As much of an EtcdCluster as a decision follows from. */
export type Planned = Pick<EtcdCluster, 'spec' | 'status'> & {
  readonly metadata: { readonly name: string; readonly namespace?: string | undefined; readonly uid: string };
};

// #region plan
/**
 * The next step for the members of a cluster. It follows from the arguments alone.
 *
 * Guarantees: a list is changed only while a quorum holds, and never to one whose quorum does not; a member is added as a learner, and only when every other one has
 * started and is a voter; no Pod of a member is deleted whose data is in the Pod.
 */
export function planOf(cluster: Planned, seen: Seen, now: Date, limits: Limits): Plan {
  if (cluster.spec.paused) return { stage: 'Paused', message: 'spec.paused is true' };
  if (limits.certificateProblem !== undefined) return { stage: 'CertificatesInvalid', message: limits.certificateProblem };
  const view = new View(cluster, seen, now, limits);
  const { list } = seen;
  if (list === undefined || list.members.length === 0) return unlisted(view);
  const known = cluster.status?.clusterID;
  if (known !== undefined && known !== list.clusterId)
    return { stage: 'ForeignMembers', message: `the Pods are members of cluster ${list.clusterId}, and this one is ${known}` };
  // Without a quorum, Pods that are missing are made, and nothing else: see `unlisted`.
  const stages = view.hasQuorum
    ? [tidied, restarted, joined, replaced, shrunk, promoted, awaited, grown, upgraded]
    : [restarted, joined, lost];
  for (const stage of stages) {
    const plan = stage(view);
    if (plan !== undefined) return plan;
  }
  return { stage: 'Stable', message: `${view.members.length} members serve` };
}
// #endregion

/** The arguments, and what several stages ask of them. */
class View {
  readonly cluster: Planned;
  readonly members: readonly SeenMember[];
  readonly pods: ReadonlyMap<string, SeenPod>;
  readonly claims: ReadonlyMap<string, SeenClaim>;
  readonly #now: Date;
  readonly #limits: Limits;

  constructor(cluster: Planned, { pods, claims, list }: Seen, now: Date, limits: Limits) {
    this.cluster = cluster;
    // In order of their names: the same members give the same plan.
    this.members = byName(list?.members ?? []);
    this.pods = new Map(byName(pods).map((pod) => [pod.name, pod]));
    this.claims = new Map(byName(claims).map((claim) => [claim.name, claim]));
    this.#now = now;
    this.#limits = limits;
  }

  get voters(): readonly SeenMember[] {
    return this.members.filter(({ isLearner }) => !isLearner);
  }

  get learners(): readonly SeenMember[] {
    return this.members.filter(({ isLearner }) => isLearner);
  }

  podOf({ name }: SeenMember): SeenPod | undefined {
    return this.pods.get(name);
  }

  /** The claim with this member's own data. */
  claimOf({ name, id }: SeenMember): SeenClaim | undefined {
    const claim = this.claims.get(name);
    return claim !== undefined && !claim.isTerminating && (claim.member === id || claim.member === SEED) ? claim : undefined;
  }

  /** It answers as this member, and takes part: it knows a leader. */
  isHealthy(member: SeenMember): boolean {
    const answer = this.podOf(member)?.answer;
    return answer !== undefined && answer.memberId === member.id && answer.leader !== undefined;
  }

  /** For longer than a member may be away. */
  isOverdue(since: Date): boolean {
    return this.#now.getTime() - since.getTime() > this.#limits.deadAfterMs;
  }

  /** Nothing is left that could come back as this member, or it has been away for too long. */
  isDead(member: SeenMember): boolean {
    if (this.isHealthy(member)) return false;
    const pod = this.podOf(member);
    if (pod === undefined) return this.claimOf(member) === undefined;
    if (pod.terminatingSince !== undefined) return this.isOverdue(pod.terminatingSince);
    if (pod.isFinished) return !pod.hasClaim;
    // A Pod that is ready is one that only the operator cannot reach.
    return !pod.isReady && this.isOverdue(pod.unreadySince);
  }

  get hasQuorum(): boolean {
    return this.voters.filter((member) => this.isHealthy(member)).length >= quorumOf(this.voters.length);
  }

  /** The others keep a quorum without it. */
  canSpare(member: SeenMember): boolean {
    const rest = this.voters.filter(({ id }) => id !== member.id);
    return rest.length > 0 && rest.filter((other) => this.isHealthy(other)).length >= quorumOf(rest.length);
  }

  get leader(): SeenMember | undefined {
    const ids = this.members.flatMap((member) => (this.isHealthy(member) ? [this.podOf(member)?.answer?.leader] : []));
    return this.members.find(({ id }) => ids.includes(id));
  }

  get target(): string {
    return plainVersion(this.cluster.spec.version);
  }

  /** Versions that members run now. */
  get versions(): readonly string[] {
    return this.members.flatMap((member) => (this.isHealthy(member) ? [this.podOf(member)?.answer?.version ?? ''] : []));
  }

  /** For a new Pod: the spec's only where some member has shown that it works, or none runs another. */
  get versionOfNew(): string {
    const { versions, target } = this;
    const other = versions.find((version) => version !== target);
    return versions.includes(target) || other === undefined ? target : other;
  }

  /** A failing member of an upgrade: replacing it would bring the same failure again. */
  isUpgradeVictim(member: SeenMember): boolean {
    const version = this.podOf(member)?.version;
    return version !== undefined && !this.versions.includes(version) && this.versions.length > 0;
  }
}

function byName<T extends { readonly name: string }>(list: readonly T[]): T[] {
  return list.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

export function quorumOf(voters: number): number {
  return Math.floor(voters / 2) + 1;
}

/** No list: the first member is made, or data that is kept is started again. Nothing is deleted that holds data. */
function unlisted(view: View): Plan {
  const { cluster, pods, claims } = view;
  const isKnown = cluster.status?.clusterID !== undefined;
  const stage = isKnown ? 'LostQuorum' : 'Creating';
  const finished = [...pods.values()].find((pod) => pod.isFinished && pod.terminatingSince === undefined && (pod.hasClaim || !isKnown));
  if (finished !== undefined)
    return {
      stage,
      message: `Pod ${finished.name} has ended`,
      action: { do: 'delete-pod', name: finished.name, why: 'it has ended, and its data is kept' },
    };
  const idle = [...claims.values()].find(({ name, isTerminating }) => !isTerminating && !pods.has(name));
  if (idle !== undefined) {
    const state = idle.member === SEED && !isKnown ? 'new' : 'existing';
    const initialCluster = memberList([{ name: idle.name, peerUrl: peerUrl(cluster, idle.name) }]);
    const version = plainVersion(cluster.status?.currentVersion ?? view.target);
    return {
      stage,
      message: `the data of ${idle.name} is there, and its Pod is not`,
      action: { do: 'create-pod', name: idle.name, state, initialCluster, member: idle.member, version },
    };
  }
  if (pods.size === 0 && claims.size === 0) {
    if (isKnown) return { stage: 'NoData', message: 'no Pod and no claim is left: restore a backup' };
    const problem = pathProblem([], view.target);
    if (problem !== undefined) return { stage: 'UpgradeRefused', message: problem };
    const name = seedName(cluster);
    const initialCluster = memberList([{ name, peerUrl: peerUrl(cluster, name) }]);
    return {
      stage,
      message: 'the first member is made',
      action: { do: 'create-pod', name, state: 'new', initialCluster, member: SEED, version: view.target },
    };
  }
  if (!isKnown) return { stage, message: problemsOf(view, [...pods.values()]) || 'the first member starts' };
  const isLed = [...pods.values()].some(({ answer }) => answer?.leader !== undefined);
  if (isLed) return { stage: 'Recovering', message: 'the list of members could not be read' };
  return { stage, message: LOST };
}

const LOST = 'no majority of the members answers: nothing is changed; restore a backup if they do not come back';

function lost(): Plan {
  return { stage: 'LostQuorum', message: LOST };
}

/** Pods and claims of members that are not in the list any more. */
function tidied(view: View): Plan | undefined {
  const { members, pods, claims } = view;
  const names = new Set(members.map(({ name }) => name));
  const ids = new Set(members.map(({ id }) => id));
  for (const pod of pods.values()) {
    // Its answer counts more than its name: a member may be listed under a URL that is not of this operator.
    if (pod.terminatingSince !== undefined || names.has(pod.name) || ids.has(pod.answer?.memberId ?? '')) continue;
    return recovering(`Pod ${pod.name} is not of a member`, { do: 'delete-pod', name: pod.name, why: 'it is not of a member' });
  }
  for (const claim of claims.values()) {
    if (claim.isTerminating || pods.has(claim.name)) continue;
    const owner = members.find(({ name }) => name === claim.name);
    if (owner === undefined || view.claimOf(owner) === undefined)
      return recovering(`claim ${claim.name} holds data of a member that was removed`, { do: 'delete-claim', name: claim.name });
  }
  return undefined;
}

/** Members whose data is kept, and whose Pod is gone: the same member starts again. */
function restarted(view: View): Plan | undefined {
  for (const member of view.members) {
    const pod = view.podOf(member);
    if (view.claimOf(member) === undefined) continue;
    if (pod === undefined) return recovering(`the Pod of ${member.name} is gone, its data is not`, creation(view, member));
    if (pod.isFinished && pod.hasClaim && pod.terminatingSince === undefined)
      return recovering(`Pod ${member.name} has ended`, { do: 'delete-pod', name: member.name, why: 'it has ended, and its data is kept' });
  }
  return undefined;
}

/** Members that are listed and have never started. */
function joined(view: View): Plan | undefined {
  const expected = memberList(view.members);
  for (const member of view.members.filter(({ isStarted }) => !isStarted)) {
    const pod = view.podOf(member);
    // A member more than the spec asks for is not worth a Pod, unless the list needs it.
    if (member.isLearner && view.voters.length >= view.cluster.spec.size) continue;
    if (pod === undefined) {
      if (view.claims.has(member.name)) return undefined;
      return { stage: 'Scaling', message: `${member.name} joins`, action: creation(view, member) };
    }
    if (pod.terminatingSince === undefined && pod.answer === undefined && (pod.isFinished || pod.initialCluster !== expected))
      return {
        stage: 'Scaling',
        message: `Pod ${member.name} expects other members`,
        action: { do: 'delete-pod', name: member.name, why: 'it has not joined, and expects members that changed since' },
      };
  }
  return undefined;
}

function creation(view: View, { name, id }: SeenMember): Action {
  return { do: 'create-pod', name, state: 'existing', initialCluster: memberList(view.members), member: id, version: view.versionOfNew };
}

/** Members that do not come back. */
function replaced(view: View): Plan | undefined {
  for (const member of view.members.filter(({ isStarted }) => isStarted)) {
    if (!view.isDead(member)) continue;
    if (view.isUpgradeVictim(member)) continue;
    if (!view.canSpare(member)) return recovering(`${member.name} is away, and the others are too few without it`);
    return recovering(`${member.name} does not come back`, { do: 'remove-member', name: member.name, id: member.id, why: 'Dead' });
  }
  for (const member of view.learners.filter(({ isStarted }) => !isStarted)) {
    const pod = view.podOf(member);
    // One that no node takes would be followed by another that none takes.
    if (pod === undefined || !pod.isScheduled || !view.isDead(member)) continue;
    return recovering(`${member.name} did not start`, { do: 'remove-member', name: member.name, id: member.id, why: 'NeverStarted' });
  }
  return undefined;
}

/** More members than asked for. */
function shrunk(view: View): Plan | undefined {
  const { voters, learners, cluster } = view;
  const { size } = cluster.spec;
  const [learner] = learners;
  if (learner !== undefined && voters.length >= size)
    return scaling(view, { do: 'remove-member', name: learner.name, id: learner.id, why: 'ScaleIn' });
  if (voters.length <= size) return undefined;
  const leader = view.leader;
  const [first] = voters.toSorted((a, b) => rankOf(view, a) - rankOf(view, b) || ageOf(view, b) - ageOf(view, a));
  if (first === undefined || !view.canSpare(first)) return undefined;
  if (first.id === leader?.id) {
    // The others have not noticed yet. It cannot be asked to hand over; they elect another one within seconds.
    if (!view.isHealthy(first)) return recovering(`${first.name} leads and does not answer`);
    const heir = heirOf(view, first);
    if (heir !== undefined) return scaling(view, { do: 'move-leader', from: first.name, to: heir.name, id: heir.id });
  }
  return scaling(view, { do: 'remove-member', name: first.name, id: first.id, why: 'ScaleIn' });
}

/** Goes first: not started, not healthy, a follower, the leader. */
function rankOf(view: View, member: SeenMember): number {
  if (!member.isStarted) return 0;
  if (!view.isHealthy(member)) return 1;
  return member.id === view.leader?.id ? 3 : 2;
}

/** Milliseconds at which its Pod was made. */
function ageOf(view: View, member: SeenMember): number {
  return view.podOf(member)?.createdAt.getTime() ?? 0;
}

/** The voter that has the most of the log, of those with the version of the spec if there are any. */
function heirOf(view: View, leader: SeenMember): SeenMember | undefined {
  const indexOf = (member: SeenMember): number => view.podOf(member)?.answer?.raftAppliedIndex ?? 0;
  const candidates = view.voters.filter((member) => member.id !== leader.id && view.isHealthy(member));
  const upgraded = candidates.filter((member) => view.podOf(member)?.version === view.target);
  return (upgraded.length > 0 ? upgraded : candidates).toSorted((a, b) => indexOf(b) - indexOf(a))[0];
}

function promoted(view: View): Plan | undefined {
  const [learner] = view.learners;
  if (learner === undefined || !learner.isStarted || !view.isHealthy(learner) || !isInSync(view, learner)) return undefined;
  return scaling(view, { do: 'promote', name: learner.name, id: learner.id });
}

/** Its log is within a tenth of the leader's: etcd demands the same of a learner that is promoted. */
function isInSync(view: View, member: SeenMember): boolean {
  const last = Math.max(...view.members.map((one) => view.podOf(one)?.answer?.raftIndex ?? 0));
  return (view.podOf(member)?.answer?.raftAppliedIndex ?? 0) >= last * 0.9;
}

/** Members that may still come, or come back: until then nothing is added. One whose upgrade failed is put back, or on. */
function awaited(view: View): Plan | undefined {
  const { target } = view;
  const away = view.members.filter((member) => !view.isHealthy(member) || !member.isStarted || member.isLearner);
  const [first] = away;
  if (first === undefined) return undefined;
  const pod = view.podOf(first);
  const isPossible = pathProblem(view.versions, target) === undefined;
  if (away.length === 1 && pod !== undefined && !pod.isReady && pod.terminatingSince === undefined && !first.isLearner) {
    if (pod.version !== target && isPossible && view.isUpgradeVictim(first))
      return {
        stage: 'Upgrading',
        message: `${first.name} did not start with ${pod.version}`,
        action: { do: 'upgrade-pod', name: first.name, version: target },
      };
    if (view.isUpgradeVictim(first))
      return {
        stage: 'Upgrading',
        message: `${first.name} is not ready with ${pod.version}, no other Pod is touched${pod.problem === undefined ? '' : `: ${pod.problem}`}`,
      };
  }
  const stage = first.isLearner ? 'Scaling' : 'Recovering';
  const why = problemsOf(
    view,
    away.flatMap((member) => view.podOf(member) ?? []),
  );
  return { stage, message: `waits for ${why === '' ? away.map(({ name }) => name).join(', ') : why}` };
}

function grown(view: View): Plan | undefined {
  const { cluster, members, pods, claims } = view;
  if (members.length >= cluster.spec.size) return undefined;
  const name = nextName(
    cluster,
    members.map(({ id }) => id),
    new Set([...pods.keys(), ...claims.keys()]),
  );
  return scaling(view, { do: 'add-learner', name, peerUrl: peerUrl(cluster, name) });
}

// #region upgrade
/** One Pod at a time, and the leader last. The next one follows when all members run what their Pods say, are ready, and have the log. */
function upgraded(view: View): Plan | undefined {
  const { members, target, leader } = view;
  const outdated = members.filter((member) => view.podOf(member)?.version !== target);
  const problem = pathProblem(view.versions, target);
  if (problem !== undefined) return { stage: 'UpgradeRefused', message: problem };
  const unsettled = members.filter((member) => {
    const pod = view.podOf(member);
    return pod === undefined || !pod.isReady || pod.answer?.version !== pod.version || !isInSync(view, member);
  });
  if (outdated.length === 0) return unsettled.length === 0 ? undefined : settling(view, unsettled);
  if (unsettled.length > 0) return settling(view, unsettled);
  const [next] = outdated.toSorted((a, b) => rankOf(view, a) - rankOf(view, b));
  if (next === undefined) return undefined;
  const message = `${members.length - outdated.length} of ${members.length} members run ${target}`;
  const heir = next.id === leader?.id ? heirOf(view, next) : undefined;
  if (heir !== undefined)
    return { stage: 'Upgrading', message, action: { do: 'move-leader', from: next.name, to: heir.name, id: heir.id } };
  return { stage: 'Upgrading', message, action: { do: 'upgrade-pod', name: next.name, version: target } };
}
// #endregion

function settling(view: View, unsettled: readonly SeenMember[]): Plan | undefined {
  const isUpgrade = view.members.some((member) => {
    const pod = view.podOf(member);
    return pod?.version !== view.target || pod.answer?.version !== pod.version;
  });
  const names = unsettled.map(({ name }) => name).join(', ');
  return isUpgrade
    ? { stage: 'Upgrading', message: `waits for ${names} to be ready` }
    : { stage: 'Stable', message: `${names} is not ready yet` };
}

function recovering(message: string, action?: Action): Plan {
  return { stage: 'Recovering', message, action };
}

function scaling({ voters, cluster }: View, action: Action): Plan {
  return { stage: 'Scaling', message: `${voters.length} of ${cluster.spec.size} members`, action };
}

function problemsOf(_: View, pods: readonly SeenPod[]): string {
  return pods.flatMap(({ name, problem }) => (problem === undefined ? [] : [`${name}: ${problem}`])).join('; ');
}

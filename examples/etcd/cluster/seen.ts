/** The answer of one member about itself. */
export interface Answer {
  readonly clusterId: string;
  readonly memberId: string;
  /** Absent while it knows none: it cannot reach a quorum then. */
  readonly leader?: string | undefined;
  readonly version: string;
  readonly raftIndex: number;
  readonly raftAppliedIndex: number;
}

export interface SeenPod {
  readonly name: string;
  readonly createdAt: Date;
  /** Since when it is being deleted. */
  readonly terminatingSince?: Date | undefined;
  /** It has failed or succeeded, and starts nothing any more. */
  readonly isFinished: boolean;
  readonly isScheduled: boolean;
  readonly isReady: boolean;
  /** When it stopped being ready, or was made. */
  readonly unreadySince: Date;
  /** Why it is not ready, for people. */
  readonly problem?: string | undefined;
  /** Its data is in a claim, not in the Pod. */
  readonly hasClaim: boolean;
  readonly version: string;
  /** The members that its process expects when it starts for the first time, as {@link memberList} writes them. */
  readonly initialCluster: string;
  /** Hash of what the spec said about Pods. */
  readonly policy: string;
  /** Absent when it did not answer. */
  readonly answer?: Answer | undefined;
}

export interface SeenClaim {
  readonly name: string;
  readonly isTerminating: boolean;
  /** Id of its member, or `seed`. */
  readonly member: string;
}

/** An entry of etcd's list. */
export interface SeenMember {
  readonly id: string;
  /** The Pod of its peer URL. */
  readonly name: string;
  readonly peerUrl: string;
  readonly isStarted: boolean;
  readonly isLearner: boolean;
}

export interface SeenMembers {
  readonly clusterId: string;
  readonly members: readonly SeenMember[];
}

/** Everything that a decision follows from, beside the object and the time. */
export interface Seen {
  readonly pods: readonly SeenPod[];
  readonly claims: readonly SeenClaim[];
  /** As a quorum has it; absent when none did answer. */
  readonly list?: SeenMembers | undefined;
}

/** `m0=http://…:2380,m1=http://…:2380`, in order of the names. */
export function memberList(members: readonly { readonly name: string; readonly peerUrl: string }[]): string {
  return members
    .map(({ name, peerUrl }) => `${name}=${peerUrl}`)
    .sort()
    .join(',');
}

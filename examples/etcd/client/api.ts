import { external } from 'keelson';

/** PEM texts: the identity of the servers, and of the client. */
export interface EtcdTls {
  /** Certificates of the authority that has signed those of the servers. */
  readonly ca: string;
  /** The client's own certificate and key. Servers with `--client-cert-auth` ask for them. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

/** Where to send a call. A call that concerns one member, as `status` and `defragment` do, gets its endpoint alone. */
export interface EtcdTarget {
  /** Client URLs, as `http://m0.ring.shop.svc:2379`. They are tried in this order. */
  readonly endpoints: readonly string[];
  /** Needed for `https:`. */
  readonly tls?: EtcdTls | undefined;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds until a call is given up, for all endpoints together. @defaultValue 5,000 */
  readonly timeoutMs?: number | undefined;
}

export interface EtcdMember {
  /** A 64-bit number in decimal digits: a JavaScript number cannot hold it. */
  readonly id: string;
  /** Absent until its process has joined: etcd learns the name from it. */
  readonly name?: string | undefined;
  readonly peerUrls: readonly string[];
  /** Empty until its process has joined. */
  readonly clientUrls: readonly string[];
  readonly isLearner: boolean;
}

export interface EtcdMembers {
  readonly clusterId: string;
  readonly members: readonly EtcdMember[];
}

/** The list as it is after the change. */
export interface EtcdMemberAdded extends EtcdMembers {
  readonly member: EtcdMember;
}

/** One member's own view. It answers without a quorum as well: see `leader` and `errors`. */
export interface EtcdStatus {
  readonly clusterId: string;
  readonly memberId: string;
  /** Version of etcd, as `3.6.16`. */
  readonly version: string;
  readonly revision: number;
  /** Bytes of the file, and those of them in use. */
  readonly dbSize: number;
  readonly dbSizeInUse: number;
  /** Id of the leader; absent while the member knows none. */
  readonly leader?: string | undefined;
  readonly raftTerm: number;
  readonly raftIndex: number;
  readonly raftAppliedIndex: number;
  readonly isLearner: boolean;
  /** As `etcdserver: no leader`, and the alarms. */
  readonly errors: readonly string[];
}

export interface EtcdHealth {
  readonly isHealthy: boolean;
  readonly reason?: string | undefined;
}

export interface EtcdAlarm {
  readonly memberId: string;
  readonly alarm: 'NOSPACE' | 'CORRUPT';
}

export interface KeyValue {
  readonly key: string;
  readonly value: string;
  readonly createRevision: number;
  readonly modRevision: number;
  readonly version: number;
}

export interface RangeOptions extends CallOptions {
  /** All keys that begin with the key. @defaultValue false */
  readonly isPrefix?: boolean | undefined;
  /** From the member that was asked, also without a quorum; it may be old. @defaultValue false */
  readonly isSerializable?: boolean | undefined;
  readonly limit?: number | undefined;
  /** As the keys were at this revision. @defaultValue the newest */
  readonly revision?: number | undefined;
}

export interface RangeAnswer {
  readonly revision: number;
  readonly keyValues: readonly KeyValue[];
  /** Number of all keys in the range, beyond `limit` too. */
  readonly count: number;
}

/** A condition of a transaction: about the version of a key (0 if it does not exist), its last revision, or its value. */
export type Compare =
  | { readonly key: string; readonly version: number }
  | { readonly key: string; readonly modRevision: number }
  | { readonly key: string; readonly value: string };

export type TxnOperation = { readonly put: string; readonly value: string } | { readonly delete: string } | { readonly range: string };

export interface Txn {
  readonly compare: readonly Compare[];
  readonly success: readonly TxnOperation[];
  readonly failure?: readonly TxnOperation[] | undefined;
}

export interface TxnAnswer {
  readonly revision: number;
  readonly succeeded: boolean;
  /** Results of each `range`, in order; empty for the other operations. */
  readonly responses: readonly (readonly KeyValue[])[];
}

export interface SnapshotOptions {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds without a byte until the stream is given up; its length has no limit. @defaultValue 30,000 */
  readonly idleTimeoutMs?: number | undefined;
}

/** A snapshot as it comes. The bytes are those of `etcdctl snapshot save`: the database, then its SHA-256. */
export interface Snapshot extends AsyncIterable<Uint8Array> {
  readonly endpoint: string;
}

/**
 * The calls of etcd that an operator needs.
 *
 * Reads go to the next endpoint when one cannot answer. A change goes to the next one only when it has not been done for sure: no connection, a learner that may not,
 * a member that is not the leader. Otherwise it ends with an {@link EtcdError}, whose `mayHaveHappened` says whether to look first.
 */
export interface EtcdApi {
  /** Asks the first endpoint that answers. */
  status(target: EtcdTarget, options?: CallOptions): Promise<EtcdStatus>;
  /** `/health` of the first endpoint that answers: it serves linearizable reads. A learner answers too. */
  health(target: EtcdTarget, options?: CallOptions): Promise<EtcdHealth>;
  /** As the quorum has it: without one the call fails, and a member that lags behind does not answer with an old list. */
  members(target: EtcdTarget, options?: CallOptions): Promise<EtcdMembers>;
  /** A voter at once. On a cluster of one, the quorum is lost until its process has started. */
  addMember(target: EtcdTarget, peerUrls: readonly string[], options?: CallOptions): Promise<EtcdMemberAdded>;
  addLearner(target: EtcdTarget, peerUrls: readonly string[], options?: CallOptions): Promise<EtcdMemberAdded>;
  promoteMember(target: EtcdTarget, id: string, options?: CallOptions): Promise<EtcdMembers>;
  removeMember(target: EtcdTarget, id: string, options?: CallOptions): Promise<EtcdMembers>;
  /** Not for learners: etcd 3.4 makes voters of them. */
  updateMember(target: EtcdTarget, id: string, peerUrls: readonly string[], options?: CallOptions): Promise<EtcdMembers>;
  /** The leader must be among the endpoints. */
  moveLeader(target: EtcdTarget, id: string, options?: CallOptions): Promise<void>;
  alarms(target: EtcdTarget, options?: CallOptions): Promise<readonly EtcdAlarm[]>;
  disarm(target: EtcdTarget, alarm: EtcdAlarm, options?: CallOptions): Promise<void>;
  /** Defragments the first endpoint that can be reached. It serves nothing meanwhile. */
  defragment(target: EtcdTarget, options?: CallOptions): Promise<void>;
  range(target: EtcdTarget, key: string, options?: RangeOptions): Promise<RangeAnswer>;
  /** @returns the revision */
  put(target: EtcdTarget, key: string, value: string, options?: CallOptions): Promise<number>;
  /** @returns how many keys were there */
  delete(target: EtcdTarget, key: string, options?: CallOptions & Pick<RangeOptions, 'isPrefix'>): Promise<number>;
  txn(target: EtcdTarget, txn: Txn, options?: CallOptions): Promise<TxnAnswer>;
  /** Reads from the first endpoint that can be reached; one that breaks off ends the stream with an error. */
  snapshot(target: EtcdTarget, options?: SnapshotOptions): Promise<Snapshot>;
}

/** etcd, for `uses`. The process gives `createEtcdGateway()`, tests a `FakeEtcd`. */
export const etcd = external<EtcdApi>();

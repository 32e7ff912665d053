/** Why etcd has refused a call. The texts are those of `api/v3rpc/rpctypes/error.go`. */
const REASONS = {
  /** A voter is not connected for 5 s yet, or has not started: "not yet". */
  UnhealthyCluster: 'unhealthy cluster',
  /** Too few voters would be left. */
  NotEnoughStartedMembers: 're-configuration failed due to not enough started members',
  PeerUrlsExist: 'Peer URLs already exists',
  MemberExists: 'member ID already exist',
  InvalidPeerUrls: 'given member URLs are invalid',
  TooManyLearners: 'too many learner members in cluster',
  /** The learner has too little of the log yet: "not yet". */
  LearnerNotReady: 'can only promote a learner member which is in sync with leader',
  NotALearner: 'can only promote a learner member',
  MemberNotFound: 'member not found',
  NotSupportedForLearner: 'rpc not supported for learner',
  NotLeader: 'not leader',
  NoLeader: 'no leader',
  BadLeaderTransferee: 'bad leader transferee',
  NoSpace: 'database space exceeded',
  Compacted: 'mvcc: required revision has been compacted',
  FutureRevision: 'mvcc: required revision is a future revision',
  PermissionDenied: 'permission denied',
} as const;

/** `Other`: see `message`. */
export type EtcdRefusal = keyof typeof REASONS | 'Other';

/**
 * | code | means |
 * |---|---|
 * | `Unavailable` | no endpoint could be reached, or none can answer now: nothing was done |
 * | `Timeout` | no answer in time, or a connection that broke: a change may have been done |
 * | `Refused` | etcd has answered: it does not do this, see `reason` |
 * | `InvalidAnswer` | the answer is not one of etcd, as from a proxy: a change may have been done |
 */
export type EtcdErrorCode = 'Unavailable' | 'Timeout' | 'Refused' | 'InvalidAnswer';

export interface EtcdErrorDetails {
  readonly reason?: EtcdRefusal | undefined;
  readonly grpcCode?: number | undefined;
  readonly endpoint?: string | undefined;
  readonly mayHaveHappened?: boolean | undefined;
  readonly cause?: unknown;
}

/**
 * A call of etcd that has failed.
 *
 * @example
 * ```ts
 * try {
 *   await etcd.addLearner(target, ['http://m1:2380'], { signal });
 * } catch (error) {
 *   if (isEtcdError(error, 'Refused', 'UnhealthyCluster')) return done({ requeueAfter: '2s' });
 *   throw error;
 * }
 * ```
 */
export class EtcdError extends Error {
  override readonly name = 'EtcdError';
  readonly code: EtcdErrorCode;
  /** Why etcd refuses; `undefined` for other failures. */
  readonly reason: EtcdRefusal | undefined;
  readonly grpcCode: number | undefined;
  readonly endpoint: string | undefined;
  /** A change may have been done all the same: look before it is asked for again. False for reads. */
  readonly mayHaveHappened: boolean;

  constructor(code: EtcdErrorCode, message: string, { reason, grpcCode, endpoint, mayHaveHappened = false, cause }: EtcdErrorDetails = {}) {
    super(message, cause === undefined ? {} : { cause });
    this.code = code;
    this.reason = reason;
    this.grpcCode = grpcCode;
    this.endpoint = endpoint;
    this.mayHaveHappened = mayHaveHappened;
  }
}

/** An {@link EtcdError}, of this code and reason if they are given. */
export function isEtcdError(error: unknown, code?: EtcdErrorCode, reason?: EtcdRefusal): error is EtcdError {
  return error instanceof EtcdError && (code === undefined || error.code === code) && (reason === undefined || error.reason === reason);
}

/** An error as etcd sends it, for a fake. */
export function refusal(reason: Exclude<EtcdRefusal, 'Other'>, grpcCode: number, endpoint?: string): EtcdError {
  return new EtcdError('Refused', `etcdserver: ${REASONS[reason]}`, { reason, grpcCode, endpoint });
}

/** The reason for a text of etcd: the longest that it contains, as some are parts of others. */
export function reasonOf(text: string): EtcdRefusal {
  const found = (Object.entries(REASONS) as [keyof typeof REASONS, string][]).filter(([, known]) => text.includes(known));
  return found.sort(([, a], [, b]) => b.length - a.length)[0]?.[0] ?? 'Other';
}

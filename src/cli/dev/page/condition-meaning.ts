/** The meaning of a condition for its object. `none`: only its author knows. */
export type ConditionMeaning = 'good' | 'bad' | 'waiting' | 'none';

/** Types that are `True` in the good case: those of Kubernetes' own kinds, of kstatus, and of controllers that follow its convention. */
const POSITIVE =
  /^(Ready|Available|Progressing|Complete|Completed|SuccessCriteriaMet|Succeeded|Healthy|Synced|Initialized|PodScheduled|ContainersReady|PodReadyToStartContainers|Established|NamesAccepted)$|^(?!Not)\w*(Ready|Available)$/;

/** Types that are `True` in the bad case. */
const NEGATIVE =
  /^(Stalled|Degraded|Failed|FailureTarget|ReplicaFailure|DisruptionTarget|NetworkUnavailable|NonStructuralSchema)$|Pressure$/;

/** Types that are `True` while a controller works on the object, or while a user has paused it. */
const UNDER_WAY = /^(Reconciling|Suspended|Paused|Terminating)$/;

/** Reasons of a failed run, which is not progress. */
const FAILED_REASON = /Failed$|Error$/;

/**
 * The meaning of a condition by its type, not by its status alone: `Stalled=True` is bad.
 *
 * Source: kstatus, "Conditions with abnormal-true polarity", and the API conventions of Kubernetes.
 */
export function conditionMeaning({
  type,
  status,
  reason,
}: {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
}): ConditionMeaning {
  if (UNDER_WAY.test(type)) return status === 'False' ? 'none' : FAILED_REASON.test(reason) ? 'bad' : 'waiting';
  const isPositive = POSITIVE.test(type);
  if (!isPositive && !NEGATIVE.test(type)) return 'none';
  if (status !== 'True' && status !== 'False') return 'waiting';
  if (isPositive) return status === 'True' ? 'good' : 'bad';
  return status === 'True' ? 'bad' : 'none';
}

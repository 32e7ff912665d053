import { type FieldError, invalid } from '../../../../kubernetes/index.js';
import type { ReplicaSetStatus } from '../drafts.js';
import { isDecremented, nonNegative } from './field-checks.js';
import type { Errors } from './rules.js';

type Counts = Readonly<Record<string, number | undefined>>;

/** Counters of a status are not negative, in this order. */
export function countErrors(counts: Counts, path = 'status'): Errors {
  return Object.entries(counts).flatMap(([name, count]) => nonNegative(count, `${path}.${name}`));
}

/** None of the counters exceeds another. */
export function atMostErrors(counts: Counts, most: number | undefined, text: string): Errors {
  return Object.entries(counts).flatMap(([name, count = 0]) => (count > (most ?? 0) ? [invalid(`status.${name}`, count, text)] : []));
}

export function collisionCountErrors(count: number | undefined, old: number | undefined): readonly FieldError[] {
  return isDecremented(count, old) ? [invalid('status.collisionCount', count ?? 0, 'cannot be decremented')] : [];
}

/** The status of a ReplicaSet or a ReplicationController. */
export function replicaStatusErrors(status: ReplicaSetStatus): Errors {
  const { replicas, fullyLabeledReplicas, readyReplicas, availableReplicas, observedGeneration, terminatingReplicas } = status;
  return [
    ...countErrors({ replicas, fullyLabeledReplicas, readyReplicas, availableReplicas, observedGeneration, terminatingReplicas }),
    ...atMostErrors({ fullyLabeledReplicas, readyReplicas, availableReplicas }, replicas, 'cannot be greater than status.replicas'),
    ...atMostErrors({ availableReplicas }, readyReplicas, 'cannot be greater than readyReplicas'),
  ];
}

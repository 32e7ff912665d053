import { type FieldError, invalid } from '@keelson/kubernetes/apimachinery';
import type { ReplicaSetStatus } from '../drafts.js';
import { isDecremented, nonNegative } from './field-checks.js';
import type { Errors, Rule } from './rules.js';

type Counts = Readonly<Record<string, number | undefined>>;

/** Counters of a status are not negative, in this order. */
export function countErrors(counts: Counts, path = 'status'): Errors {
  return Object.entries(counts).flatMap(([name, count]) => nonNegative(count, `${path}.${name}`));
}

type Counter<T> = keyof T & string;

/** Counters of which none exceeds another, and the text if one does. */
interface Limit<T> {
  readonly of: readonly Counter<T>[];
  readonly most: Counter<T>;
  readonly text: string;
}

/** The counters of a status in the order in which the server looks at them, then their limits. */
export function counters<T extends object>(names: readonly Counter<T>[], ...limits: readonly Limit<T>[]): Rule<T> {
  return (status = {} as T, path) => {
    const count = (name: Counter<T>): number => (status[name] as number | undefined) ?? 0;
    const over = ({ of, most, text }: Limit<T>): Errors =>
      of.filter((name) => count(name) > count(most)).map((name) => invalid(`${path}.${name}`, count(name), text));
    return [...names.flatMap((name) => nonNegative(count(name), `${path}.${name}`)), ...limits.flatMap(over)];
  };
}

export function collisionCountErrors(count: number | undefined, old: number | undefined): readonly FieldError[] {
  return isDecremented(count, old) ? [invalid('status.collisionCount', count ?? 0, 'cannot be decremented')] : [];
}

/** The status of a ReplicaSet or a ReplicationController. */
export const replicaStatus: Rule<ReplicaSetStatus> = counters<ReplicaSetStatus>(
  ['replicas', 'fullyLabeledReplicas', 'readyReplicas', 'availableReplicas', 'observedGeneration', 'terminatingReplicas'],
  { of: ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'], most: 'replicas', text: 'cannot be greater than status.replicas' },
  { of: ['availableReplicas'], most: 'readyReplicas', text: 'cannot be greater than readyReplicas' },
);

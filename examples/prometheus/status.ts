import type { ConditionInput } from 'keelson';
import type { Pod, StatefulSet } from 'keelson/kinds';
import type { Prometheus } from './kinds.js';
import { objectLabels, SHARD_LABEL, statefulSetName } from './names.js';
import { shardsOf } from './scrape.js';
import { replicasOf } from './stateful-set.js';

type Status = NonNullable<Prometheus['status']>;
type ShardStatus = NonNullable<Status['shardStatuses']>[number];

export interface StatusQuestion {
  readonly prometheus: Prometheus;
  readonly statefulSets: readonly StatefulSet[];
  readonly pods: readonly Pod[];
}

/** Counts of Pods: of each shard, and of all. */
export function statusOf({ prometheus, statefulSets }: StatusQuestion): Omit<Status, 'conditions'> {
  const shards = Array.from({ length: shardsOf(prometheus) }, (_, shard) =>
    shardStatus(prometheus, shard, setOf(prometheus, shard, statefulSets)),
  );
  const sum = (field: Exclude<keyof ShardStatus, 'shardID'>): number => shards.reduce((total, shard) => total + shard[field], 0);
  return {
    paused: prometheus.spec.paused,
    replicas: sum('replicas'),
    updatedReplicas: sum('updatedReplicas'),
    availableReplicas: sum('availableReplicas'),
    unavailableReplicas: sum('unavailableReplicas'),
    shards: shards.length,
    shardStatuses: shards,
    selector: Object.entries(objectLabels(prometheus.metadata.name))
      .map(([label, value]) => `${label}=${value}`)
      .join(','),
  };
}

function setOf({ metadata: { name } }: Prometheus, shard: number, statefulSets: readonly StatefulSet[]): StatefulSet | undefined {
  return statefulSets.find(({ metadata }) => metadata.name === statefulSetName(name, shard));
}

function shardStatus(prometheus: Prometheus, shard: number, set: StatefulSet | undefined): ShardStatus {
  const { replicas = 0, updatedReplicas = 0, availableReplicas = 0 } = set?.status ?? {};
  return {
    shardID: String(shard),
    replicas,
    updatedReplicas,
    availableReplicas,
    unavailableReplicas: Math.max(0, replicasOf(prometheus) - availableReplicas),
  };
}

// #region available
/**
 * `True` if all Pods of all shards serve, `False` if a shard has none. In between it is `Unknown`, with the reason `SomePodsNotReady`: a condition of the API has
 * these three states, and none for degraded.
 */
export function availableOf(question: StatusQuestion): ConditionInput {
  const shards = Array.from({ length: shardsOf(question.prometheus) }, (_, shard) => availabilityOf(question, shard));
  const worst = shards.find(({ status }) => status === false) ?? shards.find(({ status }) => status === 'Unknown');
  const message = shards.flatMap(({ messages }) => messages).join('\n');
  return { type: 'Available', status: worst?.status ?? true, reason: worst?.reason ?? 'AllPodsReady', message };
}
// #endregion

interface Availability {
  readonly status: ConditionInput['status'];
  readonly reason: string;
  readonly messages: readonly string[];
}

function availabilityOf({ prometheus, statefulSets, pods }: StatusQuestion, shard: number): Availability {
  const set = setOf(prometheus, shard, statefulSets);
  const text = (problem: string): string => `shard ${shard}: ${problem}`;
  if (set === undefined) return { status: false, reason: 'StatefulSetNotFound', messages: [text('there is no StatefulSet')] };
  const { availableReplicas = 0 } = set.status ?? {};
  const wanted = replicasOf(prometheus);
  if (availableReplicas >= wanted) return { status: true, reason: 'AllPodsReady', messages: [] };
  const messages = pods
    .filter(({ metadata }) => metadata.labels?.[SHARD_LABEL] === String(shard))
    .toSorted((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1))
    .flatMap((pod) => problemsOf(pod).map(text));
  if (availableReplicas === 0) return { status: false, reason: 'NoPodReady', messages };
  return { status: 'Unknown', reason: 'SomePodsNotReady', messages };
}

function problemsOf({ metadata, status = {} }: Pod): string[] {
  const ready = status.conditions?.find(({ type }) => type === 'Ready');
  if (ready?.status === 'True') return [];
  const unscheduled = status.conditions?.find(({ type, status: is }) => type === 'PodScheduled' && is === 'False');
  const why = unscheduled?.message ?? ready?.message ?? status.message ?? `it is ${status.phase ?? 'Pending'}`;
  return [`pod ${metadata.name}: ${why}`];
}

/** Whether every Pod serves, and is what the spec says. */
export function isRolledOut({ prometheus, statefulSets }: StatusQuestion): boolean {
  const wanted = replicasOf(prometheus);
  return Array.from({ length: shardsOf(prometheus) }, (_, shard) => setOf(prometheus, shard, statefulSets)).every((set) => {
    const { observedGeneration, replicas = 0, updatedReplicas = 0, availableReplicas = 0 } = set?.status ?? {};
    const isSeen = set !== undefined && observedGeneration === set.metadata.generation && set.spec?.replicas === wanted;
    return isSeen && replicas === wanted && updatedReplicas === wanted && availableReplicas === wanted;
  });
}

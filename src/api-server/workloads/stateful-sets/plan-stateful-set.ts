import type { ControllerRevision, Pod, StatefulSet } from '@keelson/kubernetes/kinds';
import { isAvailable, isGoing, isReady, isTerminal } from '../pods/index.js';
import { isInRange, ordinalIn, revisionOf, startOf } from './identity.js';

type Status = NonNullable<StatefulSet['status']>;

export interface StatefulState {
  readonly set: StatefulSet;
  /** Its own. */
  readonly pods: readonly Pod[];
  readonly current: ControllerRevision;
  readonly update: ControllerRevision;
  readonly collisionCount: number;
  readonly now: Date;
}

export type StatefulAction =
  | { readonly do: 'create'; readonly ordinal: number; readonly revision: ControllerRevision }
  /** Its claims, identity and retention are set right. */
  | { readonly do: 'mend'; readonly pod: Pod }
  | { readonly do: 'delete'; readonly pod: Pod };

export interface StatefulPlan {
  readonly actions: readonly StatefulAction[];
  readonly status: Status;
}

/** The next step of a StatefulSet: one at most, from a healthy state, unless it may work in parallel. Source: kubernetes `pkg/controller/statefulset`. */
export function planStatefulSet(state: StatefulState): StatefulPlan {
  const steps = new Steps(state);
  if (state.set.metadata.deletionTimestamp === undefined) steps.take();
  return { actions: steps.actions, status: statusOf(state, steps.replaced) };
}

class Steps {
  readonly actions: StatefulAction[] = [];
  /** Pods that go for a new revision. */
  replaced = 0;
  readonly #state: StatefulState;
  readonly #isOrdered: boolean;
  readonly #byOrdinal: ReadonlyMap<number, Pod>;

  constructor(state: StatefulState) {
    this.#state = state;
    this.#isOrdered = state.set.spec.podManagementPolicy !== 'Parallel';
    this.#byOrdinal = new Map(
      state.pods.flatMap((pod) => {
        const ordinal = ordinalIn(state.set, pod.metadata.name);
        return ordinal === undefined ? [] : [[ordinal, pod]];
      }),
    );
  }

  take(): void {
    const { set } = this.#state;
    const start = startOf(set);
    const ordinals = Array.from({ length: set.spec.replicas ?? 1 }, (_, index) => start + index);
    for (const ordinal of ordinals) if (this.#fill(ordinal) && this.#isOrdered) return;
    const condemned = [...this.#byOrdinal].filter(([ordinal]) => !isInRange(set, ordinal)).sort(([left], [right]) => right - left);
    for (const [, pod] of condemned) this.actions.push({ do: 'mend', pod });
    if (
      this.#condemn(
        condemned.map(([, pod]) => pod),
        ordinals,
      )
    )
      return;
    if (set.spec.updateStrategy?.type !== 'OnDelete') this.#rollOut(ordinals);
  }

  /** @returns whether the ones behind have to wait */
  #fill(ordinal: number): boolean {
    const pod = this.#byOrdinal.get(ordinal);
    if (pod === undefined) {
      this.actions.push({ do: 'create', ordinal, revision: this.#revisionFor(ordinal) });
      return true;
    }
    if (isTerminal(pod)) {
      if (!isGoing(pod)) this.actions.push({ do: 'delete', pod });
      return true;
    }
    this.actions.push({ do: 'mend', pod });
    return isGoing(pod) || !this.#isAvailable(pod);
  }

  /** @returns whether nothing more may be done */
  #condemn(condemned: readonly Pod[], ordinals: readonly number[]): boolean {
    const kept = ordinals.map((ordinal) => this.#byOrdinal.get(ordinal));
    const isUnhealthy = (pod: Pod | undefined): boolean => pod === undefined || isGoing(pod) || !this.#isAvailable(pod);
    const firstUnhealthy = [...kept, ...[...condemned].reverse()].find(isUnhealthy);
    for (const pod of condemned) {
      if (isGoing(pod)) {
        if (this.#isOrdered) return true;
        continue;
      }
      if (this.#isOrdered && !this.#isAvailable(pod) && pod !== firstUnhealthy) return true;
      this.actions.push({ do: 'delete', pod });
      if (this.#isOrdered) return true;
    }
    return false;
  }

  /** The highest number first; what is below the partition stays. */
  #rollOut(ordinals: readonly number[]): void {
    const { set, update } = this.#state;
    const { partition = 0 } = set.spec.updateStrategy?.rollingUpdate ?? {};
    for (const ordinal of ordinals.slice(partition).reverse()) {
      const pod = this.#byOrdinal.get(ordinal);
      if (pod !== undefined && revisionOf(pod) !== update.metadata.name && !isGoing(pod)) {
        if (!isTerminal(pod)) {
          this.actions.push({ do: 'delete', pod });
          this.replaced += 1;
        }
        return;
      }
      if (pod === undefined || isGoing(pod) || !this.#isAvailable(pod)) return;
    }
  }

  #isAvailable(pod: Pod): boolean {
    const { set, now } = this.#state;
    return isAvailable(pod, { minReadySeconds: set.spec.minReadySeconds ?? 0, now });
  }

  /** A Pod below the partition comes back as it was. */
  #revisionFor(ordinal: number): ControllerRevision {
    const { set, current, update } = this.#state;
    const { type = 'RollingUpdate', rollingUpdate } = set.spec.updateStrategy ?? {};
    if (type === 'OnDelete' && rollingUpdate === undefined) return update;
    const old = rollingUpdate === undefined ? (set.status?.currentReplicas ?? 0) : (rollingUpdate.partition ?? 0);
    return ordinal < startOf(set) + old ? current : update;
  }
}

function statusOf({ set, pods, current, update, collisionCount, now }: StatefulState, replaced: number): Status {
  const { minReadySeconds = 0 } = set.spec;
  const ready = pods.filter((pod) => pod.status?.phase === 'Running' && isReady(pod));
  const at = ({ metadata: { name } }: ControllerRevision): number => pods.filter((pod) => !isGoing(pod) && revisionOf(pod) === name).length;
  const status: Status = {
    observedGeneration: set.metadata.generation,
    replicas: pods.length,
    readyReplicas: ready.length,
    availableReplicas: ready.filter((pod) => isAvailable(pod, { minReadySeconds, now })).length,
    currentReplicas: at(current) - replaced,
    updatedReplicas: at(update),
    currentRevision: current.metadata.name,
    updateRevision: update.metadata.name,
    collisionCount,
  };
  const { replicas = 1 } = set.spec;
  const isComplete = status.updatedReplicas === replicas && status.readyReplicas === replicas && status.replicas === replicas;
  if (set.spec.updateStrategy?.type === 'OnDelete' || !isComplete) return status;
  return { ...status, currentReplicas: replicas, currentRevision: update.metadata.name };
}

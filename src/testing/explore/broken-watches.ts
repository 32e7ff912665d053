import { userInfoOf } from '../cluster/index.js';
import type { WatchBreak } from './plan.js';
import type { VirtualCluster } from './world.js';

/** A watch that says nothing is taken for dead after five minutes. */
const SILENCE_MS = 330_000;

/** Watches of the operator that break, expire or fall silent. */
export class BrokenWatches {
  readonly #cluster: VirtualCluster;
  readonly #replicas: number;
  #silentUntilMs = Number.NEGATIVE_INFINITY;

  constructor(cluster: VirtualCluster, replicas: number) {
    this.#cluster = cluster;
    this.#replicas = replicas;
  }

  /** How long it still takes until a watch that says nothing is taken for dead. */
  get silentMs(): number {
    return Math.max(0, this.#silentUntilMs - this.#cluster.clock.monotonicMs());
  }

  /** @param resource `deployments.apps`; the event of its change comes next */
  break(resource: string, how: WatchBreak): void {
    const { faults, operator, clock } = this.#cluster;
    const rule = { watch: resource, user: userInfoOf(operator).username, after: 0, times: this.#replicas };
    if (how === 'breaks') faults.drop(rule);
    else if (how === 'expires') faults.expire(rule);
    else faults.silence(rule);
    if (how === 'falls silent') this.#silentUntilMs = clock.monotonicMs() + SILENCE_MS;
  }

  /** Watches that say nothing break, and are begun anew. */
  endSilence(): void {
    const { faults, operator } = this.#cluster;
    faults.drop({ watch: '*', user: userInfoOf(operator).username, times: Number.POSITIVE_INFINITY }).remove();
    this.#silentUntilMs = Number.NEGATIVE_INFINITY;
  }
}

import type { EtcdApi, EtcdTarget } from '../../../../examples/etcd/client/api.js';
import type { ListedMember } from './journal.js';
import type { MembershipJudge } from './membership-judge.js';
import { listed } from './recorded.js';

const EVERY_MS = 100;

export interface MemberWatchOptions {
  /** Gives peer URLs as the operator does. */
  readonly etcd: EtcdApi;
  /** Who serves now. */
  readonly target: () => Promise<EtcdTarget>;
  /** Knows the calls of all processes of the operator. Absent where nobody can hear of them: what the list shows is judged by itself then. */
  readonly judge?: MembershipJudge;
  /** As the endpoints of the operator name it: `ring.shop.svc`. */
  readonly cluster: string;
}

/** Looks at the list of members ten times a second, and collects what must never be: there, and among the calls of the operator. */
export class MemberWatch {
  readonly clusterIds: Set<string> = new Set();
  readonly #seenIds = new Set<string>();
  readonly #problems: string[] = [];
  readonly #options: MemberWatchOptions;
  readonly #ended: Promise<void>;
  #last: readonly ListedMember[] = [];
  #isStopped = false;

  constructor(options: MemberWatchOptions) {
    this.#options = options;
    this.#ended = this.#run();
  }

  get problems(): readonly string[] {
    const { judge, cluster } = this.#options;
    return [...this.#problems, ...(judge?.problemsOf(cluster) ?? [])];
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#ended;
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      // Without a quorum there is no list; then nothing changes either.
      const answer = await this.#look().catch(() => undefined);
      if (answer !== undefined) this.#take(answer.clusterId, answer.members.map(listed));
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    }
  }

  async #look() {
    const { etcd, target } = this.#options;
    return etcd.members(await target(), { timeoutMs: 1_000 });
  }

  #take(clusterId: string, members: readonly ListedMember[]): void {
    const { judge, cluster } = this.#options;
    this.clusterIds.add(clusterId);
    const before = new Map(this.#last.map((member) => [member.id, member]));
    const now = new Map(members.map((member) => [member.id, member]));
    const added = members.filter(({ id }) => !before.has(id));
    const removed = this.#last.filter(({ id }) => !now.has(id));
    // What an added learner has become since is seen with it.
    const promoted = members.filter(({ id, isLearner }) => !isLearner && before.get(id)?.isLearner === true);
    // Who has looked first finds those that were there already.
    if (this.#last.length > 0) {
      judge?.takeList(cluster, { added, promoted, removed });
      if (added.length > 1) this.#problems.push(`${added.length} members were added at once`);
    }
    const unstarted = members.filter(({ isStarted }) => !isStarted);
    if (unstarted.length > 1) this.#problems.push(`${unstarted.length} members are listed and have not started`);
    if (unstarted.some(({ isLearner }) => !isLearner)) this.#problems.push('a member that has not started is a voter');
    if (members.filter(({ isLearner }) => isLearner).length > 1) this.#problems.push('there are two learners');
    for (const { id } of added) {
      if (this.#seenIds.has(id)) this.#problems.push(`member ${id} came back`);
      this.#seenIds.add(id);
    }
    this.#last = members;
  }
}

import type { Change, Entry, ListedMember } from './journal.js';

interface Call {
  readonly by: string;
  readonly call: number;
  readonly change: Change;
  readonly whom: string;
  outcome: 'open' | 'done' | 'refused' | 'unknown';
  /** The list has been seen with its effect. */
  isSeen: boolean;
}

/** What is known of one cluster. */
class Cluster {
  readonly calls: Call[] = [];
  /** Looks that began since the last change was answered, by process and number. */
  looks = new Set<string>();
  /** The list as it was seen since then; undefined: nobody has looked. */
  seen: readonly ListedMember[] | undefined;
}

/** What a list shows, and the list before did not. */
export interface ListChange {
  readonly added: readonly ListedMember[];
  readonly promoted: readonly ListedMember[];
  readonly removed: readonly ListedMember[];
}

/**
 * Whether there are ever two changes of the membership in flight. No time is allowed for: it follows from the order of the calls that all processes of an operator
 * make.
 *
 * - A change begins when the one before is answered, whoever has made it.
 * - Between two changes somebody has read the list through the quorum. That of a call whose answer is lost is seen there, too.
 * - Nobody is added while the list has a member that has not started, or a learner.
 * - What the list shows otherwise than before is what calls have asked for, one by one.
 */
export class MembershipJudge {
  readonly #clusters = new Map<string, Cluster>();
  readonly #problems = new Map<string, string[]>();

  /** What must not be, of a cluster: `ring.shop.svc`. */
  problemsOf(cluster: string): readonly string[] {
    return this.#problems.get(cluster) ?? [];
  }

  /** What was asked for, in its order. */
  changesOf(cluster: string): readonly Change[] {
    return this.#of(cluster).calls.map(({ change }) => change);
  }

  /** Takes what happens next. */
  readonly take = (entry: Entry): void => {
    if (entry.what === 'was killed') {
      for (const [name, cluster] of this.#clusters)
        for (const call of cluster.calls) if (call.by === entry.by && call.outcome === 'open') this.#answered(name, call, 'unknown');
      return;
    }
    const cluster = this.#of(entry.cluster);
    const key = `${entry.by} ${entry.call}`;
    switch (entry.what) {
      case 'looks':
        cluster.looks.add(key);
        return;
      case 'sees':
        // One that began before the last answer may not have its effect.
        if (cluster.looks.has(key)) cluster.seen = entry.members;
        return;
      case 'begins': {
        const { by, call, change, whom } = entry;
        const begun: Call = { by, call, change, whom, outcome: 'open', isSeen: false };
        this.#check(entry.cluster, cluster, begun);
        cluster.calls.push(begun);
        return;
      }
      case 'ends': {
        const ended = cluster.calls.find(({ by, call, outcome }) => by === entry.by && call === entry.call && outcome === 'open');
        if (ended !== undefined) this.#answered(entry.cluster, ended, entry.outcome);
      }
    }
  };

  /** A list was seen by somebody else: each change of it must be one that was asked for. */
  takeList(name: string, { added, promoted, removed }: ListChange): void {
    const take = (what: string, { id, peerUrl }: ListedMember, changes: readonly Change[]): void => {
      const call = this.#of(name).calls.find(
        ({ change, whom, outcome, isSeen }) => !isSeen && outcome !== 'refused' && changes.includes(change) && [id, peerUrl].includes(whom),
      );
      if (call === undefined) this.#say(name, `member ${id} (${peerUrl}) was ${what}, and no call has asked for it`);
      else call.isSeen = true;
    };
    for (const member of added) take('added', member, ['addMember', 'addLearner']);
    for (const member of promoted) take('promoted', member, ['promoteMember']);
    for (const member of removed) take('removed', member, ['removeMember']);
  }

  #check(name: string, { calls, seen }: Cluster, next: Call): void {
    const text = textOf(next);
    for (const open of calls) if (open.outcome === 'open') this.#say(name, `${text} begins while ${textOf(open)} is not answered`);
    const last = calls.at(-1);
    if (last !== undefined && last.outcome !== 'open' && seen === undefined)
      this.#say(name, `${text} begins, and nobody has read the list since ${textOf(last)}`);
    if (next.change !== 'addMember' && next.change !== 'addLearner') return;
    const unfinished = seen?.filter(({ isStarted, isLearner }) => !isStarted || isLearner) ?? [];
    for (const { id, isStarted } of unfinished)
      this.#say(name, `${text} begins while member ${id} ${isStarted ? 'is a learner' : 'has not started'}`);
  }

  #answered(name: string, call: Call, outcome: Call['outcome']): void {
    call.outcome = outcome;
    const cluster = this.#of(name);
    cluster.looks = new Set();
    cluster.seen = undefined;
  }

  #of(name: string): Cluster {
    const known = this.#clusters.get(name) ?? new Cluster();
    this.#clusters.set(name, known);
    return known;
  }

  #say(name: string, problem: string): void {
    this.#problems.set(name, [...(this.#problems.get(name) ?? []), problem]);
  }
}

const textOf = ({ by, change, whom }: Call): string => `${change} of ${whom} by ${by}`;

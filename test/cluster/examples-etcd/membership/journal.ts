/** Calls that change the list of members of a cluster. To hand over the lead changes no list. */
export const CHANGES = ['addMember', 'addLearner', 'promoteMember', 'removeMember', 'updateMember'] as const;
export type Change = (typeof CHANGES)[number];

/** As much of a member as the rules are about. */
export interface ListedMember {
  readonly id: string;
  readonly peerUrl: string;
  /** It has told its name. */
  readonly isStarted: boolean;
  readonly isLearner: boolean;
}

interface OfACall {
  /** The process; one that is started again is another. */
  readonly by: string;
  /** The cluster, as the endpoints name it: `ring.shop.svc`. */
  readonly cluster: string;
  /** The same number for begin and end, among those of one process. */
  readonly call: number;
}

/**
 * What a process does with the membership of clusters, in the order in which it happens. Plain data: a process may write it line by line, and another may judge it
 * after the first one was killed.
 */
export type Entry =
  | (OfACall & {
      readonly what: 'begins';
      readonly change: Change;
      /** Peer URL of who is added, id of any other. */
      readonly whom: string;
    })
  | (OfACall & { readonly what: 'ends'; readonly outcome: 'done' | 'refused' | 'unknown' })
  | (OfACall & { readonly what: 'looks' })
  | (OfACall & { readonly what: 'sees'; readonly members: readonly ListedMember[] })
  /** Whatever it has begun gets no answer any more. */
  | { readonly what: 'was killed'; readonly by: string };

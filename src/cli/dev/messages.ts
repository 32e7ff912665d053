import type { KindInfo } from '@keelson/kubernetes/apimachinery';
import type { JournalRun } from '@keelson/runtime';
import type { AnsweredReview } from '@keelson/runtime/internal/admission';
import type { HeardChange } from '@keelson/runtime/internal/cache';
import type { OperatorInstallation } from '@keelson/testing/internal/cluster';

/** The first message of the operator's process: what has to be in the cluster before the operator may run. */
export interface Announcement {
  readonly installation: OperatorInstallation;
  /** The custom resources of the operator, for the table of objects. */
  readonly kinds: readonly KindInfo[];
  /** The kinds that its controllers own, for the tree of the page. */
  readonly owned: readonly KindInfo[];
  /** The kinds that its controllers are for: objects of them can be run again. */
  readonly reconciled: readonly KindInfo[];
}

/** A run that has ended. Its time is a text: messages between processes are JSON. */
export type EndedRun = Omit<JournalRun, 'startedAt'> & { readonly startedAt: string };

/** All that the operator's process says. */
export type Message =
  | Announcement
  | { readonly run: EndedRun }
  | { readonly heard: readonly HeardChange[] }
  | { readonly review: AnsweredReview };

/** The first message to the operator's process: until then it loads packages alone. */
export interface Load {
  readonly load: true;
}

/** The answer to the announcement: all is installed, and the process runs with this environment. */
export interface Go {
  readonly environment: Readonly<Record<string, string>>;
  /** How far the time of the session is ahead of the machine's. */
  readonly offsetMs: number;
  /** Whether the process sends the changes that its caches hear of and the calls of its webhooks: the page shows them. */
  readonly hasPage: boolean;
}

/** An object that a controller is for. */
export interface RunTarget {
  readonly group: string;
  readonly kind: string;
  /** `namespace/name`, or the name of a cluster-scoped object. */
  readonly object: string;
}

/** All messages to the operator's process after that. */
export type Order = { readonly runAgain: readonly RunTarget[] } | { readonly forwardMs: number };

/** Functions that the messages of the operator's process are handed to. */
export interface ProcessListeners {
  readonly onRun: (run: EndedRun) => void;
  readonly onHeard: (changes: readonly HeardChange[]) => void;
  readonly onReview: (review: AnsweredReview) => void;
}

import { channel } from 'node:diagnostics_channel';
import { messageOf } from '@keelson/kubernetes/apimachinery';
import type { Trigger } from 'keelson/internal/definition';
import { withoutCredentials } from '../masking/index.js';

/** Something that a run looked at. */
export interface JournalRead {
  /** Name of the controller's handle; absent where the runtime itself asks. */
  readonly handle?: string | undefined;
  /** Kind of what was read, for example `ConfigMap`. */
  readonly kind: string;
  /** One object, or several. */
  readonly verb: 'get' | 'list';
  /** `cache` costs no request. */
  readonly from: 'cache' | 'server';
  /** `namespace/name` of what was asked for; absent for lists. */
  readonly object?: string | undefined;
  /** The resourceVersion that it had; absent: it was not there. */
  readonly version?: string | undefined;
  /** Objects of a list. */
  readonly count?: number | undefined;
}

/** Something that a run wrote, or tried to. */
export interface JournalWrite {
  /** Kind of the object, for example `ConfigMap`. */
  readonly kind: string;
  /** The verb of the request. */
  readonly verb: 'create' | 'update' | 'patch' | 'apply' | 'delete';
  /** `status`, `scale`, `eviction`; absent: the object itself. */
  readonly subresource?: string | undefined;
  /** `namespace/name`. */
  readonly object: string;
  /** Fields that differ from what the caches held before: `spec.replicas: 2 → 3`. Empty: nothing differs. Credentials are masked. */
  readonly changes: readonly string[];
  /** The server stored nothing: it was only asked what would happen. */
  readonly isDryRun?: boolean | undefined;
  /** The refusal. */
  readonly error?: string | undefined;
}

/** One run of a controller for one object. */
export interface JournalRun {
  /** That of its lines in the log, `reconcileID`. */
  readonly id: string;
  /** Name of the controller. */
  readonly controller: string;
  /** Kind of the reconciled object. */
  readonly kind: string;
  /** `namespace/name`. */
  readonly object: string;
  /** The resourceVersion of the object that the run was given. */
  readonly version?: string | undefined;
  /** When the run began. */
  readonly startedAt: Date;
  /** All that came together in this run; the first is the one in its context. At most 8. */
  readonly triggers: readonly Trigger[];
  /** From the first trigger until the run began. */
  readonly queuedMs: number;
  /** 1, and one more after each failure. */
  readonly attempt: number;
  /** The first 50 reads, in their order. */
  readonly reads: readonly JournalRead[];
  /** The first 50 writes, in their order. */
  readonly writes: readonly JournalWrite[];
  /** Reads and writes beyond the first 50 of each. */
  readonly left: number;
  /** Absent while it runs. */
  readonly outcome?: JournalOutcome | undefined;
}

/** The end of a run. */
export interface JournalOutcome {
  /** controller-runtime's words, as in the metrics. */
  readonly result: 'success' | 'error' | 'requeue' | 'requeue_after' | 'terminal';
  /** From the beginning of the run to its end, in milliseconds. */
  readonly tookMs: number;
  /** Its message, with credentials masked. */
  readonly error?: string | undefined;
  /** When the next run is planned; absent after a failure, which has its backoff. */
  readonly nextInMs?: number | undefined;
}

export type RunStart = Omit<JournalRun, 'reads' | 'writes' | 'left' | 'outcome'>;

/** Most reads and most writes that one run keeps. */
const MOST = 50;
const LONGEST_ERROR = 1_000;

/** Each run that has ended, for tools in the same process: `keelson dev` listens. */
export const RUN_CHANNEL = 'keelson:run';
const ENDED = channel(RUN_CHANNEL);

/** The record of a run while it goes on, and after. */
export class RunRecord {
  readonly start: RunStart;
  readonly #reads: JournalRead[] = [];
  readonly #writes: JournalWrite[] = [];
  #left = 0;
  #outcome: JournalOutcome | undefined;

  constructor(start: RunStart) {
    this.start = start;
  }

  read(read: JournalRead): void {
    this.#keep(this.#reads, read);
  }

  wrote(write: Omit<JournalWrite, 'error'>, error?: unknown): void {
    this.#keep(this.#writes, error === undefined ? write : { ...write, error: errorText(error) });
  }

  end({ error, ...outcome }: Omit<JournalOutcome, 'error'> & { readonly error?: unknown }): void {
    this.#outcome = { ...outcome, ...(error === undefined ? {} : { error: errorText(error) }) };
    if (ENDED.hasSubscribers) ENDED.publish(this.run);
  }

  get run(): JournalRun {
    const outcome = this.#outcome === undefined ? {} : { outcome: this.#outcome };
    return { ...this.start, reads: [...this.#reads], writes: [...this.#writes], left: this.#left, ...outcome };
  }

  /** Calls of a run that was given up, and has not returned, come after its end. */
  #keep<T>(list: T[], item: T): void {
    if (this.#outcome !== undefined) return;
    if (list.length < MOST) list.push(item);
    else this.#left += 1;
  }
}

function errorText(error: unknown): string {
  return withoutCredentials(messageOf(error).slice(0, LONGEST_ERROR));
}

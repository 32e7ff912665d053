import type { Condition } from '@keelson/kubernetes/apimachinery';
import type { CacheChange, StoredObject } from '../../cache/index.js';
import type { Clock } from '../../clock/index.js';
import { conditionsOf, KSTATUS, type StatusFields } from '../../status/index.js';
import type { ReconcileObserver } from '../observer.js';

export interface ReadyTimesOptions {
  readonly controller: string;
  /** The condition that says whether an object is ready; `undefined`: the controller writes none. */
  readonly summary: string | undefined;
  /** Whether people have paused the object: they know that it is not ready. */
  readonly isPaused: (object: StoredObject) => boolean;
  readonly clock: Pick<Clock, 'wallMs'>;
  readonly observer?: Pick<ReconcileObserver, 'becameReady'> | undefined;
}

export interface NotReady {
  /** Objects that are not ready. */
  readonly count: number;
  /** Milliseconds for which one of them has not been ready, the longest; 0 if all are ready. */
  readonly longestMs: number;
}

/**
 * How long new objects take until they are ready, and how long others have not been.
 *
 * Guarantees: the time of an object is reported once, by the process that led when it was created. An object that another process saw first has no time here:
 * it may have been ready before.
 */
export class ReadyTimes {
  readonly #options: ReadyTimesOptions;
  /** Uids of objects that were created during this term, and have not been ready yet. */
  readonly #waiting = new Set<string>();
  /** When the term began; `undefined`: another process leads. */
  #beganMs: number | undefined;

  constructor(options: ReadyTimesOptions) {
    this.#options = options;
  }

  begin(): void {
    // Creation times are whole seconds.
    this.#beganMs = Math.floor(this.#options.clock.wallMs() / 1_000) * 1_000;
  }

  end(): void {
    this.#beganMs = undefined;
    this.#waiting.clear();
  }

  /** A reconciled object has changed, or is gone. */
  changed({ type, object, isInitial }: CacheChange): void {
    if (this.#beganMs === undefined || this.#options.summary === undefined) return;
    const { uid, creationTimestamp = '' } = object.metadata;
    // An older object comes from another instance, when its labels change.
    const isNew = type === 'added' && !isInitial && Date.parse(creationTimestamp) >= this.#beganMs;
    if (isNew) this.#waiting.add(uid);
    if (!this.#waiting.has(uid)) return;
    const isReady = this.#summaryOf(object)?.status === 'True';
    if (isReady || type === 'deleted') this.#waiting.delete(uid);
    const { controller, clock, observer } = this.#options;
    // A clock that is behind that of the API server would give a time below zero.
    if (isReady && type !== 'deleted')
      observer?.becameReady?.(controller, Math.max(0, clock.wallMs() - Date.parse(creationTimestamp)) / 1_000);
  }

  /**
   * The objects that are not ready. Paused objects do not count, nor do objects that wait for a change by their users (`Stalled`), nor those that are deleted.
   */
  notReady(objects: Iterable<StoredObject>): NotReady {
    const now = this.#options.clock.wallMs();
    let count = 0;
    let longestMs = 0;
    for (const object of objects) {
      const summary = this.#summaryOf(object);
      if (summary === undefined || summary.status === 'True' || object.metadata.deletionTimestamp !== undefined) continue;
      if (this.#options.isPaused(object) || conditionOf(object, KSTATUS.stalled)?.status === 'True') continue;
      count += 1;
      longestMs = Math.max(longestMs, now - Date.parse(summary.lastTransitionTime));
    }
    return { count, longestMs };
  }

  #summaryOf(object: StoredObject): Condition | undefined {
    const { summary } = this.#options;
    return summary === undefined ? undefined : conditionOf(object, summary);
  }
}

function conditionOf({ status }: StoredObject, type: string): Condition | undefined {
  return conditionsOf(status as StatusFields | undefined).find((condition) => condition.type === type);
}

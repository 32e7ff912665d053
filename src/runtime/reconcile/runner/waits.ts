import type { Logger } from 'keelson/internal/definition';
import type { StoredObject } from '../../cache/index.js';
import type { Clock } from '../../clock/index.js';
import { LinkedAbort } from '../../signals/index.js';
import { idOf } from '../object-id.js';
import type { Hold } from '../referenced-informer.js';

/** First lists take less; what takes longer has a reason. */
const TELL_WAIT_MS = 1_000;

export interface WaitsOptions {
  readonly clock: Clock;
  readonly log: Logger;
  /** Says on the object itself why no run can begin: its user does not see the operator's log. Must not reject. */
  readonly tell: (object: StoredObject, problem: string, signal: AbortSignal) => Promise<void>;
}

export interface Wait {
  readonly object: StoredObject;
  /** The objects that it names. */
  readonly hold: Pick<Hold, 'ready' | 'problems'>;
  /** Ends the wait with the term. */
  readonly stop: AbortSignal;
  /** Called once. `isDue`: the object must be queued again, because all has been read, or for the next term; else another wait, or its deletion, has overtaken it. */
  readonly onEnd: (isDue: boolean) => void;
}

/**
 * Objects that wait for the objects that they name to be read: a run before would take those for missing (H18).
 *
 * Guarantees: an object has one wait at most; a wait keeps no worker; one that lasts is reported on the object.
 */
export class Waits {
  readonly #options: WaitsOptions;
  readonly #underway = new Map<string, LinkedAbort>();

  constructor(options: WaitsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#underway.size;
  }

  /** Begins a wait in place of an earlier one, as the object may name others by now. @returns whether it has to wait */
  begin({ object, hold, stop, onEnd }: Wait): boolean {
    const { clock, log, tell } = this.#options;
    const id = idOf(object.metadata);
    this.end(id);
    const own = new LinkedAbort([stop]);
    const ready = hold.ready(own.signal);
    if (ready === undefined) {
      own.release();
      return false;
    }
    this.#underway.set(id, own);
    const notice = new WaitNotice({ clock, problems: hold.problems, tell: (problem) => tell(object, problem, own.signal) });
    const end = async (): Promise<void> => {
      // The run's own words come after these.
      await notice.end();
      own.release();
      if (this.#underway.get(id) === own) this.#underway.delete(id);
      onEnd(!own.signal.aborted || stop.aborted);
    };
    ready.then(end, end).catch((error: unknown) => log.error('a wait could not be ended', { object: id, error }));
    return true;
  }

  /** The object waits no longer: it is gone, or is looked at again. */
  end(id: string): void {
    this.#underway.get(id)?.abort();
  }
}

interface WaitNoticeOptions {
  readonly clock: Clock;
  readonly problems: () => readonly string[];
  readonly tell: (problem: string) => Promise<void>;
}

/** Tells the first problem of a wait, as soon as there is one after a second. */
class WaitNotice {
  readonly #options: WaitNoticeOptions;
  #telling: Promise<void> = Promise.resolve();
  #cancel: () => void;

  constructor(options: WaitNoticeOptions) {
    this.#options = options;
    this.#cancel = this.#lookLater();
  }

  /** Cancels the notice; resolves when a notice under way has been written. */
  end(): Promise<void> {
    this.#cancel();
    return this.#telling;
  }

  #lookLater(): () => void {
    return this.#options.clock.schedule(TELL_WAIT_MS, () => {
      const [problem] = this.#options.problems();
      if (problem === undefined) this.#cancel = this.#lookLater();
      else this.#telling = this.#options.tell(problem);
    });
  }
}

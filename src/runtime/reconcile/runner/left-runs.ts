import type { Logger } from 'keelson/internal/definition';
import type { Clock } from '../../clock/index.js';
import type { ReconcileObserver } from '../observer.js';

/** Time that a run has to return after its signal was aborted, before a warning says that it does not. */
const RETURN_WITHIN_MS = 1_000;

export interface LeftRunsOptions {
  /** Name of the controller, for the observer. */
  readonly controller: string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly observer?: Pick<ReconcileObserver, 'left' | 'returned'> | undefined;
}

/** An object whose run was given up, and for how long its function has not returned since. */
export interface UnreturnedRun {
  readonly object: string;
  readonly forMs: number;
}

/** Runs that were given up and whose functions have not returned. */
export class LeftRuns {
  readonly #options: LeftRunsOptions;
  readonly #sinceMs = new Map<string, number>();

  constructor(options: LeftRunsOptions) {
    this.#options = options;
  }

  get unreturned(): readonly UnreturnedRun[] {
    const nowMs = this.#options.clock.monotonicMs();
    return [...this.#sinceMs].map(([object, sinceMs]) => ({ object, forMs: nowMs - sinceMs }));
  }

  /** Calls `end` when the function of the run has returned. `returned` must not reject. */
  leave(id: string, returned: Promise<unknown>, end: () => void): void {
    const { clock, controller, log, observer } = this.#options;
    this.#sinceMs.set(id, clock.monotonicMs());
    observer?.left?.(controller);
    // A run that heeds its signal returns within this time: that is not worth a warning.
    const cancel = clock.schedule(RETURN_WITHIN_MS, () =>
      log.warn('a run was given up and has not returned: until it does, the object is not reconciled; heed the signal', { object: id }),
    );
    void returned.then(() => {
      cancel();
      this.#sinceMs.delete(id);
      observer?.returned?.(controller);
      end();
    });
  }
}

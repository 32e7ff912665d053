import type { Logger } from 'keelson/internal/definition';
import type { Clock } from '../../clock/index.js';
import type { RunReport } from '../object-runner.js';
import { HotLoopDetector } from './hot-loop.js';

/** An object that is written at every run is run once in this time. */
const HOT_REST_MS = 1_000;

const WRITTEN =
  'written more than 30 times within a minute: what is desired differs at every run, or another client changes it back; once a second is enough for now';
const ASKED =
  'run more than 30 times within a minute at its own request: requeueAfter is less than a second, or requeueAt is a time that is over; once a second is enough for now';

/** Two controllers that undo each other's work, or a deleted owner whose deletion has not been heard of, must not take up the server (H38). */
export class HotRests {
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #hotLoops = new HotLoopDetector();
  /** Objects whose status others have changed since the last run. */
  readonly #statusNews = new Set<string>();

  constructor(clock: Clock, log: Logger) {
    this.#clock = clock;
    this.#log = log;
  }

  /** Others have changed the status of the object. */
  statusChanged(id: string): void {
    this.#statusNews.add(id);
  }

  /** The rest of an object after a run, in milliseconds. */
  after(id: string, { wrote, wroteChildren = false, requeueAfterMs = HOT_REST_MS, requeueAtMs, error }: RunReport): number {
    const untilMs = requeueAtMs === undefined ? HOT_REST_MS : requeueAtMs - this.#clock.wallMs();
    const asksAtOnce = error === undefined && Math.min(requeueAfterMs, untilMs) < HOT_REST_MS;
    // A status is written as often as what it describes changes. That counts only where it follows another writer of the same status.
    const isStatusMended = this.#statusNews.delete(id) && wrote;
    const isMended = wroteChildren || isStatusMended;
    if (!isMended && !asksAtOnce) return 0;
    const { isHot, isNews } = this.#hotLoops.wrote(id, this.#clock.monotonicMs());
    if (isNews) this.#log.warn(isMended ? WRITTEN : ASKED, { object: id });
    return isHot ? HOT_REST_MS : 0;
  }

  /** The object is gone. */
  forget(id: string): void {
    this.#hotLoops.forget(id);
    this.#statusNews.delete(id);
  }
}

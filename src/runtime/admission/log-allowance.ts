import type { Logger } from 'keelson/internal/definition';
import type { Clock } from '../clock/index.js';

const WINDOW_MS = 60_000;
const LINES = 20;

/**
 * Lines for what others do wrong, so many a minute: a client that reaches the port must not be able to fill the log.
 *
 * Lines beyond the limit are logged at `debug`, and their number with the first line of the next minute.
 */
export class LogAllowance {
  readonly #clock: Clock;
  readonly #log: Logger;
  #sinceMs = Number.NEGATIVE_INFINITY;
  #lines = 0;

  constructor({ clock, log }: { readonly clock: Clock; readonly log: Logger }) {
    this.#clock = clock;
    this.#log = log;
  }

  warn(message: string, fields: Readonly<Record<string, unknown>>): void {
    const nowMs = this.#clock.monotonicMs();
    if (nowMs - this.#sinceMs >= WINDOW_MS) {
      const untold = this.#lines - LINES;
      if (untold > 0) this.#log.warn('more of the same was logged at debug level only', { lines: untold });
      this.#sinceMs = nowMs;
      this.#lines = 0;
    }
    this.#lines += 1;
    if (this.#lines <= LINES) this.#log.warn(message, fields);
    else this.#log.debug(message, fields);
  }
}

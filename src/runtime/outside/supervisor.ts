import { errorOf } from '@keelson/kubernetes/apimachinery';
import type { Logger } from 'keelson/internal/definition';
import { type Clock, pause } from '../clock/index.js';
import { type Backoff, fullJitter } from '../http/index.js';
import type { OutsideObserver } from './observer.js';

/** A subscription as its controller declares it. */
export interface SubscriptionSource {
  /** Name of the handle. */
  readonly name: string;
  readonly start: (context: object) => unknown;
}

export interface SupervisorOptions {
  readonly source: SubscriptionSource;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Logger;
  /** The context of `start`. */
  readonly contextOf: (signal: AbortSignal) => object;
  readonly observer?: OutsideObserver | undefined;
}

/** Another system that is down must not be asked by all its clients at once when it is back. */
const BACKOFF: Backoff = Object.freeze({ baseMs: 2_000, maxMs: 300_000 });
/** A subscription that has held so long begins its pauses anew, and its error is over. */
const STEADY_MS = 60_000;
/** A promise that resolves at once, again and again, must not spin. */
const SHORTEST_PAUSE_MS = 100;

/**
 * Keeps one subscription of a controller alive for a term of leadership.
 *
 * Flow: `start` returns nothing (it pushes until its signal is aborted), a function (called at the end), or a promise (it lasts as long as that).
 * A promise that rejects or resolves before the end, and a `start` that throws, begin it again after a pause that grows from 2 s to 5 min.
 * Guarantees: it runs at most once at a time; {@link run} resolves only when `start` has returned.
 */
export class Supervisor {
  readonly #options: SupervisorOptions;
  #error: Error | undefined;

  constructor(options: SupervisorOptions) {
    this.#options = options;
  }

  get name(): string {
    return this.#options.source.name;
  }

  /** Why it ended last; `undefined` before the first failure, and after a minute without one. */
  get error(): Error | undefined {
    return this.#error;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock, random } = this.#options;
    let failures = 0;
    while (!signal.aborted) {
      const sinceMs = clock.monotonicMs();
      const cancel = clock.schedule(STEADY_MS, () => this.#steady());
      const error = await this.#once(signal);
      cancel();
      if (signal.aborted) break;
      failures = clock.monotonicMs() - sinceMs >= STEADY_MS ? 1 : failures + 1;
      this.#failed(error, failures);
      await pause(clock, SHORTEST_PAUSE_MS + fullJitter(BACKOFF, failures, random), signal);
    }
    this.#error = undefined;
  }

  /** @returns why it ended before its signal was aborted */
  async #once(signal: AbortSignal): Promise<Error> {
    const { source, contextOf } = this.#options;
    const own = new AbortController();
    const end = (): void => own.abort(signal.reason);
    signal.addEventListener('abort', end, { once: true });
    try {
      const returned = source.start(contextOf(own.signal));
      const lasted = isThenable(returned);
      const result = lasted ? await returned : returned;
      if (lasted && typeof result !== 'function') return new Error('it ended by itself');
      await aborted(own.signal);
      if (typeof result === 'function') await (result as () => unknown)();
      return new Error('it was ended');
    } catch (thrown) {
      return errorOf(thrown);
    } finally {
      signal.removeEventListener('abort', end);
      // Remains of a failed start push nothing any more.
      own.abort(new Error('the subscription has ended'));
    }
  }

  #failed(error: Error, failures: number): void {
    const { log, observer } = this.#options;
    observer?.subscriptionFailed?.(this.name);
    const isNews = this.#error?.message !== error.message;
    this.#error = error;
    log[isNews ? 'warn' : 'debug'](`observes.${this.name} ended and begins again`, { failures, error });
  }

  #steady(): void {
    if (this.#error !== undefined) this.#options.log.info(`observes.${this.name} holds again`);
    this.#error = undefined;
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

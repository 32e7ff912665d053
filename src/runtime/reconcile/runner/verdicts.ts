import { createHash } from 'node:crypto';
import { messageOf } from '@keelson/kubernetes/apimachinery';
import type { Logger } from 'keelson/internal/definition';
import type { Clock } from '../../clock/index.js';
import type { QueueItem, QueueResult } from '../../queue/index.js';
import { RunAbortedError } from '../errors.js';
import { idOf } from '../object-id.js';
import { isPassing, isRetryLater, isTerminal, type RunReport } from '../object-runner.js';
import type { ReconcileObserver, RunResult } from '../observer.js';

export interface VerdictsOptions {
  /** Name of the controller, for the observer. */
  readonly controller: string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly observer?: Pick<ReconcileObserver, 'timedOut' | 'panicked'> | undefined;
  /** From 0 to 1, without 1. @defaultValue Math.random */
  readonly random?: (() => number) | undefined;
  /** Every object is looked at again after this time, ±10 %. @defaultValue 36000000, 10 hours */
  readonly resyncMs?: number | undefined;
  /** Share by which `requeueAfter` is longer at random. @defaultValue 0.1 */
  readonly requeueJitter?: number | undefined;
}

/** The meaning of the end of a run: for metrics and the journal, and for the queue. */
export interface RunVerdict {
  readonly result: RunResult;
  readonly next: QueueResult;
}

/** Judges ended runs. An error of an object is logged once, with object and cause; so is the end of its failures. */
export class Verdicts {
  readonly #options: VerdictsOptions;
  /** The last error of each failing object: a print of it. */
  readonly #failures = new Map<string, string>();

  constructor(options: VerdictsOptions) {
    this.#options = options;
  }

  /** @param isGivenUp the term does not wait for runs any more */
  judge(item: QueueItem, report: RunReport, isGivenUp: boolean): RunVerdict {
    const { error } = report;
    if (error === undefined) return this.#succeeded(item, report);
    // Given up, not failed: the next term, or the change that ended it, begins with it.
    if (isGivenUp || isAborted(error))
      return { result: 'requeue', next: { type: 'again', afterMs: 0, trigger: item.trigger, lane: 'fresh' } };
    if (isRetryLater(error)) {
      this.#options.log.debug('it waits', { object: idOf(item.key), why: error.message });
      return { result: 'requeue_after', next: { type: 'later', afterMs: error.afterMs } };
    }
    this.#failed(item, error);
    if (isTerminal(error) || report.isExhausted === true) return { result: 'terminal', next: resync(this.#resyncMs()) };
    return { result: 'error', next: { type: 'failed' } };
  }

  /** The object is gone. */
  forget(id: string): void {
    this.#failures.delete(id);
  }

  #succeeded({ key }: QueueItem, report: RunReport): RunVerdict {
    const id = idOf(key);
    if (this.#failures.delete(id)) this.#options.log.info('reconciling works again', { object: id });
    const resyncMs = this.#resyncMs();
    const afterMs = this.#nextRunMs(report);
    if (afterMs >= resyncMs) return { result: 'success', next: resync(resyncMs) };
    return { result: 'requeue_after', next: { type: 'again', afterMs, trigger: { cause: 'timer' }, lane: 'fresh' } };
  }

  /** @returns how long until the run that the last one asked for; infinite if it asked for none */
  #nextRunMs({ requeueAfterMs, requeueAtMs }: RunReport): number {
    const { clock, random = Math.random, requeueJitter = 0.1 } = this.#options;
    // Objects that were made together would come together for ever.
    const spanMs = requeueAfterMs === undefined ? Number.POSITIVE_INFINITY : requeueAfterMs * (1 + requeueJitter * random());
    const untilMs = requeueAtMs === undefined ? Number.POSITIVE_INFINITY : Math.max(0, requeueAtMs - clock.wallMs());
    return Math.min(spanMs, untilMs);
  }

  #failed(item: QueueItem, error: unknown): void {
    const { controller, observer } = this.#options;
    this.#log(item, error);
    if (isTimeLimit(error)) observer?.timedOut?.(controller);
    if (isFault(error)) observer?.panicked?.(controller);
  }

  /** As an error the first time; further failures for the same reason are logged at `debug`. */
  #log({ key, attempt }: QueueItem, error: unknown): void {
    const { log } = this.#options;
    const id = idOf(key);
    const fields = { object: id, attempt, error };
    if (isPassing(error, { attempt })) {
      log.debug('another client was quicker; trying again', fields);
      return;
    }
    const print = printOf(messageOf(error));
    if (this.#failures.get(id) === print) log.debug('reconciling failed again', fields);
    else log.error('reconciling failed', fields);
    this.#failures.set(id, print);
  }

  #resyncMs(): number {
    const { resyncMs = 36_000_000, random = Math.random } = this.#options;
    return resyncMs * (0.9 + 0.2 * random());
  }
}

/** The run itself, or a request that it was waiting for. */
function isAborted(error: unknown): boolean {
  return error instanceof RunAbortedError || (error instanceof Error && error.cause instanceof RunAbortedError);
}

const resync = (afterMs: number): QueueResult => ({ type: 'again', afterMs, trigger: { cause: 'resync' }, lane: 'slow' });

/** Whether the engine threw it, and not a reconciler on purpose. */
function isFault(error: unknown): boolean {
  return error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError || !(error instanceof Error);
}

function isTimeLimit(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'KEELSON_TIME_LIMIT';
}

/** The identity of a message, remembered for each failing object: a long one is shortened. */
function printOf(message: string): string {
  return message.length > 256 ? createHash('sha256').update(message).digest('base64') : message;
}

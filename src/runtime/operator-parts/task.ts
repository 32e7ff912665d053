import type { Logger, TaskModel } from 'keelson/internal/definition';
import { type Clock, pause } from '../clock/index.js';
import { type Backoff, fullJitter } from '../http/index.js';
import { beginCall } from '../outside/index.js';

/** Counters for metrics. */
export interface TaskObserver {
  ran(task: string, result: 'ok' | 'error', seconds: number): void;
}

export interface TaskOptions {
  readonly task: TaskModel;
  readonly clock: Clock;
  readonly log: Logger;
  readonly random?: (() => number) | undefined;
  /** The context of the function beside its signal. */
  readonly contextOf: (signal: AbortSignal) => object;
  readonly observer?: TaskObserver | undefined;
}

const BACKOFF: Backoff = Object.freeze({ baseMs: 2_000, maxMs: 300_000 });
/** Replicas that were started together must not come together for ever. */
const JITTER = 0.1;

/**
 * One task of an operator.
 *
 * Flow: a run, then with `every` a pause and the next run; without, the end. After an error it runs again, after a pause that grows to 5 min or `every`.
 * Guarantees: runs never overlap; an error is logged once as long as it stays the same; {@link run} resolves when the function has returned.
 */
export class Task {
  readonly #options: TaskOptions;
  #lastError: string | undefined;

  constructor(options: TaskOptions) {
    this.#options = options;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { task, clock, random = Math.random } = this.#options;
    const everyMs = task.everyMs ?? Number.POSITIVE_INFINITY;
    for (let failures = 0; !signal.aborted; ) {
      const isDone = await this.#once(signal);
      if (signal.aborted || (isDone && task.everyMs === undefined)) return;
      failures = isDone ? 0 : failures + 1;
      const pauseMs = isDone ? everyMs * (1 + JITTER * (2 * random() - 1)) : Math.min(everyMs, fullJitter(BACKOFF, failures, random));
      await pause(clock, pauseMs, signal);
    }
  }

  async #once(signal: AbortSignal): Promise<boolean> {
    const { task, clock, contextOf, observer, log } = this.#options;
    const startedMs = clock.monotonicMs();
    const run = task.run as (context: object) => unknown;
    const { outcome, returned } = beginCall((own) => run(contextOf(own)), {
      clock,
      limitMs: task.timeLimitMs,
      signal,
      what: `tasks.${task.name}`,
    });
    const result = await outcome;
    // A run that the end of the process or of the term has broken off has not failed.
    if (!signal.aborted) {
      observer?.ran(task.name, result.ok ? 'ok' : 'error', (clock.monotonicMs() - startedMs) / 1_000);
      if (result.ok && this.#lastError !== undefined) log.info('a task works again', { task: task.name });
      if (!result.ok)
        log[this.#lastError === result.error.message ? 'debug' : 'error']('a task failed', { task: task.name, error: result.error });
      this.#lastError = result.ok ? undefined : result.error.message;
    }
    await returned;
    return result.ok;
  }
}

import { setMaxListeners } from 'node:events';
import type { Logger } from 'keelson/internal/definition';
import type { Cache, Informer } from '../../cache/index.js';
import type { Clock } from '../../clock/index.js';
import { LinkedAbort } from '../../signals/index.js';
import { refreshInformers } from './refresh-informers.js';

export interface Term {
  /** No object is begun any more; what is under way may end. */
  readonly stop: AbortSignal;
  /** Runs under way are given up, and nothing is written any more. */
  readonly abort: AbortSignal;
  /** Another process may have worked until now: what this one's caches hold may be older than that. @defaultValue false */
  readonly isElected?: boolean | undefined;
}

/** The informers that a controller reads, and those that it refreshes after an election. */
export interface TermReads {
  readonly cache: Pick<Cache, 'synced'>;
  /** Its own reads and no others: a kind that cannot be listed holds up the controllers that need it, and no more. */
  readonly reads: readonly Pick<Informer, 'hasSynced'>[];
  readonly refreshed: readonly Informer[];
  readonly clock: Clock;
  readonly log: Logger;
  /** From 0 to 1, without 1. @defaultValue Math.random */
  readonly random?: (() => number) | undefined;
}

/** A term that a controller works for, from {@link begin} to {@link close}. */
export class RunningTerm {
  /** Runs under way are given up. */
  readonly abort: AbortSignal;
  readonly #isElected: boolean;
  readonly #ended: LinkedAbort;

  constructor({ stop, abort, isElected = false }: Term) {
    this.abort = abort;
    this.#isElected = isElected;
    this.#ended = new LinkedAbort([stop, abort]);
    // One listener for each worker, source and pause: Node would take more than ten for a leak.
    setMaxListeners(0, this.ended);
  }

  /** Aborted with the first of the two signals of the term: no run begins any more. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  /**
   * Waits until all that is read is complete, and not older than the term.
   *
   * @returns `false` if the term has ended before
   * @throws CacheStoppedError when the cache stops first
   */
  async begin({ cache, reads, refreshed, clock, log, random }: TermReads): Promise<boolean> {
    const signal = this.ended;
    await cache.synced(signal, reads).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    if (this.#isElected) await refreshInformers(refreshed, { clock, log, random, signal });
    return !signal.aborted;
  }

  close(): void {
    this.#ended.release();
  }
}

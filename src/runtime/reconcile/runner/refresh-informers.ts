import type { Logger } from 'keelson/internal/definition';
import type { Informer } from '../../cache/index.js';
import { type Clock, pause } from '../../clock/index.js';
import { type Backoff, fullJitter } from '../../http/index.js';

/** As for lists that fail (H29). */
const BACKOFF: Backoff = Object.freeze({ baseMs: 800, maxMs: 30_000 });

export interface RefreshOptions {
  readonly clock: Clock;
  readonly log: Logger;
  /** From 0 to 1, without 1. @defaultValue Math.random */
  readonly random?: (() => number) | undefined;
  readonly signal: AbortSignal;
}

/**
 * Asks what there is, at the beginning of a term: the objects that a controller reconciles, and their children. It asks for each until there is an answer, or the signal is
 * aborted.
 *
 * A standby's cache may be behind by as much as a watch that has died without a word. Children that the former leader has pruned or finalized must not be
 * made again, least of all outside of the cluster, where no resource version and no garbage collector helps (H6, H52). A run that numbers children must not
 * count those of long ago.
 */
export async function refreshInformers(informers: readonly Informer[], options: RefreshOptions): Promise<void> {
  for (const informer of informers) await refreshed(informer, options);
}

async function refreshed(informer: Informer, { clock, log, random = Math.random, signal }: RefreshOptions): Promise<void> {
  for (let attempt = 1; !signal.aborted; attempt += 1) {
    try {
      return await informer.refresh(signal);
    } catch (error) {
      if (signal.aborted) return;
      const level = attempt === 1 ? 'warn' : 'debug';
      log[level]('what there is could not be asked for at the beginning of the term; trying again', { error });
      await pause(clock, fullJitter(BACKOFF, attempt, random), signal);
    }
  }
}

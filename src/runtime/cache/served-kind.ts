import { apiVersionOf, type KindInfo, OperatorError } from '@keelson/kubernetes/apimachinery';
import type { Logger } from 'keelson/internal/definition';
import { type ApiClient, isForbidden, isNotFound } from '../client/index.js';
import { type Clock, pause } from '../clock/index.js';
import { type Backoff, fullJitter } from '../http/index.js';
import type { Presence } from './optional-informer.js';

export interface ServedKindOptions {
  readonly kind: KindInfo;
  readonly client: Pick<ApiClient, 'discover'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly random: () => number;
  /** It has become known, or another. */
  readonly synced: () => void;
}

/** As for lists (H29). */
const BACKOFF: Backoff = Object.freeze({ baseMs: 800, maxMs: 30_000 });
/** The pauses stop growing here, as for lists of a kind that is not installed. */
const ABSENT_ATTEMPTS = 5;
/** A kind that goes is rare, and reads of it are empty at once. */
const SERVED_MS = 10_000;

/**
 * Whether a kind is served that is read on demand, and so has no watch which would show it.
 *
 * Flow: discovery of the kind's group and version, which every authenticated client may read, again and again: after at most 13 s while the kind is missing,
 * every 10 s while it is there.
 * Guarantees: one request at a time; an answer that says nothing changes nothing.
 */
export class ServedKind implements Presence {
  readonly #options: ServedKindOptions;
  readonly #listeners = new Set<() => void>();
  #isServed: boolean | undefined;

  constructor(options: ServedKindOptions) {
    this.#options = options;
  }

  get hasSynced(): boolean {
    return this.#isServed !== undefined;
  }

  get isServed(): boolean {
    return this.#isServed === true;
  }

  onServed(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Ends on abort. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, random } = this.#options;
    for (let attempts = 1; !signal.aborted; ) {
      const isServed = await this.#ask(signal);
      if (signal.aborted) return;
      if (isServed !== undefined) this.#learn(isServed);
      attempts = isServed === true ? 1 : attempts + 1;
      const pauseMs = isServed === true ? SERVED_MS : fullJitter(BACKOFF, Math.min(attempts, ABSENT_ATTEMPTS), random);
      await pause(clock, pauseMs, signal);
    }
  }

  /** @returns `undefined` if there is no answer */
  async #ask(signal: AbortSignal): Promise<boolean | undefined> {
    const { kind, client, log } = this.#options;
    try {
      await client.discover({ apiVersion: apiVersionOf(kind), kind: kind.kind }, { signal });
      return true;
    } catch (error) {
      if (isNotFound(error) || isUnknownKind(error)) return false;
      if (signal.aborted) return undefined;
      const fields = { group: kind.group, version: kind.version, kind: kind.kind, error };
      if (!isForbidden(error)) {
        log.debug(`${kind.kind}: the API server does not say whether it serves the kind`, fields);
        return undefined;
      }
      // Its reads are allowed by a right of their own, and say themselves that the kind is missing.
      if (this.#isServed === undefined)
        log.warn(
          `${kind.kind}: the process may not read discovery: the kind counts as served; bind the ClusterRole system:discovery`,
          fields,
        );
      return true;
    }
  }

  #learn(isServed: boolean): void {
    const before = this.#isServed;
    if (before === isServed) return;
    this.#isServed = isServed;
    const { kind, log, synced } = this.#options;
    const fields = { group: kind.group, version: kind.version, kind: kind.kind };
    if (!isServed) log.info(`${kind.kind}: the API server does not serve the kind, which is optional; it is waited for`, fields);
    else if (before === false) log.info(`${kind.kind}: the API server serves the kind now`, fields);
    synced();
    if (before !== undefined) for (const listener of [...this.#listeners]) listener();
  }
}

function isUnknownKind(error: unknown): boolean {
  return OperatorError.isOperatorError(error) && error.code === 'KEELSON_CLIENT_REQUEST';
}

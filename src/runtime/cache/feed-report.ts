import type { KindInfo } from '@keelson/kubernetes/apimachinery';
import type { Logger } from 'keelson/internal/definition';
import type { Clock } from '../clock/index.js';
import type { WatchFailure } from './failure.js';
import type { CacheProblem, ProblemReason } from './problem.js';
import type { SafeObserver } from './safe-observer.js';

export interface FeedFacts {
  readonly kind: KindInfo;
  readonly namespace: string | undefined;
  readonly clock: Clock;
  readonly log: Logger;
  readonly observer: SafeObserver;
  /** Something was synced, or its kind has gone. */
  readonly synced: () => void;
  /** Whether all that asked for the kind do without it. Others may ask later. */
  readonly isOptional: () => boolean;
}

/** From this failure in a row on, even what comes and goes by itself is worth a warning. */
const LASTING = 3;

/** Reports the troubles of one feed: once for each new reason, not for each attempt. */
export class FeedReport {
  readonly #facts: FeedFacts;
  #problem: CacheProblem | undefined;
  #warnedOf: ProblemReason | undefined;

  constructor(facts: FeedFacts) {
    this.#facts = facts;
  }

  get problem(): CacheProblem | undefined {
    return this.#problem;
  }

  /** The log fields that name the kind and its selection. */
  get fields(): Readonly<Record<string, unknown>> {
    const { kind, namespace } = this.#facts;
    return { group: kind.group, version: kind.version, kind: kind.kind, ...(namespace === undefined ? {} : { namespace }) };
  }

  failed(failure: WatchFailure, failures: number, hasSynced: boolean): void {
    const { kind, namespace, clock, log, observer } = this.#facts;
    const reason = failure.reason === 'TooLarge' || failure.reason === 'Malformed' ? 'Unavailable' : failure.reason;
    const { message, cause } = failure;
    const fields = { ...this.fields, reason, ...(cause === undefined ? {} : { error: cause }) };
    const isAbsent = reason === 'NotInstalled' && this.#facts.isOptional();
    // Alerts are on the number: a kind that is not needed must not raise one.
    if (!isAbsent) observer.failed(kind, reason);
    const sinceMs = this.#problem?.reason === reason ? this.#problem.sinceMs : clock.monotonicMs();
    this.#problem = { kind, ...(namespace === undefined ? {} : { namespace }), reason, message, sinceMs, hasSynced };
    const isPassing = hasSynced && failures < LASTING && (reason === 'Unavailable' || reason === 'Expired' || reason === 'Silent');
    if (isPassing || this.#warnedOf === reason) {
      log.debug(`${kind.kind}: ${message}`, { ...fields, failures });
      return;
    }
    this.#warnedOf = reason;
    if (isAbsent) log.info(`${kind.kind}, which is optional: ${message}`, fields);
    else log.warn(`${kind.kind}: ${hasSynced ? 'the watch is interrupted' : 'cannot be read yet'}: ${message}`, fields);
  }

  recovered(): void {
    this.#problem = undefined;
    if (this.#warnedOf === undefined) return;
    this.#warnedOf = undefined;
    this.#facts.log.info(`${this.#facts.kind.kind}: the watch works again`, this.fields);
  }
}

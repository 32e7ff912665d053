import { EventsV1Event } from '@keelson/kubernetes/kinds';
import type { Logger } from 'keelson/internal/definition';
import { type ApiClient, isAlreadyExists, isApiError, isForbidden, isNotFound, isUnauthorized } from '../client/index.js';
import type { Clock } from '../clock/index.js';
import { eventName, namespaceOf } from './event-draft.js';
import type { Series } from './event-series.js';

/** How an attempt to write ended: `refused` is for good, `unreachable` for now. */
export type WriteEnd = 'created' | 'continued' | 'refused' | 'unreachable';

export interface EventWriterOptions {
  readonly client: Pick<ApiClient, 'create' | 'patch'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly random: () => number;
  readonly signal: AbortSignal;
}

const REQUEST_MS = 30_000;
/** After a refusal for want of rights nothing is sent to the namespace for so long. */
const FORBIDDEN_PAUSE_MS = 60_000;
/** Pairs of verb and namespace whose refusal has been logged. */
const MAX_TOLD = 1_000;

/**
 * Writes a series to the API server, one attempt per call.
 *
 * Guarantees: an attempt whose answer was lost is repeated under the same name, so that no event is there twice; an event that a user deleted is created anew
 * with its count; a missing right is logged once per namespace, and costs one request a minute.
 */
export class EventWriter {
  readonly #options: EventWriterOptions;
  readonly #forbiddenUntilMs = new Map<string, number>();
  readonly #told = new Set<string>();
  #isUnreachable = false;

  constructor(options: EventWriterOptions) {
    this.#options = options;
  }

  async write(series: Series): Promise<WriteEnd> {
    const namespace = namespaceOf(series.draft);
    const nowMs = this.#options.clock.monotonicMs();
    if (nowMs < (this.#forbiddenUntilMs.get(namespace) ?? Number.NEGATIVE_INFINITY)) return 'refused';
    this.#forbiddenUntilMs.delete(namespace);
    const { count } = series;
    const isNew = series.written === 0;
    try {
      await (isNew ? this.#create(series, namespace) : this.#continue(series, namespace));
    } catch (error) {
      return this.#endOf(error, series, namespace);
    }
    series.written = count;
    series.writtenMs = nowMs;
    this.#isUnreachable = false;
    return isNew ? 'created' : 'continued';
  }

  async #create(series: Series, namespace: string): Promise<void> {
    const { client, random, signal } = this.#options;
    const { draft, count } = series;
    // Kept over attempts: the server may have taken it although its answer was lost.
    const isRepeated = series.name !== undefined;
    series.name ??= eventName(draft.regarding.name ?? '', series.firstWallMs, random);
    try {
      await client.create(
        EventsV1Event,
        {
          metadata: { name: series.name, namespace },
          ...draft,
          eventTime: microTime(series.firstWallMs),
          ...(count > 1 ? { series: seriesOf(series) } : {}),
        },
        { signal, deadlineMs: REQUEST_MS },
      );
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      if (isRepeated) return;
      series.name = undefined; // another process had the same thought in the same nanosecond
      throw error;
    }
  }

  async #continue(series: Series, namespace: string): Promise<void> {
    const { client, signal } = this.#options;
    const key = { namespace, name: series.name ?? '' };
    try {
      await client.patch(EventsV1Event, key, { type: 'merge', body: { series: seriesOf(series) } }, { signal, deadlineMs: REQUEST_MS });
    } catch (error) {
      if (!isNotFound(error)) throw error;
      series.written = 0;
      series.name = undefined;
      await this.#create(series, namespace);
    }
  }

  #endOf(error: unknown, series: Series, namespace: string): WriteEnd {
    const { log, clock, signal } = this.#options;
    if (signal.aborted) return 'refused';
    const fields = { namespace, reason: series.draft.reason, error };
    if (isAlreadyExists(error)) return 'unreachable';
    if (isForbidden(error)) {
      if (error.missingRight !== undefined) {
        this.#forbid(namespace, clock.monotonicMs());
        this.#once(`Forbidden ${namespace}`, () =>
          log.warn('events cannot be written: a right is missing; nothing else is affected', fields),
        );
      } else log.debug('an event was refused', fields); // a namespace that is being deleted, mostly
      return 'refused';
    }
    if (isNotFound(error)) {
      log.debug('an event has no namespace any more', fields);
      return 'refused';
    }
    if (isApiError(error) && error.httpStatus < 500 && error.httpStatus !== 429 && !isUnauthorized(error)) {
      this.#once(`${error.reason} ${series.draft.reason}`, () => log.warn('an event was refused', fields));
      return 'refused';
    }
    if (!this.#isUnreachable) log.warn('events cannot be written for now; they wait', fields);
    this.#isUnreachable = true;
    return 'unreachable';
  }

  /** Namespaces come and go: those whose pause is over are forgotten, whether or not they have further events. */
  #forbid(namespace: string, nowMs: number): void {
    this.#forbiddenUntilMs.delete(namespace); // the order of the map is that of the ends
    this.#forbiddenUntilMs.set(namespace, nowMs + FORBIDDEN_PAUSE_MS);
    for (const [other, untilMs] of this.#forbiddenUntilMs) {
      if (untilMs > nowMs) break;
      this.#forbiddenUntilMs.delete(other);
    }
  }

  #once(what: string, tell: () => void): void {
    if (this.#told.has(what)) return;
    if (this.#told.size < MAX_TOLD) this.#told.add(what);
    tell();
  }
}

function seriesOf({ count, lastWallMs }: Series): { count: number; lastObservedTime: string } {
  return { count, lastObservedTime: microTime(lastWallMs) };
}

/** `metav1.MicroTime`: six digits, always. */
function microTime(wallMs: number): string {
  return new Date(wallMs).toISOString().replace('Z', '000Z');
}

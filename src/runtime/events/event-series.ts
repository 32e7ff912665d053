import { type EventDraft, identityOf } from './event-draft.js';

/** After so long without a repetition a series is over, and the next event of its kind is a new one. Source: client-go `tools/events/event_broadcaster.go`. */
const FINISH_MS = 6 * 60_000;
/** How often the count of a series that goes on is written. Same source. */
const REFRESH_MS = 30 * 60_000;
/** Series that are remembered; the one repeated longest ago is closed first. */
const MAX_SERIES = 5_000;

/** An event and its repetitions. */
export interface Series {
  readonly draft: EventDraft;
  /** The time of the first occurrence, by this machine's clock. */
  readonly firstWallMs: number;
  count: number;
  lastMs: number;
  lastWallMs: number;
  /** The name under which the API server knows it. */
  name?: string | undefined;
  /** Count that the API server knows; 0: it does not know the event. */
  written: number;
  writtenMs: number;
  /** It waits for being written, or is being written. */
  isPending: boolean;
}

export interface Moment {
  readonly monotonicMs: number;
  readonly wallMs: number;
}

/** Which events are repetitions of which. Values in, values out; what is to be written is returned. */
export class SeriesTable {
  readonly #series = new Map<string, Series>();

  /** Counts a repetition, if it is one. Returns the series; `undefined`: the event is new. */
  repeat(draft: EventDraft, now: Moment): Series | undefined {
    const id = identityOf(draft);
    const series = this.#series.get(id);
    if (series === undefined || now.monotonicMs - series.lastMs >= FINISH_MS) return undefined;
    series.count += 1;
    series.lastMs = now.monotonicMs;
    series.lastWallMs = now.wallMs;
    this.#series.delete(id); // the order of the map is that of the last repetition
    this.#series.set(id, series);
    return series;
  }

  /** Takes up a new event. Returns it, and what is closed to make room or because its time was over. */
  begin(draft: EventDraft, now: Moment): { readonly series: Series; readonly closed: readonly Series[] } {
    const series: Series = {
      draft,
      firstWallMs: now.wallMs,
      count: 1,
      lastMs: now.monotonicMs,
      lastWallMs: now.wallMs,
      written: 0,
      writtenMs: now.monotonicMs,
      isPending: false,
    };
    const id = identityOf(draft);
    const closed = this.#close([id]);
    this.#series.set(id, series);
    const surplus = [...this.#series.keys()].slice(0, Math.max(0, this.#series.size - MAX_SERIES));
    return { series, closed: [...closed, ...this.#close(surplus)] };
  }

  /** The events to be written: series that have ended, and counts that have grown old. Ended series are forgotten. */
  sweep(nowMs: number): Series[] {
    const ended = [...this.#series].filter(([, { lastMs }]) => nowMs - lastMs >= FINISH_MS).map(([id]) => id);
    const closed = this.#close(ended);
    return [...closed, ...[...this.#series.values()].filter((series) => isBehind(series) && nowMs - series.writtenMs >= REFRESH_MS)];
  }

  /** All whose count is not written. */
  unwritten(): Series[] {
    return [...this.#series.values()].filter(isBehind);
  }

  /** The API server does not know it and will not: the next repetition is an event of its own. */
  forget(series: Series): void {
    const id = identityOf(series.draft);
    if (this.#series.get(id) === series) this.#series.delete(id);
  }

  clear(): void {
    this.#series.clear();
  }

  get size(): number {
    return this.#series.size;
  }

  #close(ids: readonly string[]): Series[] {
    return ids.flatMap((id) => {
      const series = this.#series.get(id);
      this.#series.delete(id);
      return series !== undefined && isBehind(series) ? [series] : [];
    });
  }
}

function isBehind({ count, written }: Series): boolean {
  return count > written;
}

/** Limit of different events about one object. */
const BURST = 25;
const MS_PER_EVENT = 300_000;
/** Objects whose spending is remembered; the one whose last event is oldest is forgotten first. */
const MAX_OBJECTS = 5_000;

interface Bucket {
  tokens: number;
  atMs: number;
}

/**
 * A token bucket per object: 25 at once, then one every five minutes.
 *
 * Source of the numbers: client-go `tools/record/events_cache.go`. Repetitions of an event cost nothing here: they become a series.
 */
export class EventLimits {
  readonly #buckets = new Map<string, Bucket>();

  /** Whether another event about the object may be written now; then it is counted. */
  take(object: string, nowMs: number): boolean {
    const bucket = this.#buckets.get(object) ?? { tokens: BURST, atMs: nowMs };
    bucket.tokens = tokensAt(bucket, nowMs);
    bucket.atMs = nowMs;
    this.#buckets.delete(object); // the order of the map is that of the last use
    this.#buckets.set(object, bucket);
    for (const oldest of this.#buckets.keys()) {
      if (this.#buckets.size <= MAX_OBJECTS) break;
      this.#buckets.delete(oldest);
    }
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  }

  /** Forgets objects that have all their tokens again. */
  sweep(nowMs: number): void {
    for (const [object, bucket] of this.#buckets) if (tokensAt(bucket, nowMs) >= BURST) this.#buckets.delete(object);
  }

  get isEmpty(): boolean {
    return this.#buckets.size === 0;
  }
}

function tokensAt({ tokens, atMs }: Bucket, nowMs: number): number {
  return Math.min(BURST, tokens + (nowMs - atMs) / MS_PER_EVENT);
}

/** How pauses between attempts grow. */
export interface Backoff {
  /** Upper bound of the first pause, in milliseconds. */
  readonly baseMs: number;
  /** Upper bound of every pause, in milliseconds. */
  readonly maxMs: number;
}

/**
 * A random pause between zero and a bound that doubles with each attempt.
 *
 * Full jitter: clients that were cut off together must not come back together.
 * @param attempt how many attempts have failed, from 1
 * @param random in [0, 1)
 */
export function fullJitter({ baseMs, maxMs }: Backoff, attempt: number, random: () => number): number {
  return random() * Math.min(maxMs, baseMs * 2 ** Math.min(attempt - 1, 30));
}

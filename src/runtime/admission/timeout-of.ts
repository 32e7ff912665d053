import { parseGoDuration } from '@keelson/kubernetes/apimachinery';

/** Longest time that an API server may wait. */
const LONGEST_MS = 30_000;
/** The API server's timeout if a configuration does not name one. */
const DEFAULT_MS = 10_000;
/** Part of the time that is kept for the way back; a late answer is lost. */
const MARGIN = { share: 0.1, mostMs: 500 };

/**
 * How long the API server waits, as it says in `?timeout=5s`, less the way back.
 *
 * A duration of Go; a text that is not a positive one counts as not given.
 */
export function timeoutOf(query: string): number {
  const nanoseconds = parseGoDuration(new URLSearchParams(query).get('timeout') ?? '');
  const said = typeof nanoseconds === 'bigint' && nanoseconds > 0n ? Number(nanoseconds) / 1e6 : DEFAULT_MS;
  const waitedMs = Math.min(said, LONGEST_MS);
  return waitedMs - Math.min(waitedMs * MARGIN.share, MARGIN.mostMs);
}

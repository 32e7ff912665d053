const UNIT_MS: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, µs: 1e-3, ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
/** Longest time that an API server may wait. */
const LONGEST_MS = 30_000;
/** What the API server waits when a configuration does not say. */
const DEFAULT_MS = 10_000;
/** Part of the time that is kept for the way back; a late answer is none. */
const MARGIN = { share: 0.1, mostMs: 500 };

/**
 * How long the API server waits, as it says in `?timeout=5s`, less the way back.
 *
 * A duration of Go; what is none counts as not said.
 */
export function timeoutOf(query: string): number {
  const waitedMs = Math.min(goDurationMs(new URLSearchParams(query).get('timeout') ?? '') ?? DEFAULT_MS, LONGEST_MS);
  return waitedMs - Math.min(waitedMs * MARGIN.share, MARGIN.mostMs);
}

function goDurationMs(text: string): number | undefined {
  if (text.length > 40 || !/^(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h))+$/.test(text)) return undefined;
  let sum = 0;
  for (const [, amount, unit = ''] of text.matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g)) sum += Number(amount) * (UNIT_MS[unit] ?? 0);
  return sum > 0 ? sum : undefined;
}

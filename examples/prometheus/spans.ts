const UNITS_MS = { y: 31_536_000_000, w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000, ms: 1 } as const;

/** Milliseconds of a span as Prometheus writes them: `1h30m`. The schema has checked its form. */
export function millisecondsOfSpan(span: string): number {
  return [...span.matchAll(/(\d+)(ms|[ywdhms])/g)].reduce(
    (sum, [, amount, unit]) => sum + Number(amount) * UNITS_MS[unit as keyof typeof UNITS_MS],
    0,
  );
}

/** A time span with its unit, for example `30s`, `1.5h`. */
export type Duration = `${number}${'ms' | 's' | 'm' | 'h'}`;

/** A time span: text with its unit, or a number of milliseconds. */
export type Span = Duration | number;

const UNIT_MS: Readonly<Record<string, number>> = Object.freeze({ ms: 1, s: 1000, m: 60_000, h: 3_600_000 });

/** The span in milliseconds; `undefined` for what is not a span: no number that is finite and not negative, no text with a unit. */
export function millisecondsOf(span: unknown): number | undefined {
  if (typeof span === 'number') return Number.isFinite(span) && span >= 0 ? span : undefined;
  if (typeof span !== 'string') return undefined;
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(span) ?? [];
  const factor = UNIT_MS[unit];
  return amount === undefined || factor === undefined ? undefined : Number(amount) * factor;
}

/** A span of a test or a server's clock: a duration or a number of milliseconds. `undefined` if it is neither, negative or infinite. */
export function spanMs(span: Duration | number): number | undefined {
  const milliseconds = typeof span === 'number' ? span : millisecondsOf(String(span));
  return milliseconds !== undefined && milliseconds >= 0 && Number.isFinite(milliseconds) ? milliseconds : undefined;
}

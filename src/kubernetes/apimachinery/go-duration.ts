/** Durations as Go's package `time` reads and writes them, in nanoseconds. */

const SECOND = 1_000_000_000n;
const UNITS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1000n,
  µs: 1000n,
  μs: 1000n,
  ms: 1_000_000n,
  s: SECOND,
  m: 60n * SECOND,
  h: 3600n * SECOND,
};
const MOST = 2n ** 63n;

/** `time.ParseDuration`: nanoseconds, or Go's error text. */
export function parseGoDuration(text: string): bigint | string {
  const parsed = parsedDuration(text);
  return typeof parsed === 'bigint' ? parsed : parsed();
}

/** As {@link parseGoDuration}, without a text of the error: to quote a long text takes longer than to read it. */
export function goDurationOf(text: string): bigint | undefined {
  const parsed = parsedDuration(text);
  return typeof parsed === 'bigint' ? parsed : undefined;
}

function parsedDuration(text: string): bigint | (() => string) {
  const invalid = () => `time: invalid duration ${goTimeQuote(text)}`;
  const isNegative = text.startsWith('-');
  let rest = text.replace(/^[+-]/, '');
  if (rest === '0') return 0n;
  if (rest === '') return invalid;
  let sum = 0n;
  while (rest !== '') {
    const match = /^(\d*)(?:\.(\d*))?([^.\d]*)/.exec(rest);
    const [all = '', whole = '', fraction = '', unit = ''] = match ?? [];
    if (whole === '' && fraction === '') return invalid;
    if (unit === '') return () => `time: missing unit in duration ${goTimeQuote(text)}`;
    const factor = Object.hasOwn(UNITS, unit) ? UNITS[unit] : undefined;
    if (factor === undefined) return () => `time: unknown unit ${goTimeQuote(unit)} in duration ${goTimeQuote(text)}`;
    const amount = whole.replace(/^0+/, '');
    if (amount.length > 19) return invalid;
    // In Go's order of operations: the last digit depends on it.
    const digits = fraction.slice(0, 18);
    const part = Math.trunc(Number(digits) * (Number(factor) / 10 ** digits.length));
    sum += BigInt(amount) * factor + BigInt(part);
    if (sum > MOST) return invalid;
    rest = rest.slice(all.length);
  }
  if (isNegative) return -sum;
  return sum === MOST ? invalid : sum;
}

/** `Duration.String()`: `1h2m3.5s`, `1.5ms`, `0s`. */
export function goDurationText(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return '0s';
  const sign = nanoseconds < 0n ? '-' : '';
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  if (size < 1000n) return `${sign}${size}ns`;
  if (size < 1_000_000n) return `${sign}${withFraction(size, 3)}µs`;
  if (size < SECOND) return `${sign}${withFraction(size, 6)}ms`;
  const minutes = size / (60n * SECOND);
  const seconds = `${withFraction(size % (60n * SECOND), 9)}s`;
  if (minutes === 0n) return sign + seconds;
  return minutes < 60n ? `${sign}${minutes}m${seconds}` : `${sign}${minutes / 60n}h${minutes % 60n}m${seconds}`;
}

function withFraction(value: bigint, digits: number): string {
  const unit = 10n ** BigInt(digits);
  const fraction = (value % unit).toString().padStart(digits, '0').replace(/0+$/, '');
  return fraction === '' ? `${value / unit}` : `${value / unit}.${fraction}`;
}

/** The quoting of Go's package `time`: bytes beyond ASCII one by one. */
export function goTimeQuote(text: string): string {
  let result = '"';
  for (const character of text) {
    if (character >= ' ' && character < '\u0080') result += character === '"' || character === '\\' ? `\\${character}` : character;
    else for (const byte of new TextEncoder().encode(character)) result += `\\x${byte.toString(16).padStart(2, '0')}`;
  }
  return `${result}"`;
}

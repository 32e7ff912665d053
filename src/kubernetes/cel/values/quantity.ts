/** A resource quantity: exact, in billionths, as fine as the API keeps them. */
export interface Quantity {
  readonly nano: bigint;
  /** The value, if it was written as a whole number that an int64 holds; `undefined` for `1000m`. */
  readonly int: bigint | undefined;
  readonly equalityKey: bigint;
}

const NANO = 1_000_000_000n;
const MAX_INT = 2n ** 63n - 1n;
const BINARY: Readonly<Record<string, bigint>> = {
  Ki: 2n ** 10n,
  Mi: 2n ** 20n,
  Gi: 2n ** 30n,
  Ti: 2n ** 40n,
  Pi: 2n ** 50n,
  Ei: 2n ** 60n,
};
const DECIMAL: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };

const WRONG_FORMAT = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const WRONG_SUFFIX = "unable to parse quantity's suffix";

function make(nano: bigint, wholeAsWritten: boolean): Quantity {
  const limit = MAX_INT * NANO;
  const capped = nano > limit ? limit : nano < -limit ? -limit : nano;
  return { nano: capped, int: wholeAsWritten && capped % NANO === 0n ? capped / NANO : undefined, equalityKey: capped };
}

export function quantityOfInt(value: bigint): Quantity {
  return make(value * NANO, true);
}

/** Reads `1.5Gi`, `100m`, `1e3`; a string result is what is wrong with the text. */
export function parseQuantity(text: string): Quantity | string {
  const match = /^([+-]?)([0-9]*)(?:\.([0-9]*))?((?:[KMGTPE]i)|[numkMGTPE]|[eE][+-]?[0-9]+)?$/.exec(text);
  if (match === null) return /^[+-]?[0-9.]+[eEinumkKMGTP]*[-+]?[0-9]*$/.test(text) && !/\..*\./.test(text) ? WRONG_SUFFIX : WRONG_FORMAT;
  const [, sign = '', whole = '', fraction = '', suffix = ''] = match;
  if (whole === '' && fraction === '') return WRONG_FORMAT;
  const digits = BigInt(whole + fraction) * (sign === '-' ? -1n : 1n);
  const binary = BINARY[suffix];
  if (binary !== undefined) return make(roundUp(digits * binary * NANO, 10n ** BigInt(fraction.length)), fraction === '');
  const exponent = /^[eE][+-]?[0-9]/.test(suffix) ? Number(suffix.slice(1)) : (DECIMAL[suffix] ?? 0);
  if (Math.abs(exponent) > 1000) return WRONG_SUFFIX;
  const power = exponent - fraction.length + 9;
  const nano = power >= 0 ? digits * 10n ** BigInt(power) : roundUp(digits, 10n ** BigInt(-power));
  return make(nano, exponent - fraction.length >= 0);
}

/** Away from zero: the API never grants less than was asked. */
function roundUp(value: bigint, divisor: bigint): bigint {
  const quotient = value / divisor;
  if (value % divisor === 0n) return quotient;
  return value < 0n ? quotient - 1n : quotient + 1n;
}

export function addQuantities(a: Quantity, b: Quantity, sign: 1n | -1n): Quantity {
  return make(a.nano + sign * b.nano, a.int !== undefined && b.int !== undefined);
}

export function compareQuantities(a: Quantity, b: Quantity): number {
  return a.nano < b.nano ? -1 : a.nano > b.nano ? 1 : 0;
}

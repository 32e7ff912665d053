/**
 * How large a value may be: runes of a text, bytes, elements of a list, entries of a map.
 *
 * Numbers are unsigned 64-bit integers that stop at the largest instead of overflowing, as in cel-go (`checker/cost.go`): estimates are compared with the
 * API server's to the digit.
 */
export interface SizeRange {
  readonly min: bigint;
  readonly max: bigint;
}

/** The largest number there is; an estimate of it stands for "cannot be bounded". */
export const ENDLESS: bigint = 2n ** 64n - 1n;
const TWO_TO_64 = 2 ** 64;

/** For a text without a known size. */
export const UNKNOWN: SizeRange = { min: 0n, max: ENDLESS };
export const NOTHING: SizeRange = { min: 0n, max: 0n };

export const exactly = (size: bigint): SizeRange => ({ min: size, max: size });

export function add(a: bigint, b: bigint): bigint {
  const sum = a + b;
  return sum > ENDLESS ? ENDLESS : sum;
}

export function times(a: bigint, b: bigint): bigint {
  const product = a * b;
  return product > ENDLESS ? ENDLESS : product;
}

/** Rounded up; reckoned in doubles as Go does, large numbers lose their last digits. */
export function scaled(value: bigint, factor: number): bigint {
  const number = Number(value);
  if (number > 0 && factor > 0 && number > TWO_TO_64 / factor) return ENDLESS;
  const product = Math.ceil(number * factor);
  return product >= TWO_TO_64 ? ENDLESS : BigInt(product);
}

/** Rounded up; reckoned in doubles. The largest number becomes half of it where Go turns the double back into an integer. */
export function quotient(value: bigint, divisor: bigint): bigint {
  const result = Math.ceil(Number(value) / Number(divisor));
  return result >= TWO_TO_64 ? 2n ** 63n : BigInt(result);
}

/** The remainder of a number that overflows, for the places where cel-go forgot to stop it. */
export const wrapped = (value: bigint): bigint => BigInt.asUintN(64, value);

export const addRanges = (a: SizeRange, b: SizeRange): SizeRange => ({ min: add(a.min, b.min), max: add(a.max, b.max) });
export const multiplyRanges = (a: SizeRange, b: SizeRange): SizeRange => ({ min: times(a.min, b.min), max: times(a.max, b.max) });
export const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);
export const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);
export const union = (a: SizeRange, b: SizeRange): SizeRange => ({ min: smaller(a.min, b.min), max: larger(a.max, b.max) });
